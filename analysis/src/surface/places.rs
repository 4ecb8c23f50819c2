//! Where in manifests, and in the text of a surface, what a change is about stands. For reports only.

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Body, Keyword, TypeBody};

use super::json::locate;
use super::spot::Spot;
use crate::db::Db;
use crate::diagnostics::Place;
use crate::inputs::Scope;
use crate::items::{DeclSrc, parse};
use crate::names;

/// Where a spot stands in the manifests of a package.
pub fn in_manifest<'db>(db: &'db dyn Db, scope: Scope, spot: &Spot) -> Option<Place<'db>> {
    let owner = || names::owner(db, scope);
    let provider = |path: &[&str]| owner().map(|owner| names::key_place(db, owner, path));
    let operation = |name: &str, path: &[&str]| {
        let decl = names::find(db, scope, Keyword::Operation, name)?;
        Some(names::key_place(db, decl, path))
    };
    let ty = |name: &str| names::find(db, scope, Keyword::Type, name);
    match spot {
        Spot::Package(_) => owner().map(|owner| names::name_place(db, owner)),
        Spot::Auth => provider(&["auth"]),
        Spot::MaxConcurrent => provider(&["max_concurrent"]),
        Spot::Poll(name) => provider(&["polls", name]),
        Spot::Setting(name) => provider(&["settings", name]),
        Spot::Operation(name) => operation(name, &[]),
        Spot::Decode(name) => operation(name, &["decode"]),
        Spot::Input(name) => operation(name, &["input"]),
        Spot::Output(name) => operation(name, &["output"]),
        Spot::Type(name) => ty(name).map(|decl| names::name_place(db, decl)),
        Spot::Field { of, name } | Spot::Variant { of, name } => ty(of).map(|decl| member(db, decl, name)),
    }
}

/// Where a field or a variant of a type stands; the type's name, where it has none of this name.
fn member<'db>(db: &'db dyn Db, decl: DeclSrc<'db>, name: &str) -> Place<'db> {
    let span = match parse(db, decl).declaration.as_ref().map(|declaration| &declaration.body) {
        Some(Body::Type(TypeBody::Object(fields) | TypeBody::Event { fields, .. })) => {
            fields.iter().find(|field| &*field.name.text == name).map(|field| field.name.span)
        }
        Some(Body::Type(TypeBody::Enum(variants))) => {
            variants.iter().find(|variant| &*variant.name.text == name).map(|variant| variant.name.span)
        }
        _ => None,
    };
    span.map_or_else(|| names::name_place(db, decl), |span| Place::in_decl(decl, span))
}

/// Where a spot stands in the text of a surface.
pub fn in_json(text: &str, spot: &Spot) -> Span {
    let found = locate(text, &spot.keys()).or_else(|| match spot {
        Spot::Variant { of, .. } => {
            locate(text, &["types", of, "surface", "other"]).or_else(|| locate(text, &["types", of]))
        }
        Spot::Field { of, .. } => locate(text, &["types", of]),
        _ => None,
    });
    let range = found.unwrap_or(0..0);
    let at = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    Span::new(at(range.start), at(range.end))
}
