//! The bodies that `Object`, `Event` and `Enum` open.

use chumsky::prelude::*;

use crate::Span;
use crate::tree::{
    Block, Field, Key, Modifier, ModifierKind, Name, StringLit, TypeExpr, Variant, VariantWire, WireName,
};

use super::block::{commas, key};
use super::fault::{Fault, What};
use super::recovery::{ahead, here, junk, missing, opaque_block, refuse};
use super::terminal::{Expected, T};
use super::type_expr::{name, shape_within, type_expr};
use super::value::{number, string};
use super::{Ex, Grammar, In, Sp, span};

/// What stands after a field's colon.
#[derive(Clone)]
enum Written {
    Type(TypeExpr, Option<Block>),
    Shape(Span),
    /// Nothing, at this place.
    Nothing(Sp),
    /// Something else, which is reported.
    Junk,
}

/// The fields of an object.
pub(super) fn fields<'a>(block: impl Grammar<'a, Block>) -> impl Grammar<'a, Vec<Field>> {
    let item = choice((
        field(block).map(Some),
        commas().to(None),
        junk(Expected::FIELD.or(Expected::BRACE_CLOSE), T::ends_junk).to(None),
    ));
    empty().map(|()| Vec::new()).foldl(item.repeated(), |mut all: Vec<Field>, one| {
        all.extend(one);
        all
    })
}

/// The fields of an event and the names that the provider gives it.
pub(super) fn event<'a>(block: impl Grammar<'a, Block>) -> impl Grammar<'a, (Vec<WireName>, Vec<Field>)> {
    let wire_name = just([T::KeyWireName, T::Colon])
        .ignore_then(string())
        .map_with(|value, extra| WireName { docs: Vec::new(), value, span: span(extra.span()) });
    let item = choice((
        wire_name.map(|wire_name| (Some(wire_name), None)),
        field(block).map(|field| (None, Some(field))),
        commas().to((None, None)),
        junk(Expected::FIELD.or(Expected::BRACE_CLOSE), T::ends_junk).to((None, None)),
    ));
    empty().map(|()| (Vec::new(), Vec::new())).foldl(
        item.repeated(),
        |mut all: (Vec<WireName>, Vec<Field>), (wire_name, field)| {
            all.0.extend(wire_name);
            all.1.extend(field);
            all
        },
    )
}

fn field<'a>(block: impl Grammar<'a, Block>) -> impl Grammar<'a, Field> {
    key(T::begins_type).then(written(block)).then(modifiers()).validate(
        |((key, written), modifiers), extra, faults| {
            let whole: Sp = extra.span();
            let within = key.span.end;
            let mut report = |fault| faults.emit(Fault { within, ..fault });
            let start = key.span.start;
            let (ty, constraints) = match written {
                Written::Type(ty, constraints) => match shape_within(&ty) {
                    Some(place) => {
                        report(Fault::on(start, What::InlineShape(place)));
                        (None, constraints)
                    }
                    None => (Some(ty), constraints),
                },
                Written::Shape(place) => {
                    report(Fault::on(start, What::InlineShape(place)));
                    (None, None)
                }
                Written::Nothing(place) => {
                    report(Fault::between(place, What::TypeMissing(key.span)));
                    (None, None)
                }
                Written::Junk => (None, None),
            };
            if key.quoted {
                report(Fault::on(start, What::FieldQuoted(key.span, span(whole))));
            }
            let (name, quoted) = field_name(key);
            let mut modifiers: Vec<Modifier> = modifiers;
            let named = modifiers.iter().any(|modifier| modifier.kind != ModifierKind::Optional);
            modifiers.extend(quoted.filter(|_| !named));
            Field { docs: Vec::new(), name, ty, constraints, modifiers, span: span(whole) }
        },
    )
}

/// The name of a field, and what its name on the wire is where it was written as a string.
fn field_name(key: Key) -> (Name, Option<Modifier>) {
    if !key.quoted {
        return (Name { text: key.text, span: key.span }, None);
    }
    let name = Name { text: name_like(&key.text).into(), span: key.span };
    let wire = StringLit { value: key.text, span: key.span };
    (name, Some(Modifier { kind: ModifierKind::As(wire), span: key.span }))
}

/// The name that is nearest to any text: `content-type` as `content_type`.
pub(super) fn name_like(text: &str) -> String {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("_").to_ascii_lowercase();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { format!("_{name}") }
}

fn written<'a>(block: impl Grammar<'a, Block>) -> impl Grammar<'a, Written> {
    let stops = |terminal: T| terminal.ends_junk() || terminal == T::Comma || terminal.is_modifier();
    let ty = type_expr().then(block.or_not()).map(|(ty, constraints)| Written::Type(ty, constraints)).boxed();
    let shape = any::<In<'a>, Ex<'a>>()
        .filter(|terminal| terminal.is_shape())
        .map_with(|_, extra| Written::Shape(span(extra.span())))
        .then_ignore(opaque_block().or_not());
    let nothing = custom(|input| Ok(Written::Nothing(here(input))));
    choice((
        shape,
        ahead(stops).ignore_then(nothing),
        ty.clone(),
        ahead(|terminal| terminal == T::BraceOpen).ignore_then(nothing).then_ignore(opaque_block()),
        junk(Expected::TYPE, |terminal| {
            terminal.ends_junk() || terminal == T::Comma || terminal.is_name() || terminal == T::BraceOpen
        })
        .ignore_then(ahead(T::begins_type).ignore_then(ty).or(empty().to(Written::Junk))),
        nothing,
    ))
}

fn modifiers<'a>() -> impl Grammar<'a, Vec<Modifier>> {
    let text = string().map(Some).or(missing(Expected::STRING).to(None));
    let kind = choice((
        just(T::Optional).to(Some(ModifierKind::Optional)),
        just(T::As).ignore_then(text.clone()).map(|text: Option<StringLit>| text.map(ModifierKind::As)),
        just(T::At).ignore_then(text).map(|text| text.map(ModifierKind::At)),
    ));
    let modifier = kind.map_with(|kind, extra| kind.map(|kind| Modifier { kind, span: span(extra.span()) }));
    empty().map(|()| Vec::new()).foldl(modifier.repeated(), |mut all: Vec<Modifier>, one| {
        all.extend(one);
        all
    })
}

const ITEM: Expected = Expected::VARIANT.or(Expected::BRACE_CLOSE);

/// The variants of an enum.
pub(super) fn variants<'a>() -> impl Grammar<'a, Vec<Variant>> {
    let junk = junk(ITEM, |terminal| {
        terminal.is_name() || terminal.ends_junk() || matches!(terminal, T::Comma | T::String)
    });
    let item = choice((variant().map(Some), commas().to(None), junk.to(None)));
    empty().map(|()| Vec::new()).foldl(item.repeated(), |mut all: Vec<Variant>, one| {
        all.extend(one);
        all
    })
}

fn variant<'a>() -> impl Grammar<'a, Variant> {
    let wire = just(T::As).ignore_then(choice((
        string().map(VariantWire::Text),
        number().map(VariantWire::Number),
        just(T::Other).map_with(|_, extra| VariantWire::Other(span(extra.span()))),
    )));
    let key = any::<In<'a>, Ex<'a>>().filter(|terminal| terminal.is_key()).map_with(|_, extra| {
        let span = span(extra.span());
        Name { text: extra.state().name(span), span }
    });
    let plain = name()
        .then(wire.clone().or_not())
        .map_with(|(name, wire), extra| Variant { docs: Vec::new(), name, wire, span: span(extra.span()) })
        .then_ignore(mistaken_value().or_not());
    let keyed = key.then_ignore(mistaken_value()).map(|name| {
        let span = name.span;
        Variant { docs: Vec::new(), name, wire: None, span }
    });
    let quoted = string().then(wire.or_not()).validate(|(text, wire), extra, faults| {
        let whole: Sp = extra.span();
        faults.emit(Fault::on(text.span.start, What::VariantQuoted(text.span)));
        let name = Name { text: name_like(&text.value).into(), span: text.span };
        Variant { docs: Vec::new(), name, wire: wire.or(Some(VariantWire::Text(text))), span: span(whole) }
    });
    choice((plain, keyed, quoted))
}

/// `= "SELL"` or `: "SELL"` after a variant, where `as "SELL"` is meant.
fn mistaken_value<'a>() -> impl Grammar<'a, ()> {
    custom(|input| {
        if !matches!(input.peek(), Some(T::Equals | T::Colon)) {
            return refuse(input);
        }
        let place = here(input);
        let sign = Span::new(place.start, place.start + 1);
        input.skip();
        let sent = matches!(input.peek(), Some(T::String | T::Number));
        let what = if sent { What::Mistaken(sign, "as") } else { What::Expected(ITEM) };
        input.emit(Fault::between(place, what));
        if sent || input.peek().is_some_and(T::is_name) {
            input.skip();
        }
        Ok(())
    })
}
