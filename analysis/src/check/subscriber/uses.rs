//! A subscriber's `uses:`: the connections that its code may call.

use jadpo_syntax::Span;
use jadpo_syntax::tree::Keyword;

use super::heard::named;
use super::{Heard, ORIGIN};
use crate::check::{Check, connection};
use crate::db::Db;
use crate::diagnostics::codes::app;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::names;
use crate::prose;
use crate::signature::{is_broken, package_name};
use crate::unread;

/// Each is a connection with something to call.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>, heard: &Heard<'_>) {
    for (name, span) in named(fields, "uses") {
        if &*name.text == ORIGIN {
            origin(cx, span, heard);
            continue;
        }
        let db = cx.db;
        let Some(decl) = connection::named(cx, name, Some(ORIGIN)) else { continue };
        if let Some(package) = package_name(db, decl)
            && let Some(scope) = names::package(db, cx.project, package)
            && let Some(provider) = nothing_callable(db, scope)
        {
            let message =
                format!("`{}` has nothing to call: package `{package}` has no public operation", name.text);
            note(cx, span, message, &[provider]);
        }
    }
}

/// `origin` is the connection that an event came through, so one must come through a connection.
fn origin(cx: &mut Check<'_>, span: Span, heard: &Heard<'_>) {
    let db = cx.db;
    if heard.unclear {
        return;
    }
    if heard.packages.is_empty() {
        let message =
            "`origin` is the connection that an event came through, and none of `on` comes through one";
        cx.report(app::SUBSCRIBER_VALUE_INVALID, span, message)
            .label("comes through none")
            .help("name a connection, or leave `origin` out");
        return;
    }
    let scopes = heard.packages.iter().map(|(package, _)| names::package(db, cx.project, package));
    let providers: Option<Vec<_>> = scopes.map(|scope| nothing_callable(db, scope?)).collect();
    if let Some(providers) = providers {
        let packages = prose::list(heard.packages.iter().map(|(package, _)| *package));
        let (noun, verb) = if heard.packages.len() == 1 { ("package", "has") } else { ("packages", "have") };
        let message = format!("`origin` has nothing to call: {noun} {packages} {verb} no public operation");
        note(cx, span, message, &providers);
    }
}

/// The provider of a package that has no public operation.
fn nothing_callable(db: &dyn Db, package: Scope) -> Option<DeclSrc<'_>> {
    if may_be_called(db, package) { None } else { names::owner(db, package) }
}

/// Whether a package has a public operation, or one that can't be read.
#[salsa::tracked(returns(copy))]
fn may_be_called(db: &dyn Db, package: Scope) -> bool {
    unread::has_declaration(db, package)
        || names::declared(db, package, Keyword::Operation).any(|decl| decl.public(db) || is_broken(db, decl))
}

fn note<'db>(cx: &mut Check<'db>, span: Span, message: String, providers: &[DeclSrc<'db>]) {
    let places: Vec<_> = providers.iter().map(|provider| names::name_place(cx.db, *provider)).collect();
    let finding = cx.report(app::USES_NOTHING_CALLABLE, span, message);
    for place in places {
        finding.related(place, "its operations are for its own polls");
    }
    finding
        .label("changes nothing")
        .help("leave it out of `uses`, or make an operation of the package `public`");
}
