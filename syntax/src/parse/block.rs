//! `{ key: value … }`

use chumsky::prelude::*;

use crate::tree::{Block, Entry, Key, Value};

use super::fault::{Fault, What};
use super::recovery::{junk, refuse, report, skip};
use super::terminal::{Expected, T};
use super::{Ex, Grammar, In, Sp, span};

/// A block whose values are read by `value`.
pub(super) fn block_of<'a>(value: impl Grammar<'a, Value>) -> impl Grammar<'a, Block> {
    just(T::BraceOpen)
        .ignore_then(entries(value))
        .then_ignore(close())
        .map_with(|entries, extra| Block { entries, span: span(extra.span()) })
}

/// What stands between the braces.
pub(super) fn entries<'a>(value: impl Grammar<'a, Value>) -> impl Grammar<'a, Vec<Entry>> {
    let item = choice((
        entry(value).map(Some),
        commas().to(None),
        junk(Expected::KEY.or(Expected::BRACE_CLOSE), T::ends_junk).to(None),
    ));
    empty().map(|()| Vec::new()).foldl(item.repeated(), |mut all: Vec<Entry>, one| {
        all.extend(one);
        all
    })
}

fn entry<'a>(value: impl Grammar<'a, Value>) -> impl Grammar<'a, Entry> {
    let value = choice((
        value.clone().map(Some),
        junk(Expected::VALUE, |terminal| {
            terminal.begins_value() || terminal.ends_junk() || terminal == T::Comma
        })
        .ignore_then(value.or_not()),
        empty().to(None),
    ));
    key(T::begins_value).then(value).map_with(|(key, value), extra| Entry {
        docs: Vec::new(),
        key,
        value,
        span: span(extra.span()),
    })
}

/// A key and its colon. A name without a colon is one too where something else stands in the colon's place, or
/// where `follows` takes the next terminal.
pub(super) fn key<'a>(follows: fn(T) -> bool) -> impl Grammar<'a, Key> {
    let plain = any::<In<'a>, Ex<'a>>()
        .filter(|terminal| terminal.is_key())
        .map_with(|terminal, extra| {
            let span = span(extra.span());
            extra.state().key(span, terminal == T::KeyString)
        })
        .then_ignore(just(T::Colon));
    let named = any::<In<'a>, Ex<'a>>().filter(|terminal| terminal.is_name() || *terminal == T::String);
    let broken = named
        .map_with(|terminal, extra| {
            let span = span(extra.span());
            extra.state().key(span, terminal == T::String)
        })
        .then_ignore(custom(move |input| match input.peek() {
            Some(T::Equals | T::Question) => {
                let start = input.cursor();
                let place = super::recovery::here(input);
                skip(input, |terminal| !matches!(terminal, T::Equals | T::Question | T::Colon));
                let mistaken = span(input.span_since(&start));
                input.emit(Fault::between(place, What::Mistaken(mistaken, ":")));
                Ok(())
            }
            Some(terminal) if follows(terminal) => {
                let fault = Fault::between(super::recovery::here(input), What::Missing(":"));
                input.emit(fault);
                Ok(())
            }
            _ => refuse(input),
        }));
    plain.or(broken)
}

/// Commas where white space is enough.
pub(super) fn commas<'a>() -> impl Grammar<'a, ()> {
    just(T::Comma).repeated().at_least(1).validate(|(), extra, faults| {
        let place: Sp = extra.span();
        faults.emit(Fault::on(place.start, What::Comma(span(place))));
    })
}

/// The opening brace of a body. What stands before it by mistake is skipped; where there is none, it is assumed.
/// Says whether there is anything to read behind it.
pub(super) fn body_open<'a>() -> impl Grammar<'a, bool> {
    let skipped = custom(|input| {
        let start = input.save();
        report(input, Expected::BRACE_OPEN);
        skip(input, |terminal| terminal == T::BraceOpen || terminal.ends_junk());
        if input.peek() == Some(T::BraceOpen) {
            input.skip();
            return Ok(true);
        }
        input.rewind(start);
        refuse(input)
    });
    let assumed = custom(|input| {
        report(input, Expected::BRACE_OPEN);
        Ok(input.peek().is_some())
    });
    choice((just(T::BraceOpen).to(true), skipped, assumed))
}

/// The closing brace of a block. Braces are balanced before the grammar sees them, so its absence is reported
/// already.
pub(super) fn close<'a>() -> impl Grammar<'a, ()> {
    just(T::BraceClose).or_not().ignored()
}
