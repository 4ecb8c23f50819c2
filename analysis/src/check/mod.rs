//! The rules: a table of contents. Each block's rules stand in the file of its name.

pub mod action;
mod app;
pub mod backfill;
pub mod batch;
pub mod connection;
mod context;
mod declared;
pub mod deployable;
mod environment;
mod events;
mod files;
mod forms;
mod headers;
mod intervals;
mod objects;
pub mod operation;
mod overshadowed;
mod places;
pub mod provider;
pub mod route;
pub mod schedule;
mod scope;
pub mod sent;
pub mod store;
pub mod subscriber;
mod syntax;
pub mod templates;
pub mod types;
mod uses;
mod waits;
mod written;

use jadpo_syntax::tree::{Body, Declaration, Keyword};

use crate::db::Db;
use crate::diagnostics::{Anchor, Diagnostic, Finding};
use crate::inputs::{Scope, SourceFile};
use crate::items::{DeclSrc, file_items, parse};
use crate::keys::{self, Fields};
use crate::names;
use crate::surface;

pub use context::Check;
pub use files::{directory_diagnostics, project_diagnostics};
pub use syntax::syntax_diagnostics;

/// What is wrong with one declaration. Its places are relative, so moving it re-runs nothing.
#[salsa::tracked(returns(deref))]
pub fn check<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Vec<Finding<'db>> {
    let parsed = parse(db, decl);
    let mut cx = Check::new(db, decl, &parsed.problems);
    if let Some(declaration) = &parsed.declaration
        && declared::stands_right(&mut cx, declaration)
    {
        declared::name(&mut cx, declaration);
        block(&mut cx, declaration);
    }
    let declaration = parsed.declaration.as_ref().filter(|_| cx.broken);
    let overshadowed = declaration.map(|it| overshadowed::ranges(decl.text(db), it, &parsed.problems));
    cx.finish(&overshadowed.unwrap_or_default())
}

/// The rules of a declaration's body: first the form of each key's value, then what the keys mean together.
fn block<'db>(cx: &mut Check<'db>, declaration: &'db Declaration) {
    if let Body::Type(body) = &declaration.body {
        return types::check(cx, declaration, body);
    }
    let (Body::Block(block), Some(table)) = (&declaration.body, keys::table(declaration.keyword)) else {
        return;
    };
    let fields = Fields::new(block, table);
    let head = declaration.name.as_ref().map_or(declaration.keyword_span, |name| name.span);
    forms::block(cx, fields, head);
    match declaration.keyword {
        Keyword::App => app::check(cx, fields),
        Keyword::Operation => operation::check(cx, fields),
        Keyword::Provider => provider::check(cx, fields),
        Keyword::Store => store::check(cx, fields),
        Keyword::Connection => connection::check(cx, fields),
        Keyword::Subscriber => subscriber::check(cx, fields),
        Keyword::Deployable => deployable::check(cx, fields),
        Keyword::Action => action::check(cx, fields),
        Keyword::Route => route::check(cx, fields),
        Keyword::Schedule => schedule::check(cx, fields),
        Keyword::Batch => batch::check(cx, fields),
        Keyword::Backfill => backfill::check(cx, fields),
        Keyword::Type => {}
    }
}

/// Whether nothing in a namespace is an error, so that it means what it says. What it says of its accepted surface
/// doesn't count.
#[salsa::tracked(returns(copy))]
pub fn is_sound(db: &dyn Db, scope: Scope) -> bool {
    scope.files(db).iter().all(|file| {
        let items = file_items(db, *file);
        files::unread(db, *file).is_none()
            && items.problems.is_empty()
            && !scope::findings(db, *file).iter().any(Finding::is_error)
            && !items.decls.iter().any(|decl| check(db, *decl).iter().any(Finding::is_error))
    })
}

/// What a check says of one file, wherever it was found: what changed since the surface of a package was accepted is found
/// in the file of its `provider`, and shown where it was declared.
pub fn shown_in(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let scope = file.scope(db);
    let says = |other: &SourceFile| {
        *other == file || scope.accepted(db).is_some() && names::is_owner_file(db, scope, other.path(db))
    };
    let found = scope.files(db).iter().copied().filter(says).flat_map(|other| file_diagnostics(db, other));
    found.filter(|diagnostic| diagnostic.file == *file.path(db)).cloned().collect()
}

/// Everything wrong in a file, in the order of the file. Nothing else reads where declarations stand.
#[salsa::tracked(returns(deref))]
pub fn file_diagnostics(db: &dyn Db, file: SourceFile) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    found.extend(files::unread(db, file).map(|finding| finding.resolve(db)));
    let items = file_items(db, file);
    let between = items.problems.iter().map(|problem| Finding::of_problem(problem, Anchor::File(file)));
    found.extend(between.map(|finding| finding.resolve(db)));
    found.extend(scope::findings(db, file).iter().map(|finding| finding.resolve(db)));
    for decl in &items.decls {
        found.extend(check(db, *decl).iter().map(|finding| finding.resolve(db)));
    }
    found.extend(surface::findings(db, file).iter().map(|finding| finding.resolve(db)));
    found.sort_by_key(|diagnostic| (diagnostic.range.start.offset, diagnostic.range.end.offset));
    found
}
