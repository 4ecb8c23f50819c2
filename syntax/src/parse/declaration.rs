//! What stands after the head of a declaration.

use chumsky::prelude::*;

use crate::tree::{Block, Body, Keyword, TypeBody};

use super::block::{block_of, body_open, close, entries};
use super::recovery::{junk, missing, refuse, report, skip};
use super::shape::{event, fields, variants};
use super::terminal::{Expected, T};
use super::type_expr::type_expr;
use super::value::value;
use super::{Grammar, span};

/// The rest of a declaration, to the end of its text. It always reads all and never fails.
pub(super) fn rest<'a>(keyword: Keyword, named: bool) -> impl Grammar<'a, Body> {
    let name = custom(move |input| {
        if !named {
            report(input, Expected::NAME);
        }
        Ok(())
    });
    let is_type = keyword == Keyword::Type;
    let type_body = ahead_if(is_type).ignore_then(equals()).ignore_then(type_body()).map(Body::Type);
    let after = junk(Expected::DECLARATION, |_| false).or_not();
    name.ignore_then(type_body.or(block_body())).then_ignore(after)
}

fn ahead_if<'a>(holds: bool) -> impl Grammar<'a, ()> {
    custom(move |input| if holds { Ok(()) } else { refuse(input) })
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
        skip(input, |terminal| {
            matches!(terminal, T::Equals | T::BraceOpen) || terminal.is_shape() || terminal.ends_junk()
        });
        match input.peek() {
            Some(T::Equals) => {
                input.skip();
                Ok(())
            }
            Some(shape) if shape.is_shape() => Ok(()),
            _ => {
                input.rewind(start);
                refuse(input)
            }
        }
    });
    let colon = missing(Expected::EQUALS).then_ignore(just(T::Colon));
    choice((just(T::Equals).ignored(), skipped, colon, missing(Expected::EQUALS)))
}

fn type_body<'a>() -> impl Grammar<'a, TypeBody> {
    let block = block_of(value());
    let object = fields(block.clone()).then_ignore(close()).map(TypeBody::Object);
    let event = event(block.clone())
        .then_ignore(close())
        .map(|(wire_names, fields)| TypeBody::Event { wire_names, fields });
    let written = choice((
        shape(T::Object, object.clone()),
        shape(T::Event, event),
        shape(T::Enum, variants().then_ignore(close()).map(TypeBody::Enum)),
        type_expr().then(block.or_not()).map(|(ty, constraints)| TypeBody::Alias(ty, constraints)),
    ));
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

/// `word { … }`
fn shape<'a>(word: T, read: impl Grammar<'a, TypeBody>) -> impl Grammar<'a, TypeBody> {
    just(word)
        .ignore_then(body_open())
        .then(read)
        .map(|(any, body)| if any { body } else { TypeBody::Missing })
}
