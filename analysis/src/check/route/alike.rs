//! Routes that answer the same requests.

use std::collections::HashMap;

use jadpo_syntax::tree::Keyword;

use crate::check::Check;
use crate::db::Db;
use crate::diagnostics::codes::deferred::ROUTE_VALUE_INVALID;
use crate::inputs::Scope;
use crate::items::{DeclSrc, Name};
use crate::keys::Fields;
use crate::model::Segment;
use crate::names;
use crate::signature::route_signature;

/// No route before it has its method and the shape of its path.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some(first) = same_requests(cx.db, cx.decl) else { return };
    let place = names::key_place(cx.db, first, &["path"]);
    let message =
        format!("`{}` answers the same requests as `{}`", cx.decl.name_text(cx.db), first.name_text(cx.db));
    cx.report(ROUTE_VALUE_INVALID, fields.span("path"), message)
        .related(place, "the same method and the same shape of path")
        .help("what tells two paths of a method apart is their text and where their holes stand");
}

/// The first route of each method and shape of path.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
struct First<'db> {
    by_shape: HashMap<Name<'db>, DeclSrc<'db>>,
}

/// The route that answers the requests of this one, if it isn't the first.
#[salsa::tracked(returns(copy))]
fn same_requests<'db>(db: &'db dyn Db, route: DeclSrc<'db>) -> Option<DeclSrc<'db>> {
    let shape = Name::new(db, shape(db, route)?);
    first_routes(db, route.scope(db)).by_shape.get(&shape).copied().filter(|first| *first != route)
}

#[salsa::tracked]
fn first_routes(db: &dyn Db, app: Scope) -> First<'_> {
    let mut first = First::default();
    for route in names::declared(db, app, Keyword::Route) {
        if let Some(shape) = shape(db, route) {
            first.by_shape.entry(Name::new(db, shape)).or_insert(route);
        }
    }
    first
}

/// A route's method and path, each hole as `{}`.
fn shape(db: &dyn Db, route: DeclSrc<'_>) -> Option<String> {
    let signature = route_signature(db, route);
    let mut shape = signature.method?.to_owned();
    for segment in signature.path.as_ref()? {
        shape += "/";
        shape += match segment {
            Segment::Text(text) => text,
            Segment::Input(_) => "{}",
        };
    }
    Some(shape)
}
