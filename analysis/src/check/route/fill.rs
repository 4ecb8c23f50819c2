//! What the query must fill, since the requests of a method have no body.

use super::Given;
use crate::check::{Check, places};
use crate::db::Db;
use crate::diagnostics::codes::deferred::ROUTE_VALUE_INVALID;
use crate::inputs::Scope;
use crate::keys::Fields;
use crate::resolve::{self, Kind};
use crate::signature::{FieldSignature, type_text};

/// Each field that a request must give stands in the path, or can stand in a query.
pub fn check<'db>(cx: &mut Check<'db>, fields: Fields<'_>, given: Given<'db>, in_path: Option<&[Box<str>]>) {
    let (Some(method @ ("GET" | "HEAD" | "DELETE")), Given::Object(decl, declared), Some(in_path)) =
        (fields.word("method"), given, in_path)
    else {
        return;
    };
    let (db, home) = (cx.db, decl.scope(cx.db));
    let unfilled =
        |field: &&FieldSignature| !in_path.contains(&field.name) && !may_be_in_query(db, home, field);
    let Some(field) = declared.iter().find(unfilled) else { return };
    let Some(ty) = &field.ty else { return };
    let span = fields.span("method");
    let (field_place, method_place) = (places::field_place(db, decl, &field.name), cx.at(span));
    let message =
        format!("a {method} has no body, and no query can give `{}` of `{}`", field.name, decl.name_text(db));
    cx.report(ROUTE_VALUE_INVALID, span, message)
        .related(field_place, format!("it is `{}`", type_text(ty)))
        .help("a query gives scalars and lists of them, and what may be left out")
        .suggest("write `POST`", method_place, "POST");
}

/// Whether a query can give a field, or may leave it out.
fn may_be_in_query(db: &dyn Db, home: Scope, field: &FieldSignature) -> bool {
    let Some(resolved) = field.ty.as_ref().and_then(|ty| resolve::kind(db, home, ty)) else { return true };
    let is_scalar = |kind: &Kind<'_>| matches!(kind, Kind::Scalar(_) | Kind::Enum(_));
    field.optional
        || resolved.nullable
        || match &resolved.kind {
            Kind::List(scope, item) => {
                let item = resolve::kind(db, *scope, item);
                item.is_none_or(|item| !item.nullable && is_scalar(&item.kind))
            }
            kind => is_scalar(kind),
        }
}
