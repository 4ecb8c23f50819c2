//! The values of entries, arguments and elements.

use chumsky::prelude::*;

use crate::Span;
use crate::tree::{Block, NumberLit, StringLit, TypeExpr, Value, ValueKind};

use super::block::block_of;
use super::fault::{Fault, What};
use super::recovery::here;
use super::terminal::{Expected, T};
use super::type_expr::{shape_within, type_expr};
use super::{Ex, Grammar, In, Sp, span};

/// What may stand after a name.
enum Tail {
    Nothing,
    Arguments(Vec<Value>, Span),
    Block(Block),
}

/// A part of a list before it is known whether its commas stand right.
enum Part {
    Value(Value),
    Comma(Span),
    Junk(Span),
}

/// Any value.
pub(super) fn value<'a>() -> impl Grammar<'a, Value> {
    recursive(|value| {
        let block = block_of(value.clone()).boxed();
        let list = elements(value.clone(), T::BracketOpen, T::BracketClose, Expected::BRACKET_CLOSE);
        let arguments = elements(value, T::ParenOpen, T::ParenClose, Expected::PAREN_CLOSE);
        let tail = choice((
            arguments.map_with(|arguments, extra| Tail::Arguments(arguments, span(extra.span()))),
            block.clone().map(Tail::Block),
            empty().map(|()| Tail::Nothing),
        ));
        let named = type_expr().then(tail).validate(|(ty, tail), extra, faults| {
            named(ty, tail, &mut |what| {
                let place: Sp = extra.span();
                faults.emit(Fault::on(place.start, what));
            })
        });
        choice((
            string().map(ValueKind::String),
            number().map(ValueKind::Number),
            named,
            block.map(ValueKind::Block),
            list.map(ValueKind::List),
        ))
        .map_with(|kind, extra| Value { kind, span: span(extra.span()) })
    })
}

/// Decides between a call and a type, and refuses a shape where only its name may stand.
fn named(ty: TypeExpr, tail: Tail, report: &mut dyn FnMut(What)) -> ValueKind {
    let block = match tail {
        Tail::Arguments(arguments, place) => {
            if let Some(name) = ty.as_bare_name().cloned() {
                return ValueKind::Call(name, arguments);
            }
            report(What::NotCallable(place));
            None
        }
        Tail::Block(block) => Some(block),
        Tail::Nothing => None,
    };
    if let Some(place) = shape_within(&ty) {
        report(What::InlineShape(place));
    }
    ValueKind::Type(ty, block)
}

/// Values between two delimiters, with commas between them and perhaps one after the last. Only the first comma
/// that is missing or too many is reported.
fn elements<'a>(
    value: impl Grammar<'a, Value>,
    open: T,
    close: T,
    closing: Expected,
) -> impl Grammar<'a, Vec<Value>> {
    let ends = |terminal: T| terminal.ends_junk() || matches!(terminal, T::BracketClose | T::ParenClose);
    let junk = any::<In<'a>, Ex<'a>>().filter(move |terminal| !ends(*terminal));
    let part = choice((
        just(T::Comma).map_with(|_, extra| Part::Comma(span(extra.span()))),
        value.map(Part::Value),
        junk.map_with(|_, extra| Part::Junk(span(extra.span()))),
    ));
    just(open)
        .ignore_then(part.repeated().collect::<Vec<Part>>())
        .then(just(close).to(None).or(custom(|input| Ok(Some(here(input))))))
        .validate(move |(parts, unclosed), extra, faults| {
            let whole: Sp = extra.span();
            let mut report = |fault| faults.emit(Fault { within: whole.start, ..fault });
            let values = in_order(parts, closing, &mut report);
            if let Some(place) = unclosed {
                report(Fault::between(place, What::Expected(Expected::COMMA.or(closing))));
            }
            values
        })
}

/// The values among `parts`; the first comma that is missing or too many is reported.
fn in_order(parts: Vec<Part>, closing: Expected, report: &mut dyn FnMut(Fault)) -> Vec<Value> {
    let mut values = Vec::with_capacity(parts.len());
    let mut expects_comma = false;
    let mut reported = false;
    let mut before = None;
    for part in parts {
        let (place, fits) = match &part {
            Part::Value(value) => (value.span, !expects_comma),
            Part::Comma(place) => (*place, expects_comma),
            Part::Junk(place) => (*place, false),
        };
        if !fits && !reported {
            reported = true;
            let expected = if expects_comma { Expected::COMMA.or(closing) } else { Expected::VALUE };
            let before = before.unwrap_or(place.start);
            report(Fault { before, ..Fault::on(place.start, What::Expected(expected)) });
        }
        before = Some(place.end);
        expects_comma = !matches!(part, Part::Comma(_));
        if let Part::Value(value) = part {
            values.push(value);
        }
    }
    values
}

/// A string that is no key.
pub(super) fn string<'a>() -> impl Grammar<'a, StringLit> {
    just::<_, In<'a>, Ex<'a>>(T::String).map_with(|_, extra| {
        let span = span(extra.span());
        extra.state().string(span)
    })
}

/// A number.
pub(super) fn number<'a>() -> impl Grammar<'a, NumberLit> {
    just::<_, In<'a>, Ex<'a>>(T::Number).map_with(|_, extra| {
        let span = span(extra.span());
        extra.state().number(span)
    })
}
