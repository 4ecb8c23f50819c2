//! Rules of what is read of an answer: `output:`, `at:` and `decode:`.

use jadpo_syntax::tree::{Name, ValueKind};

use crate::check::types::type_use::{self, Place};
use crate::check::{Check, declared};
use crate::diagnostics::codes::package::PACKAGE_OPERATION_INVALID;
use crate::json;
use crate::keys::Fields;
use crate::names::{self, Case};
use crate::resolve;
use crate::shared_names::same_decoder;
use crate::signature::{operation_signature, type_text};

/// Checks what is read of an answer.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    if let Some(ValueKind::Type(expr, block)) = fields.value("output").map(|value| &value.kind) {
        type_use::check(cx, expr, block.as_ref(), Place::Value);
    }
    if let Some(name) = fields.name("decode") {
        declared::case(cx, Case::LowerSnake, name, "function");
        one_output(cx, name);
    }
    at(cx, fields);
    together(cx, fields);
}

/// A function that decodes the answers of several operations makes one type of all.
fn one_output(cx: &mut Check<'_>, name: &Name) {
    let (db, scope) = (cx.db, cx.scope);
    let Some(first) = same_decoder(db, cx.decl) else { return };
    let output = |decl| operation_signature(db, decl).and_then(|operation| operation.output.as_ref());
    let (Some(own), Some(other)) = (output(cx.decl), output(first)) else { return };
    let comparable = |ty| resolve::is_comparable(db, scope, ty);
    if !comparable(own) || !comparable(other) || resolve::same(db, scope, own, other) {
        return;
    }
    let place = names::key_place(db, first, &["decode"]);
    let (function, first) = (&name.text, first.name_text(db));
    let (own, other) = (type_text(own), type_text(other));
    let message = format!("`{function}` gives `{other}` for `{first}`, so it can't give `{own}` here");
    cx.report(PACKAGE_OPERATION_INVALID, name.span, message)
        .related(place, format!("it decodes the answer to `{first}`"))
        .help("name another function, which the app's code then has beside it");
}

fn at(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some(at) = fields.text("at") else { return };
    let Some(problem) = json::pointer_problem(&at.value) else { return };
    let place = cx.at(at.span);
    let finding = cx.report(PACKAGE_OPERATION_INVALID, at.span, format!("{:?} is no JSON Pointer", at.value));
    finding.help(problem);
    let slashed = format!("/{}", at.value);
    if json::pointer_problem(&slashed).is_none() && !at.value.contains(['"', '\\']) {
        finding.fix(format!("write \"{slashed}\""), place, format!("\"{slashed}\""));
    }
}

/// Keys that say something of an output need one, and an answer to a HEAD has no body to read one from.
fn together(cx: &mut Check<'_>, fields: Fields<'_>) {
    let given = |key: &str| fields.entry(key).map(|entry| entry.key.span);
    let (output, decode, at) = (given("output"), given("decode"), given("at"));
    let head = fields.word("method") == Some("HEAD");
    match (output, decode, at) {
        _ if cx.broken || fields.has_unknown_key() => {}
        (None, Some(decode), _) => {
            cx.report(
                PACKAGE_OPERATION_INVALID,
                decode,
                "`decode` needs an `output:`, which is what it makes of an answer",
            );
        }
        (None, None, Some(at)) => {
            cx.report(
                PACKAGE_OPERATION_INVALID,
                at,
                "`at` says where the `output:` stands, and there is none",
            );
        }
        (Some(_), Some(decode), Some(at)) => {
            let related = cx.at(decode);
            cx.report(
                PACKAGE_OPERATION_INVALID,
                at,
                "`at` says nothing where `decode` reads the whole answer",
            )
            .related(related, "the app's code reads the answer");
        }
        (Some(output), None, _) if head => {
            cx.report(
                PACKAGE_OPERATION_INVALID,
                output,
                "the answer to a HEAD has no body, so nothing is read of it",
            )
            .help("leave `output:` out, or let the app's code read the headers with `decode:`");
        }
        _ => {}
    }
}
