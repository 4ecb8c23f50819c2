//! Rules of the fields of objects and events: names, modifiers, types, and what the fields are called on the wire.

use std::collections::{HashMap, HashSet};

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Field, ModifierKind, Name};

use super::type_use::{self, Place};
use crate::check::{Check, declared};
use crate::diagnostics::codes::base::NAME_DUPLICATE;
use crate::diagnostics::codes::package::{
    TYPE_MODIFIER_INVALID, TYPE_VALUE_INVALID, TYPE_WIRE_NAME_DUPLICATE,
};
use crate::json;
use crate::names::Case;
use crate::signature::{cases, type_signature};
use crate::wire_names;

/// Checks the fields of an object or an event.
pub fn check(cx: &mut Check<'_>, fields: &[Field]) {
    for field in fields {
        declared::case(cx, Case::LowerSnake, &field.name, "field");
        modifiers(cx, field);
        if let Some(ty) = &field.ty {
            type_use::check(cx, ty, field.constraints.as_ref(), Place::Value);
        }
    }
    let doubled = duplicate_names(cx, "field", fields.iter().map(|field| &field.name));
    wire_duplicates(cx, fields, &doubled);
}

/// Reports each name that stands twice, and gives them.
pub fn duplicate_names<'a>(
    cx: &mut Check<'_>,
    what: &str,
    names: impl Iterator<Item = &'a Name>,
) -> HashSet<Span> {
    let mut first: HashMap<&str, &Name> = HashMap::new();
    let mut doubled = HashSet::new();
    for name in names {
        let known = *first.entry(&name.text).or_insert(name);
        if known.span != name.span {
            let related = cx.at(known.span);
            cx.report(NAME_DUPLICATE, name.span, format!("the {what} `{}` is declared twice", name.text))
                .label("declared again here")
                .related(related, "first declared here");
            doubled.insert(name.span);
        }
    }
    doubled
}

/// Each modifier once, and one way of finding a field on the wire.
fn modifiers(cx: &mut Check<'_>, field: &Field) {
    let word = |kind: &ModifierKind| match kind {
        ModifierKind::Optional => "optional",
        ModifierKind::As(_) => "as",
        ModifierKind::At(_) => "at",
    };
    for (at, modifier) in field.modifiers.iter().enumerate() {
        let before = &field.modifiers[..at];
        let this = word(&modifier.kind);
        let name = &field.name.text;
        if let Some(first) = before.iter().find(|first| word(&first.kind) == this) {
            let related = cx.at(first.span);
            let message = format!("`{this}` stands twice on the field `{name}`");
            cx.report(TYPE_MODIFIER_INVALID, modifier.span, message).related(related, "first here");
        } else if let Some(first) =
            before.iter().find(|first| word(&first.kind) != "optional" && this != "optional")
        {
            let related = cx.at(first.span);
            let message = format!("the field `{name}` has both `as` and `at`");
            cx.report(TYPE_MODIFIER_INVALID, modifier.span, message)
                .related(related, format!("`{}` stands here", word(&first.kind)))
                .help("`as` says what the field is called, `at` where it is read instead: keep one of them");
        } else if let ModifierKind::At(pointer) = &modifier.kind {
            self::pointer(cx, name, pointer.span, &pointer.value);
        }
    }
}

fn pointer(cx: &mut Check<'_>, field: &str, span: Span, pointer: &str) {
    if pointer.is_empty() {
        cx.report(
            TYPE_VALUE_INVALID,
            span,
            format!("`at` of the field `{field}` names no place inside its object"),
        )
        .help("a JSON Pointer such as \"/status/indicator\" leads to one");
    } else if let Some(problem) = json::pointer_problem(pointer) {
        let place = cx.at(span);
        let finding =
            cx.report(TYPE_VALUE_INVALID, span, format!("`at` of the field `{field}` is no JSON Pointer"));
        finding.help(problem);
        if !pointer.starts_with('/') && json::pointer_problem(&format!("/{pointer}")).is_none() {
            finding.fix(
                format!("write \"/{pointer}\""),
                place,
                format!("\"/{}\"", pointer.replace('"', "\\\"")),
            );
        }
    }
}

/// Two fields of one object with one name on the wire.
fn wire_duplicates(cx: &mut Check<'_>, fields: &[Field], doubled: &HashSet<Span>) {
    let cases = cases(cx.db, cx.scope);
    let signature = type_signature(cx.db, cx.decl);
    let mut first: HashMap<String, &Field> = HashMap::new();
    for (field, signed) in fields.iter().zip(signature.fields()) {
        // A name in another case is about to be repaired, and its name on the wire with it.
        let unsure = signed.named.is_none() && !Case::LowerSnake.holds(&signed.name);
        if signed.at.is_some() || unsure || doubled.contains(&field.name.span) {
            continue;
        }
        let wire = wire_names::field(cases, signed);
        let known = *first.entry(wire.clone()).or_insert(field);
        if known.span != field.span {
            let related = cx.at(wire_span(known));
            let message = format!(
                "`{}` and `{}` are both called {wire:?} on the wire",
                known.name.text, field.name.text
            );
            cx.report(TYPE_WIRE_NAME_DUPLICATE, wire_span(field), message).related(related, "the other one");
        }
    }
}

/// Where a field's name on the wire comes from.
fn wire_span(field: &Field) -> Span {
    let named = field.modifiers.iter().find_map(|modifier| match &modifier.kind {
        ModifierKind::As(name) => Some(name.span),
        _ => None,
    });
    named.unwrap_or(field.name.span)
}
