//! Where parts of other declarations stand. For reports only: each reads the other declaration's tree.

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Body, TypeBody};

use crate::db::Db;
use crate::diagnostics::Place;
use crate::items::{DeclSrc, parse};
use crate::names;

/// Where a field of an object or an event stands, its type and modifiers included; the type's name where it has no
/// such field.
pub fn field_place<'db>(db: &'db dyn Db, decl: DeclSrc<'db>, field: &str) -> Place<'db> {
    let found = || match &parse(db, decl).declaration.as_ref()?.body {
        Body::Type(TypeBody::Object(fields) | TypeBody::Event { fields, .. }) => {
            fields.iter().find(|it| &*it.name.text == field)
        }
        _ => None,
    };
    found().map_or_else(|| names::name_place(db, decl), |field| Place::in_decl(decl, field.span))
}

/// Where the name of a field stands.
pub fn field_name_place<'db>(db: &'db dyn Db, decl: DeclSrc<'db>, field: &str) -> Option<Place<'db>> {
    match &parse(db, decl).declaration.as_ref()?.body {
        Body::Type(TypeBody::Object(fields) | TypeBody::Event { fields, .. }) => {
            let found = fields.iter().find(|it| &*it.name.text == field)?;
            Some(Place::in_decl(decl, found.name.span))
        }
        _ => None,
    }
}

/// The empty place before a declaration's keyword, where `public` would stand.
pub fn keyword_place<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Place<'db> {
    let start = parse(db, decl).declaration.as_ref().map_or(0, |declaration| declaration.keyword_span.start);
    Place::in_decl(decl, Span::empty(start))
}
