//! Which declared types a set of types names, through any number of types.

use std::collections::BTreeSet;

use jadpo_analysis::model;

/// The declaration that a reference names.
pub fn find<'p>(project: &'p model::Project, ty: &model::TypeRef) -> Option<&'p model::TypeDef> {
    match &ty.package {
        Some(package) => project.packages.get(package)?.types.get(&ty.name),
        None => project.app.types.get(&ty.name),
    }
}

/// Every declared type that `roots` reach, themselves included.
pub fn reachable(project: &model::Project, roots: Vec<model::TypeRef>) -> BTreeSet<model::TypeRef> {
    let mut found = BTreeSet::new();
    let mut waiting = roots;
    while let Some(ty) = waiting.pop() {
        if let Some(declared) = find(project, &ty)
            && found.insert(ty)
        {
            waiting.extend(named_by(&declared.kind));
        }
    }
    found
}

/// The declared types that a type names where it is used.
pub fn named_in(ty: &model::Type, named: &mut Vec<model::TypeRef>) {
    match ty {
        model::Type::Named(ty) => named.push(ty.clone()),
        model::Type::List(item, _) | model::Type::Nullable(item) => named_in(item, named),
        model::Type::Map(key, value) => {
            named_in(key, named);
            named_in(value, named);
        }
        model::Type::Text(_)
        | model::Type::Int(_)
        | model::Type::Decimal(_)
        | model::Type::Bool
        | model::Type::Instant(_)
        | model::Type::DateTime
        | model::Type::Date
        | model::Type::Duration
        | model::Type::Uuid
        | model::Type::Url
        | model::Type::Email
        | model::Type::Bytes(_)
        | model::Type::Json
        | model::Type::Secret => {}
    }
}

fn named_by(kind: &model::TypeKind) -> Vec<model::TypeRef> {
    let mut named = Vec::new();
    match kind {
        model::TypeKind::Object { fields } | model::TypeKind::Event { fields, .. } => {
            for field in fields {
                named_in(&field.ty, &mut named);
            }
        }
        model::TypeKind::Newtype(ty) | model::TypeKind::Alias { target: ty, .. } => named_in(ty, &mut named),
        model::TypeKind::Enum { .. } => {}
    }
    named
}
