//! Rules of `input:`: an Object that can be written, and whose every field is sent.

use jadpo_syntax::tree::{Keyword, Name};

use crate::check::templates::{Input, Used, input_object};
use crate::check::{Check, places};
use crate::diagnostics::codes::package::{PACKAGE_OPERATION_INVALID, TYPE_UNKNOWN};
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::{Type, TypeRef};
use crate::names::{self, BUILTIN_TYPES};
use crate::nearest::nearest;
use crate::prose;
use crate::resolve;
use crate::signature::{TypeSignature, type_signature};
use crate::type_graph::type_facts;

/// Checks `input:` and gives what `input.` means.
pub fn check<'db>(cx: &mut Check<'db>, fields: Fields<'_>) -> Input<'db> {
    let name = fields.name("input");
    let given = fields.entry("input").is_some() || fields.has_unknown_key() || cx.broken;
    let input = input_object(cx, name.map(|name| &*name.text), given);
    let Some(name) = name else { return input };
    match input {
        Input::Object(decl, _) => writable(cx, name, decl),
        _ => no_object(cx, name),
    }
    input
}

fn no_object(cx: &mut Check<'_>, name: &Name) {
    let (db, scope) = (cx.db, cx.scope);
    let objects = || {
        let types = names::declared(db, scope, Keyword::Type);
        types.filter(|decl| matches!(type_signature(db, *decl), TypeSignature::Object(_)))
    };
    let Some(decl) = names::find(db, scope, Keyword::Type, &name.text) else {
        if BUILTIN_TYPES.contains(&&*name.text) {
            cx.report(
                PACKAGE_OPERATION_INVALID,
                name.span,
                format!("`input` takes an Object, not `{}`", name.text),
            )
            .help("declare an Object with a field for each value that the caller gives");
            return;
        }
        if !names::is_missing(db, scope, Keyword::Type, &name.text) {
            return;
        }
        let meant = nearest(&name.text, objects().map(|decl| decl.name_text(db)));
        cx.report(TYPE_UNKNOWN, name.span, format!("there is no type `{}`", name.text)).nearest(meant);
        return;
    };
    let ty = Type::Named(TypeRef { package: None, name: name.text.to_string() });
    let Some(resolved) = resolve::kind(db, scope, &ty) else { return };
    let what =
        if resolved.nullable { "may be null".to_owned() } else { format!("is {}", resolved.kind.text()) };
    let place = names::name_place(db, decl);
    cx.report(
        PACKAGE_OPERATION_INVALID,
        name.span,
        format!("`input` takes an Object, and `{}` {what}", name.text),
    )
    .related(place, "declared here");
}

/// A type that is read by pointers can't be written.
fn writable<'db>(cx: &mut Check<'db>, name: &Name, decl: DeclSrc<'db>) {
    let db = cx.db;
    let Some(reads) = type_facts(db, decl).read_only else { return };
    let field = type_signature(db, reads).fields().iter().find(|field| field.at.is_some());
    let place = match field {
        Some(field) => places::field_place(db, reads, &field.name),
        None => names::name_place(db, reads),
    };
    let message = if reads == decl {
        format!("`{}` can only be read, so it is no input", name.text)
    } else {
        format!("`{}` holds `{}`, which can only be read, so it is no input", name.text, reads.name_text(db))
    };
    cx.report(PACKAGE_OPERATION_INVALID, name.span, message)
        .related(place, "read by `at`")
        .help("`at` says where a field is read in an answer; nothing says how it would be written");
}

/// A GET or HEAD has no body, so each field of its input stands in path, query or headers.
pub fn leftover<'db>(cx: &mut Check<'db>, fields: Fields<'_>, input: Input<'db>, used: &Used) {
    let (Some(method @ ("GET" | "HEAD")), Input::Object(decl, declared)) = (fields.word("method"), input)
    else {
        return;
    };
    if used.misses || cx.broken {
        return;
    }
    let unused: Vec<_> =
        declared.iter().filter(|field| !used.fields.iter().any(|name| **name == *field.name)).collect();
    let Some(first) = unused.first() else { return };
    let names = prose::list(unused.iter().map(|field| &*field.name));
    let verb = if unused.len() == 1 { "is" } else { "are" };
    let ty = decl.name_text(cx.db);
    let related = places::field_place(cx.db, decl, &first.name);
    let message = format!("{names} of `{ty}` {verb} in no path, query or header, and a {method} has no body");
    let help = format!(
        "write `query: {{ {0}: input.{0} }}`, or take {1} out of `{ty}`",
        first.name,
        if unused.len() == 1 { "it" } else { "them" }
    );
    cx.report(PACKAGE_OPERATION_INVALID, fields.span("input"), message)
        .related(related, format!("`{}` is declared here", first.name))
        .help(help);
}
