//! What a used type comes to: aliases followed, names found.

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::{Scope, ScopeKind};
use crate::items::DeclSrc;
use crate::model::{Type, TypeRef};
use crate::names;
use crate::signature::{TypeSignature, type_signature};

/// How many aliases in a row are followed. Those of a cycle, which has been reported, end here.
const ALIASES_MAX: usize = 64;

/// The declaration that a reference names, quietly: `Prices` in the same scope, `coinfeed.Prices` from an app.
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
    for _ in 0..ALIASES_MAX {
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

/// The type within `?`, aliases followed; the type itself where there is no `?`.
pub fn not_nullable(db: &dyn Db, scope: Scope, ty: &Type) -> Option<(Scope, Type)> {
    match behind_aliases(db, scope, ty)? {
        (scope, Type::Nullable(inner)) => behind_aliases(db, scope, &inner),
        resolved => Some(resolved),
    }
}

/// Whether a value may be none.
pub fn is_nullable(db: &dyn Db, scope: Scope, ty: &Type) -> bool {
    matches!(behind_aliases(db, scope, ty), Some((_, Type::Nullable(_))))
}
