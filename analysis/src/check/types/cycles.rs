//! What a type is to the types around it: one that holds itself without end, or a private one that public ones show.

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Declaration, Keyword, TypeBody, TypeExpr};

use crate::check::Check;
use crate::diagnostics::codes::package::{PACKAGE_TYPE_PRIVATE, TYPE_RECURSIVE};
use crate::items::DeclSrc;
use crate::names;
use crate::signature::{TypeSignature, type_signature};
use crate::type_graph::{Cycle, type_facts};

/// Reports the cycles that a type closes, and a missing `public`.
pub fn check(cx: &mut Check<'_>, declaration: &Declaration, body: &TypeBody) {
    let facts = type_facts(cx.db, cx.decl);
    for cycle in &facts.cycles {
        recursive(cx, body, cycle);
    }
    if let Some(exposed_by) = facts.exposed_by {
        private(cx, declaration, exposed_by);
    }
}

fn recursive<'db>(cx: &mut Check<'db>, body: &TypeBody, cycle: &Cycle<'db>) {
    let db = cx.db;
    let Some(written) = closing(body, cycle.field) else { return };
    let Some((first, others)) = cycle.types.split_first() else { return };
    let first_name = first.name_text(db);
    let mut steps: Vec<_> = cycle.types.iter().map(|decl| format!("`{}`", decl.name_text(db))).collect();
    if cycle.left_out > 0 {
        steps.insert(steps.len() - 1, format!("{} more", cycle.left_out));
    }
    steps.push(format!("`{first_name}`"));
    let only_names = matches!(body, TypeBody::Alias(..))
        && others.iter().all(|decl| is_name(cx, *decl))
        && is_name(cx, *first);
    let message = if only_names {
        format!("`{first_name}` stands for itself: {}", steps.join(" → "))
    } else {
        format!("`{first_name}` holds itself without end: {}", steps.join(" → "))
    };
    let question = Span::empty(written.span.end);
    let (end, related) = (cx.at(question), names::name_place(db, *first));
    let is_own = *first == cx.decl;
    let finding = cx.report(TYPE_RECURSIVE, written.span, message);
    if !is_own {
        finding.related(related, format!("`{first_name}` is declared here"));
    }
    if only_names {
        finding.help("say what the name stands for");
        return;
    }
    finding.help("a `?`, `optional`, a `List` or a `Map` somewhere on the way ends it");
    if written.nullable.is_none() {
        finding.suggest(format!("write `{}?`", written.path_text()), end, "?");
    }
}

/// Whether a declaration only gives another type a name, of its own or not.
fn is_name(cx: &Check<'_>, decl: DeclSrc<'_>) -> bool {
    matches!(type_signature(cx.db, decl), TypeSignature::Alias(_) | TypeSignature::Newtype(_))
}

/// The type that closes a cycle: a field's, or what an alias stands for.
fn closing(body: &TypeBody, field: u32) -> Option<&TypeExpr> {
    match body {
        TypeBody::Object(fields) | TypeBody::Event { fields, .. } => fields.get(field as usize)?.ty.as_ref(),
        TypeBody::Alias(expr, _) => Some(expr),
        TypeBody::Enum(_) | TypeBody::Missing => None,
    }
}

/// A private type that something public names.
fn private<'db>(cx: &mut Check<'db>, declaration: &Declaration, exposed_by: DeclSrc<'db>) {
    let Some(name) = &declaration.name else { return };
    let db = cx.db;
    let by = exposed_by.name_text(db);
    let (what, where_) = if exposed_by.keyword(db) == Some(Keyword::Operation) {
        (format!("the public operation `{by}` names it"), "this operation is public")
    } else if exposed_by.public(db) {
        (format!("the public type `{by}` holds it"), "this type is public")
    } else {
        (format!("`{by}`, which apps can see, holds it"), "this type is seen through a public one")
    };
    let related = names::name_place(db, exposed_by);
    let start = cx.at(Span::empty(declaration.keyword_span.start));
    cx.report(PACKAGE_TYPE_PRIVATE, name.span, format!("`{}` is private, but {what}", name.text))
        .related(related, where_)
        .help(format!("write `public type {}`", name.text))
        .fix("make it public", start, "public ");
}
