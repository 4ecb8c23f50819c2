//! Rules of Enums: variants that can be told apart, all sent as text or all as integers.

use std::collections::{HashMap, HashSet};

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Declaration, Number, NumberLit, Variant, VariantWire};

use super::object::duplicate_names;
use crate::check::{Check, declared};
use crate::diagnostics::codes::package::{TYPE_VALUE_INVALID, TYPE_WIRE_NAME_DUPLICATE};
use crate::model;
use crate::names::Case;
use crate::signature::{TypeSignature, cases, type_signature};
use crate::wire_names;

/// Checks the variants of an Enum.
pub fn check(cx: &mut Check<'_>, declaration: &Declaration, variants: &[Variant]) {
    if variants.is_empty() && !cx.broken {
        let name = declaration.name.as_ref();
        let span = name.map_or(declaration.keyword_span, |name| name.span);
        let text = name.map(|name| format!(" `{}`", name.text)).unwrap_or_default();
        cx.report(TYPE_VALUE_INVALID, span, format!("the Enum{text} has no variant, so it has no value"));
        return;
    }
    for variant in variants {
        declared::case(cx, Case::LowerSnake, &variant.name, "variant");
        if let Some(VariantWire::Number(number)) = &variant.wire {
            self::number(cx, variant, number);
        }
    }
    let doubled = duplicate_names(cx, "variant", variants.iter().map(|variant| &variant.name));
    one_other(cx, variants);
    one_sort(cx, variants);
    wire_duplicates(cx, variants, &doubled);
}

fn number(cx: &mut Check<'_>, variant: &Variant, number: &NumberLit) {
    let message = match number.number {
        Number::Invalid => return,
        Number::Int(int) if i64::try_from(int).is_ok() => return,
        Number::Int(_) => format!("`{}` is sent as an integer of at most 64 bits", variant.name.text),
        _ => format!("`{}` is sent as a string or an integer, not as `{}`", variant.name.text, number.text),
    };
    cx.report(TYPE_VALUE_INVALID, number.span, message);
}

/// At most one variant keeps what no other has.
fn one_other(cx: &mut Check<'_>, variants: &[Variant]) {
    let mut others = variants.iter().filter_map(|variant| match variant.wire {
        Some(VariantWire::Other(span)) => Some((variant, span)),
        _ => None,
    });
    let Some((first, first_span)) = others.next() else { return };
    for (variant, span) in others {
        let related = cx.at(first_span);
        let message =
            format!("`{}` is the catch-all already, so `{}` can't be", first.name.text, variant.name.text);
        cx.report(TYPE_VALUE_INVALID, span, message).related(related, "the first catch-all");
    }
}

/// All variants are text or all are integers; the first that differs is reported.
fn one_sort(cx: &mut Check<'_>, variants: &[Variant]) {
    let is_number = |variant: &&Variant| matches!(variant.wire, Some(VariantWire::Number(_)));
    let sorted = |variant: &&Variant| match &variant.wire {
        Some(VariantWire::Other(_)) => false,
        Some(VariantWire::Number(number)) => matches!(number.number, Number::Int(_)),
        Some(VariantWire::Text(_)) | None => true,
    };
    let mut sent = variants.iter().filter(sorted);
    let Some(first) = sent.next() else { return };
    let first_is_number = is_number(&first);
    let Some(other) = sent.find(|variant| is_number(variant) != first_is_number) else { return };
    let sort = |number: bool| if number { "an integer" } else { "text" };
    let related = cx.at(sent_span(first));
    let message = format!(
        "`{}` is sent as {}, but `{}` as {}",
        other.name.text,
        sort(!first_is_number),
        first.name.text,
        sort(first_is_number)
    );
    let related_message = format!("sent as {}", sort(first_is_number));
    cx.report(TYPE_VALUE_INVALID, sent_span(other), message)
        .related(related, related_message)
        .help("the variants of an Enum are all text or all integers");
}

fn wire_duplicates(cx: &mut Check<'_>, variants: &[Variant], doubled: &HashSet<Span>) {
    let TypeSignature::Enum(signed) = type_signature(cx.db, cx.decl) else { return };
    let cases = cases(cx.db, cx.scope);
    let mut first: HashMap<String, &Variant> = HashMap::new();
    for (variant, signed) in variants.iter().zip(signed) {
        let wire = match wire_names::variant(cases, signed) {
            Some(model::VariantWire::Text(text)) => format!("{text:?}"),
            Some(model::VariantWire::Int(int)) => int.to_string(),
            Some(model::VariantWire::Other) | None => continue,
        };
        let unsure = signed.wire.is_none() && !Case::LowerSnake.holds(&signed.name);
        if unsure || doubled.contains(&variant.name.span) {
            continue;
        }
        let known = *first.entry(wire.clone()).or_insert(variant);
        if known.span != variant.span {
            let related = cx.at(sent_span(known));
            let message =
                format!("`{}` and `{}` are both sent as {wire}", known.name.text, variant.name.text);
            cx.report(TYPE_WIRE_NAME_DUPLICATE, sent_span(variant), message)
                .related(related, "the other one");
        }
    }
}

/// Where what a variant is sent as comes from.
fn sent_span(variant: &Variant) -> Span {
    match &variant.wire {
        Some(VariantWire::Text(text)) => text.span,
        Some(VariantWire::Number(number)) => number.span,
        _ => variant.name.span,
    }
}
