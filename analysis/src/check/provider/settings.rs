//! Rules of `settings:`: each is one value, and its default is one of its type.

use jadpo_syntax::tree::{Block, Entry, Name, TypeExpr, ValueKind};

use crate::check::types::type_use::{self, Place};
use crate::check::{Check, declared, sent};
use crate::diagnostics::codes::package::PACKAGE_PROVIDER_INVALID;
use crate::keys::Fields;
use crate::literal;
use crate::names::Case;
use crate::resolve::{self, Kind};
use crate::signature::{self, read_type};
use crate::values;

/// Checks each of a provider's settings.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    for entry in fields.open_entries("settings") {
        let name = Name { text: entry.key.text.clone(), span: entry.key.span };
        if entry.key.quoted {
            let place = cx.at(entry.key.span);
            cx.report(
                PACKAGE_PROVIDER_INVALID,
                entry.key.span,
                format!("the setting `{}` is a name", name.text),
            )
            .fix("write it without quotes", place, name.text);
        } else {
            declared::case(cx, Case::LowerSnake, &name, "setting");
        }
        setting(cx, fields, entry);
    }
}

fn setting(cx: &mut Check<'_>, fields: Fields<'_>, entry: &Entry) {
    let name = &entry.key.text;
    let Some(value) = &entry.value else {
        if !cx.broken {
            cx.report(PACKAGE_PROVIDER_INVALID, entry.key.span, format!("the setting `{name}` has no type"))
                .help("write a type, such as `Text` or `Secret`");
        }
        return;
    };
    let ValueKind::Type(expr, block) = &value.kind else {
        let message = format!("the setting `{name}` takes a type, not {}", values::form_of(value));
        let place = cx.at(value.span);
        let finding = cx.report(PACKAGE_PROVIDER_INVALID, value.span, message);
        if let ValueKind::String(text) = &value.kind {
            let ty = format!("Text {{ default: {:?} }}", text.value);
            finding.help("a package says the type, a connection the value").suggest(
                format!("write `{ty}`"),
                place,
                ty,
            );
        } else {
            finding.help("a package says the type, a connection the value");
        }
        return;
    };
    type_use::check(cx, expr, block.as_ref(), Place::Setting);
    let Some(ty) = read_type(expr, block.as_ref()) else { return };
    let Some(resolved) = resolve::kind(cx.db, cx.scope, &ty) else { return };
    match &resolved.kind {
        Kind::Scalar(_) | Kind::Enum(_) => default(cx, fields, name, &ty, block.as_ref()),
        Kind::Secret => no_default(cx, name, block.as_ref()),
        kind => not_one_value(cx, name, expr, &kind.text()),
    }
}

fn not_one_value(cx: &mut Check<'_>, name: &str, expr: &TypeExpr, what: &str) {
    cx.report(
        PACKAGE_PROVIDER_INVALID,
        expr.span,
        format!("the setting `{name}` is {what}, and a setting is one value"),
    )
    .help("a setting is a scalar, a type made of one, an Enum or a `Secret`");
}

fn default(
    cx: &mut Check<'_>,
    fields: Fields<'_>,
    name: &str,
    ty: &crate::model::Type,
    block: Option<&Block>,
) {
    let Some(entry) =
        block.iter().flat_map(|block| &block.entries).find(|entry| &*entry.key.text == "default")
    else {
        return;
    };
    let Some(value) = &entry.value else { return };
    match literal::canonical(cx.db, cx.scope, ty, value) {
        Some(Err(misread)) => {
            let message = misread.message(&format!("default` of `{name}"), value);
            let finding = cx.report(PACKAGE_PROVIDER_INVALID, misread.span, message);
            if let Some(meant) = misread.meant {
                finding.nearest(Some(&meant));
            }
        }
        Some(Ok(json)) => {
            if let Some(why) = sent::refused(signature::sent(fields, name), &json) {
                cx.report(PACKAGE_PROVIDER_INVALID, value.span, format!("the default of `{name}` {why}"));
            }
        }
        None => {}
    }
}

fn no_default(cx: &mut Check<'_>, name: &str, block: Option<&Block>) {
    let entry = block.iter().flat_map(|block| &block.entries).find(|entry| &*entry.key.text == "default");
    if let Some(entry) = entry {
        cx.report(
            PACKAGE_PROVIDER_INVALID,
            entry.key.span,
            format!("`{name}` is a secret, which has no default"),
        )
        .help("a secret is never written in a manifest; a connection takes it from `env(\"NAME\")`");
    }
}
