//! Connections that code may call.

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Keyword, Name, Value};

use super::{Check, connection};
use crate::db::Db;
use crate::diagnostics::codes::app;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::names;
use crate::signature::{is_broken, package_name};
use crate::{unread, values};

/// The connection that an element of `uses:` names is there and has something to call; `also` is a word that may
/// stand in its place.
pub fn connection(cx: &mut Check<'_>, name: &Name, span: Span, also: Option<&'static str>) {
    let db = cx.db;
    if let Some(decl) = connection::named(cx, name, also)
        && let Some(package) = package_name(db, decl)
        && let Some(scope) = names::package(db, cx.project, package)
        && let Some(provider) = nothing_callable(db, scope)
    {
        let message =
            format!("`{}` has nothing to call: package `{package}` has no public operation", name.text);
        note(cx, span, message, &[provider]);
    }
}

/// Where the elements of a list stand; the value that stands alone counts as one.
pub fn named<'a>(fields: Fields<'a>, key: &str) -> impl Iterator<Item = (&'a Name, Span)> {
    let read = |value: &'a Value| Some((values::bare_name(value)?, value.span));
    fields.elements(key).iter().filter_map(read)
}

/// The provider of a package that has no public operation.
pub fn nothing_callable(db: &dyn Db, package: Scope) -> Option<DeclSrc<'_>> {
    if may_be_called(db, package) { None } else { names::owner(db, package) }
}

/// Whether a package has a public operation, or one that can't be read.
#[salsa::tracked(returns(copy))]
fn may_be_called(db: &dyn Db, package: Scope) -> bool {
    unread::has_declaration(db, package)
        || names::declared(db, package, Keyword::Operation).any(|decl| decl.public(db) || is_broken(db, decl))
}

pub fn note<'db>(cx: &mut Check<'db>, span: Span, message: String, providers: &[DeclSrc<'db>]) {
    let places: Vec<_> = providers.iter().map(|provider| names::name_place(cx.db, *provider)).collect();
    let finding = cx.report(app::USES_NOTHING_CALLABLE, span, message);
    for place in places {
        finding.related(place, "its operations are for its own polls");
    }
    finding
        .label("changes nothing")
        .help("leave it out of `uses`, or make an operation of the package `public`");
}
