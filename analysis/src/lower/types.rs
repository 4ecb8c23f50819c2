//! The meaning of the types of a namespace without errors.

use std::collections::BTreeMap;

use jadpo_syntax::tree::{self, Body, Keyword, TypeBody};

use crate::db::Db;
use crate::inputs::{Scope, ScopeKind};
use crate::items::DeclSrc;
use crate::model::{Field, Type, TypeDef, TypeKind, TypeRef, Variant, VariantWire};
use crate::names;
use crate::resolve;
use crate::signature::{FieldSignature, TypeSignature, VariantSignature, cases, type_signature};
use crate::type_graph::type_graph;
use crate::wire_names;

/// The types of a namespace, by name.
pub fn types(db: &dyn Db, scope: Scope) -> BTreeMap<String, TypeDef> {
    let types = names::declared(db, scope, Keyword::Type);
    types.filter_map(|decl| Some((decl.name_text(db).to_owned(), type_def(db, decl)?))).collect()
}

/// A type whose names are those of a scope, with the package of each.
pub fn placed(db: &dyn Db, scope: Scope, ty: &Type) -> Type {
    let inner = |ty: &Type| Box::new(placed(db, scope, ty));
    match ty {
        Type::Named(named) => Type::Named(placed_ref(db, scope, named)),
        Type::Nullable(of) => Type::Nullable(inner(of)),
        Type::List(item, rule) => Type::List(inner(item), rule.clone()),
        Type::Map(key, value) => Type::Map(inner(key), inner(value)),
        scalar => scalar.clone(),
    }
}

/// A reference as it is written in a scope, with its package.
pub fn placed_ref(db: &dyn Db, scope: Scope, named: &TypeRef) -> TypeRef {
    let own = || match scope.kind(db) {
        ScopeKind::App => None,
        ScopeKind::Package => names::owner(db, scope).map(|owner| owner.name_text(db).to_owned()),
    };
    TypeRef { package: named.package.clone().or_else(own), name: named.name.clone() }
}

fn type_def(db: &dyn Db, decl: DeclSrc<'_>) -> Option<TypeDef> {
    let Body::Type(body) = &decl.declaration(db)?.body else { return None };
    let scope = decl.scope(db);
    let kind = match (type_signature(db, decl), body) {
        (TypeSignature::Object(signed), TypeBody::Object(written)) => {
            TypeKind::Object { fields: fields(db, decl, signed, written)? }
        }
        (TypeSignature::Event { wire_name, fields: signed }, TypeBody::Event { fields: written, .. }) => {
            TypeKind::Event {
                wire_name: wire_name.as_deref().map(str::to_owned),
                fields: fields(db, decl, signed, written)?,
            }
        }
        (TypeSignature::Enum(signed), TypeBody::Enum(written)) => enumeration(db, scope, signed, written)?,
        (TypeSignature::Newtype(target), _) => TypeKind::Newtype(placed(db, scope, target.as_ref()?)),
        (TypeSignature::Alias(target), _) => TypeKind::Alias {
            target: placed(db, scope, target.as_ref()?),
            recursive: type_graph(db, scope).is_recursive_alias(decl),
        },
        _ => return None,
    };
    Some(TypeDef { name: decl.name_text(db).to_owned(), doc: decl.doc(db), public: decl.public(db), kind })
}

fn fields(
    db: &dyn Db,
    decl: DeclSrc<'_>,
    signed: &[FieldSignature],
    written: &[tree::Field],
) -> Option<Vec<Field>> {
    let scope = decl.scope(db);
    let cases = cases(db, scope);
    let field = |(signed, written): (&FieldSignature, &tree::Field)| {
        let ty = signed.ty.as_ref()?;
        Some(Field {
            name: signed.name.to_string(),
            doc: written.docs.join("\n"),
            wire: wire_names::field(cases, signed),
            at: signed.at.as_deref().map(str::to_owned),
            optional: signed.optional,
            boxed: boxed(db, decl, ty),
            ty: placed(db, scope, ty),
        })
    };
    signed.iter().zip(written).map(field).collect()
}

/// Whether a field's type stands in place, and holds the field's own object again.
fn boxed(db: &dyn Db, outer: DeclSrc<'_>, ty: &Type) -> bool {
    match ty {
        Type::Nullable(inner) => boxed(db, outer, inner),
        Type::Named(named) => {
            let scope = outer.scope(db);
            let found = resolve::find(db, scope, named);
            found.is_some_and(|(home, inner)| home == scope && type_graph(db, scope).boxes(outer, inner))
        }
        _ => false,
    }
}

fn enumeration(
    db: &dyn Db,
    scope: Scope,
    signed: &[VariantSignature],
    written: &[tree::Variant],
) -> Option<TypeKind> {
    let cases = cases(db, scope);
    let variant = |(signed, written): (&VariantSignature, &tree::Variant)| {
        Some(Variant {
            name: signed.name.to_string(),
            doc: written.docs.join("\n"),
            wire: wire_names::variant(cases, signed)?,
        })
    };
    let variants: Vec<_> = signed.iter().zip(written).map(variant).collect::<Option<_>>()?;
    let integers = variants.iter().any(|variant| matches!(variant.wire, VariantWire::Int(_)));
    Some(TypeKind::Enum { variants, integers })
}
