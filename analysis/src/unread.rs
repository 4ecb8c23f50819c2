//! Declarations whose head could not be read: what seems not to be declared may be one of them, which has been
//! reported, so nothing more is said about it.

use jadpo_syntax::tokens;

use crate::db::Db;
use crate::inputs::{Project, Scope};
use crate::items::{DeclSrc, file_decls};
use crate::names::{self, Symbol};
use crate::project::ProjectProblem;

/// How many of its first words may be an unread declaration's name.
const HEAD_WORDS: usize = 4;

/// Whether a package stands somewhere whose name can't be known.
#[salsa::tracked(returns(copy))]
pub fn has_package(db: &dyn Db, project: Project) -> bool {
    let unnamed = |scope: &Scope| names::owner(db, *scope).is_none_or(|owner| owner.name(db).is_none());
    project.packages(db).iter().any(unnamed)
        || project.package_paths(db).iter().any(|path| !path.found)
        || project.problems(db).iter().any(|problem| matches!(problem, ProjectProblem::Ambiguous { .. }))
}

/// Whether any declaration of a namespace has no keyword or no name.
#[salsa::tracked(returns(copy))]
pub fn has_declaration(db: &dyn Db, scope: Scope) -> bool {
    unread(db, scope).next().is_some() || has_file(db, scope)
}

/// Whether one of them may be the declaration of a symbol: one of that kind without a name, or one in whose head the
/// name stands.
#[salsa::tracked(returns(copy))]
pub fn may_be<'db>(db: &'db dyn Db, symbol: Symbol<'db>) -> bool {
    let (scope, name) = (symbol.scope(db), symbol.name(db).text(db));
    let is_it =
        |decl: DeclSrc<'_>| decl.keyword(db) == Some(symbol.keyword(db)) || head_has(decl.text(db), name);
    unread(db, scope).any(is_it) || has_file(db, scope)
}

fn unread(db: &dyn Db, scope: Scope) -> impl Iterator<Item = DeclSrc<'_>> {
    let decls = scope.files(db).iter().flat_map(|file| file_decls(db, *file)).copied();
    decls.filter(|decl| decl.keyword(db).is_none() || decl.name(db).is_none())
}

fn has_file(db: &dyn Db, scope: Scope) -> bool {
    scope.files(db).iter().any(|file| file.problem(db).is_some())
}

fn head_has(text: &str, name: &str) -> bool {
    let tokens = tokens(text);
    let mut words = tokens.iter().filter(|token| token.kind.is_name()).take(HEAD_WORDS);
    words.any(|token| token.span.text(text) == name)
}
