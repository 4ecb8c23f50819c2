//! What a used type comes to: names found, aliases and newtypes followed.

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::{Scope, ScopeKind};
use crate::items::DeclSrc;
use crate::model::{Type, TypeRef};
use crate::names;
use crate::signature::{TypeSignature, is_broken, type_signature};

/// How many names in a row are followed. Those of a cycle, which has been reported, end here.
const NAMES_MAX: usize = 64;

/// What the values of a type are, whatever it is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resolved<'db> {
    /// Whether there may be none.
    pub nullable: bool,
    /// What there is otherwise.
    pub kind: Kind<'db>,
}

/// The kinds of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind<'db> {
    /// A built-in type that one text can hold, with its constraints; never a `Secret`.
    Scalar(Type),
    /// `Secret`
    Secret,
    /// `Enum { … }`
    Enum(DeclSrc<'db>),
    /// `Object { … }`
    Object(DeclSrc<'db>),
    /// `Event { … }`
    Event(DeclSrc<'db>),
    /// `List<T>`, with its item and the scope of the item's names.
    List(Scope, Type),
    /// `Map<K, V>`
    Map,
    /// `Json`
    Json,
}

impl Kind<'_> {
    /// What it is, in words: "an Enum".
    pub fn text(&self) -> String {
        match self {
            Self::Scalar(ty) => {
                let text = crate::signature::type_text(ty);
                format!("`{}`", text.split(" {").next().unwrap_or_default())
            }
            Self::Secret => "a `Secret`".to_owned(),
            Self::Enum(_) => "an Enum".to_owned(),
            Self::Object(_) => "an Object".to_owned(),
            Self::Event(_) => "an Event".to_owned(),
            Self::List(..) => "a `List`".to_owned(),
            Self::Map => "a `Map`".to_owned(),
            Self::Json => "`Json`".to_owned(),
        }
    }
}

/// The declaration that a reference names and its scope, quietly: `Prices` in the same scope, `coinfeed.Prices` from
/// an app.
pub fn find<'db>(db: &'db dyn Db, scope: Scope, ty: &TypeRef) -> Option<(Scope, DeclSrc<'db>)> {
    let home = match &ty.package {
        None => scope,
        Some(package) if scope.kind(db) == ScopeKind::App => names::package(db, scope.project(db), package)?,
        Some(_) => return None,
    };
    Some((home, names::find(db, home, Keyword::Type, &ty.name)?))
}

/// The type behind names that only stand for another, and the scope that its own names belong to; `None` for one that
/// isn't declared or means nothing. Inside the answer, aliases stay.
pub fn behind_aliases(db: &dyn Db, scope: Scope, ty: &Type) -> Option<(Scope, Type)> {
    let mut scope = scope;
    let mut ty = ty;
    for _ in 0..NAMES_MAX {
        let Type::Named(named) = ty else { return Some((scope, ty.clone())) };
        let (home, decl) = find(db, scope, named)?;
        match type_signature(db, decl) {
            TypeSignature::Alias(target) => {
                ty = target.as_ref()?;
                scope = home;
            }
            _ => return Some((scope, ty.clone())),
        }
    }
    None
}

/// What the first newtype on the way to a type's values is made of, as it is written there.
pub fn newtype_of<'db>(db: &'db dyn Db, scope: Scope, ty: &Type) -> Option<&'db Type> {
    let (home, Type::Named(named)) = behind_aliases(db, scope, ty)? else { return None };
    match type_signature(db, find(db, home, &named)?.1) {
        TypeSignature::Newtype(of) => of.as_ref(),
        _ => None,
    }
}

/// Whether a value may be none.
pub fn is_nullable(db: &dyn Db, scope: Scope, ty: &Type) -> bool {
    kind(db, scope, ty).is_some_and(|resolved| resolved.nullable)
}

/// What the values of a type are; `None` for a type that isn't declared, means nothing, or can't be read in full, so
/// that whoever asks says nothing about it.
pub fn kind<'db>(db: &'db dyn Db, scope: Scope, ty: &Type) -> Option<Resolved<'db>> {
    let mut scope = scope;
    let mut ty = ty;
    let mut nullable = false;
    for _ in 0..NAMES_MAX {
        let kind = match ty {
            Type::Nullable(inner) => {
                nullable = true;
                ty = inner;
                continue;
            }
            Type::Named(named) => {
                let (home, decl) = find(db, scope, named)?;
                if is_broken(db, decl) {
                    return None;
                }
                match type_signature(db, decl) {
                    TypeSignature::Alias(target) | TypeSignature::Newtype(target) => {
                        ty = target.as_ref()?;
                        scope = home;
                        continue;
                    }
                    TypeSignature::Object(_) => Kind::Object(decl),
                    TypeSignature::Event { .. } => Kind::Event(decl),
                    TypeSignature::Enum(_) => Kind::Enum(decl),
                    TypeSignature::Missing => return None,
                }
            }
            Type::List(item, _) => Kind::List(scope, (**item).clone()),
            Type::Map(..) => Kind::Map,
            Type::Json => Kind::Json,
            Type::Secret => Kind::Secret,
            scalar => Kind::Scalar(scalar.clone()),
        };
        return Some(Resolved { nullable, kind });
    }
    None
}

/// Whether a type and all that stands in its angle brackets mean something, so that it can be compared with another.
pub fn is_comparable(db: &dyn Db, scope: Scope, ty: &Type) -> bool {
    let Some((home, ty)) = behind_aliases(db, scope, ty) else { return false };
    match &ty {
        Type::Nullable(inner) | Type::List(inner, _) => is_comparable(db, home, inner),
        Type::Map(key, value) => is_comparable(db, home, key) && is_comparable(db, home, value),
        Type::Secret => false,
        named => kind(db, home, named).is_some(),
    }
}

/// Whether two types of one scope are the same: alike behind aliases, constraints included. How a value is sent
/// (`wire:`) is no part of its type.
pub fn same(db: &dyn Db, scope: Scope, one: &Type, other: &Type) -> bool {
    let (Some((_, one)), Some((_, other))) =
        (behind_aliases(db, scope, one), behind_aliases(db, scope, other))
    else {
        return false;
    };
    match (&one, &other) {
        (Type::Instant(_), Type::Instant(_)) | (Type::Bytes(_), Type::Bytes(_)) => true,
        (Type::Nullable(one), Type::Nullable(other)) => same(db, scope, one, other),
        (Type::List(one, rule), Type::List(other, rule_of_other)) => {
            rule == rule_of_other && same(db, scope, one, other)
        }
        (Type::Map(key, value), Type::Map(other_key, other_value)) => {
            same(db, scope, key, other_key) && same(db, scope, value, other_value)
        }
        _ => one == other,
    }
}
