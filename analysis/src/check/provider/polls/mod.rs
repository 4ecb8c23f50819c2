//! Rules of `polls:`: a call that depends on nothing, an interval that can be kept, an event that the answer fills.

mod emitted;

use jadpo_syntax::tree::{Entry, Keyword, Name, ValueKind};

use crate::check::intervals::Interval;
use crate::check::{Check, declared};
use crate::diagnostics::codes::package::PACKAGE_PROVIDER_INVALID;
use crate::items::DeclSrc;
use crate::keys::{Fields, POLL};
use crate::model::Type;
use crate::names::{self, Case};
use crate::resolve::{self, Kind, Resolved};
use crate::signature::{OperationSignature, operation_signature, provider_signature, type_text};
use crate::worst_case::WorstCall;

/// Why a poll's call takes no input.
const READS_A_FEED: &str = "a poll reads a feed that doesn't depend on the app's data; checking each record is the \
                            app's schedule calling the package";

/// Checks each of a provider's polls.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    for entry in fields.open_entries("polls") {
        let name = Name { text: entry.key.text.clone(), span: entry.key.span };
        if entry.key.quoted {
            let place = cx.at(entry.key.span);
            cx.report(
                PACKAGE_PROVIDER_INVALID,
                entry.key.span,
                format!("the poll `{}` is a name", name.text),
            )
            .fix("write it without quotes", place, name.text);
        } else {
            declared::case(cx, Case::LowerSnake, &name, "poll");
        }
        poll(cx, entry);
    }
}

fn poll(cx: &mut Check<'_>, entry: &Entry) {
    let Some(ValueKind::Block(block)) = entry.value.as_ref().map(|value| &value.kind) else { return };
    let fields = Fields::new(block, &POLL);
    let operation = fields.name("call").and_then(|call| called(cx, call));
    let answer = match (operation, fields.name("call")) {
        (Some((decl, operation)), Some(call)) => pollable(cx, call, decl, operation),
        _ => None,
    };
    if let Some((_, operation)) = operation {
        interval(cx, entry, fields, operation);
    }
    if let Some(emits) = fields.name("emits") {
        emitted::check(cx, emits, answer);
    }
}

/// The operation that `call:` names.
fn called<'db>(cx: &mut Check<'db>, call: &Name) -> Option<(DeclSrc<'db>, &'db OperationSignature)> {
    let decl = cx.named(Keyword::Operation, call, PACKAGE_PROVIDER_INVALID)?;
    Some((decl, operation_signature(cx.db, decl)?))
}

/// The object that a poll of this operation reads, or a report of why it can't be polled.
fn pollable<'db>(
    cx: &mut Check<'db>,
    call: &Name,
    decl: DeclSrc<'db>,
    operation: &OperationSignature,
) -> Option<DeclSrc<'db>> {
    let db = cx.db;
    let output = operation.output.as_ref();
    let resolved = output.and_then(|output| resolve::kind(db, cx.scope, output));
    let (key, why, help) = if operation.has_input {
        ("input", "takes an `input:`".to_owned(), READS_A_FEED)
    } else if operation.changes {
        let key = if operation.says_changes { "changes" } else { "method" };
        let why = match operation.method {
            Some(method) if !operation.says_changes => {
                format!("is a {method}, which changes the provider's data unless it says `changes: false`")
            }
            _ => "changes the provider's data".to_owned(),
        };
        (key, why, "a poll is repeated for ever, so it only reads")
    } else if operation.has_decode {
        ("decode", "is decoded by the app's code".to_owned(), "a poll's answer is read by its type alone")
    } else if operation.method == Some("HEAD") {
        (
            "method",
            "is a HEAD, whose answer has no body".to_owned(),
            "a poll compares the fields of an answer",
        )
    } else if !operation.has_output && operation.unsure {
        return None;
    } else if !operation.has_output {
        ("output", "has no `output:`".to_owned(), "a poll compares the fields of an answer")
    } else {
        match (resolved, output) {
            (Some(Resolved { nullable: false, kind: Kind::Object(object) }), _) => return Some(object),
            (Some(resolved), Some(output)) => {
                let ty = type_text(output);
                let why = match resolved.kind {
                    _ if resolved.nullable => format!("gives `{ty}`, which may be null"),
                    Kind::Scalar(_) if !matches!(output, Type::Named(_)) => {
                        format!("gives `{ty}`, no Object")
                    }
                    kind => format!("gives `{ty}`, which is {}", kind.text()),
                };
                ("output", why, "a poll's answer is an Object, whose fields make the event")
            }
            _ => return None,
        }
    };
    let place = names::key_place(db, decl, &[key]);
    cx.report(PACKAGE_PROVIDER_INVALID, call.span, format!("`{}` can't be polled: it {why}", call.text))
        .related(place, format!("`{}` is declared so here", call.text))
        .help(help);
    None
}

/// The interval is longer than the call takes at worst.
fn interval(cx: &mut Check<'_>, entry: &Entry, fields: Fields<'_>, operation: &OperationSignature) {
    let provider = provider_signature(cx.db, cx.scope);
    let timeout_ms = operation.timeout_ms.or(provider.timeout_ms);
    if let (Some(every_ms), Some(retry), Some(timeout_ms)) =
        (fields.duration_ms("every"), provider.retry, timeout_ms)
        && fields.entry("every").is_some()
    {
        let worst = WorstCall { retry, timeout_ms };
        Interval { poll: &entry.key.text, key: "every", ms: every_ms }.outlasted(
            cx,
            fields.span("every"),
            worst,
        );
    }
}
