//! `name.name<Type, Type>?`

use chumsky::prelude::*;

use crate::Span;
use crate::tree::{Name, TypeExpr};

use super::recovery::{missing, required};
use super::terminal::{Expected, T};
use super::{Ex, Grammar, In, span};

/// A type. A name before a colon is a key, so it is no part of one.
pub(super) fn type_expr<'a>() -> impl Grammar<'a, TypeExpr> {
    recursive(|inner| {
        let argument = inner.map(Some).or(missing(Expected::TYPE).to(None));
        let more = just(T::Comma).ignore_then(argument.clone());
        let arguments = just(T::AngleOpen)
            .ignore_then(argument.map(Vec::from_iter).foldl(
                more.repeated(),
                |mut all: Vec<TypeExpr>, one| {
                    all.extend(one);
                    all
                },
            ))
            .then_ignore(required(T::AngleClose, Expected::COMMA.or(Expected::ANGLE_CLOSE)));
        path()
            .then(arguments.or(empty().map(|()| Vec::new())))
            .then(just(T::Question).map_with(|_, extra| span(extra.span())).or_not())
            .map_with(|((path, args), nullable), extra| TypeExpr {
                path,
                args,
                nullable,
                span: span(extra.span()),
            })
    })
}

fn path<'a>() -> impl Grammar<'a, Vec<Name>> {
    let more = just(T::Dot).ignore_then(name().map(Some).or(missing(Expected::NAME).to(None)));
    name().map(|first| vec![first]).foldl(more.repeated(), |mut all, one| {
        all.extend(one);
        all
    })
}

/// A name that is no key.
pub(super) fn name<'a>() -> impl Grammar<'a, Name> {
    any::<In<'a>, Ex<'a>>().filter(|terminal| terminal.is_name()).map_with(|_, extra| {
        let span = span(extra.span());
        Name { text: extra.state().name(span), span }
    })
}

/// Whether a type, or an argument of it, is called as what only opens the body of a type declaration.
pub(super) fn shape_within(ty: &TypeExpr) -> Option<Span> {
    match &ty.path[..] {
        [name, ..] if T::of_word(&name.text).is_shape() => Some(name.span),
        _ => ty.args.iter().find_map(shape_within),
    }
}
