//! What stands after the head of a declaration.

use chumsky::prelude::*;

use crate::Span;
use crate::tree::{Block, Body, TypeBody};

use super::block::{block_of, body_open, close, entries};
use super::fault::{Fault, What};
use super::recovery::{here, junk, missing, refuse, report, skip};
use super::shape::{event, fields, variants};
use super::terminal::{Expected, T};
use super::type_expr::{shape_within, type_expr};
use super::value::value;
use super::{Grammar, Sp, span};

/// The rest of a type declaration, to the end of its text. It always reads all and never fails.
pub(super) fn type_rest<'a>() -> impl Grammar<'a, Body> {
    equals().ignore_then(type_body()).map(Body::Type).then_ignore(after())
}

/// The rest of any other declaration, to the end of its text. It always reads all and never fails.
pub(super) fn block_rest<'a>() -> impl Grammar<'a, Body> {
    block_body().then_ignore(after())
}

fn after<'a>() -> impl Grammar<'a, ()> {
    junk(Expected::DECLARATION, |_| false).or_not().ignored()
}

fn block_body<'a>() -> impl Grammar<'a, Body> {
    let read = entries(value()).then_ignore(close());
    body_open().then(read).map_with(|(any, entries), extra| {
        if any { Body::Block(Block { entries, span: span(extra.span()) }) } else { Body::Missing }
    })
}

/// The `=` of a type declaration. What stands before it by mistake is skipped; where there is none, it is assumed.
fn equals<'a>() -> impl Grammar<'a, ()> {
    let skipped = custom(|input| {
        let start = input.save();
        report(input, Expected::EQUALS);
        skip(input, |terminal| matches!(terminal, T::Equals | T::BraceOpen) || terminal.ends_junk());
        if input.peek() == Some(T::Equals) {
            input.skip();
            return Ok(());
        }
        input.rewind(start);
        refuse(input)
    });
    let colon = custom(|input| {
        let place = here(input);
        if input.peek() != Some(T::Colon) {
            return refuse(input);
        }
        input.skip();
        let colon = Span::new(place.start, place.start + 1);
        input.emit(Fault::between(place, What::Mistaken(colon, "=")));
        Ok(())
    });
    let forgotten = custom(|input| {
        let start = input.save();
        let place = here(input);
        skip(input, |terminal| terminal.is_shape() || terminal == T::BraceOpen || terminal.ends_junk());
        let after = here(input);
        // What stands before a shape stands in the place of the `=`.
        let replaced = input.peek().is_some_and(T::is_shape) && after.start != place.start;
        if !replaced {
            input.rewind(start);
        }
        let named = !replaced && input.peek().is_some_and(T::is_name);
        let what = if named { What::Missing("=") } else { What::Expected(Expected::EQUALS) };
        input.emit(Fault::between(place, what));
        Ok(())
    });
    choice((just(T::Equals).ignored(), skipped, colon, forgotten))
}

fn type_body<'a>() -> impl Grammar<'a, TypeBody> {
    let block = block_of(value()).boxed();
    let object = fields(block.clone()).then_ignore(close()).map(TypeBody::Object).boxed();
    let event = event(block.clone())
        .then_ignore(close())
        .map(|(wire_names, fields)| TypeBody::Event { wire_names, fields });
    let written = choice((
        shape(T::Object, object.clone()),
        shape(T::Event, event),
        shape(T::Enum, variants().then_ignore(close()).map(TypeBody::Enum)),
        alias(block),
    ))
    .boxed();
    choice((
        written.clone(),
        // `type Prices { … }`: the fields are worth reading.
        missing(Expected::TYPE)
            .then_ignore(just([T::BraceOpen, T::Key]).rewind())
            .ignore_then(just(T::BraceOpen))
            .ignore_then(object),
        junk(Expected::TYPE, |terminal| terminal.is_name() || terminal.ends_junk())
            .ignore_then(written.or(empty().map(|()| TypeBody::Missing))),
        missing(Expected::TYPE).map(|()| TypeBody::Missing),
    ))
}

/// A type and perhaps its constraints. What opens a body is no argument of a type.
fn alias<'a>(block: impl Grammar<'a, Block>) -> impl Grammar<'a, TypeBody> {
    type_expr().then(block.or_not()).validate(|(ty, constraints), extra, faults| {
        let Some(place) = shape_within(&ty) else { return TypeBody::Alias(ty, constraints) };
        let whole: Sp = extra.span();
        faults.emit(Fault::on(whole.start, What::InlineShape(place)));
        TypeBody::Missing
    })
}

/// `word { … }`
fn shape<'a>(word: T, read: impl Grammar<'a, TypeBody>) -> impl Grammar<'a, TypeBody> {
    just(word)
        .ignore_then(body_open())
        .then(read)
        .map(|(any, body)| if any { body } else { TypeBody::Missing })
}
