//! What the outside world gives: files, the scopes that own them and the project that holds the scopes.

use std::sync::Arc;

use crate::project::{PackagePath, ProjectProblem};
use crate::source::ReadProblem;

/// One `.jadpo` file, or the `surface.json` of a package.
#[salsa::input(debug)]
pub struct SourceFile {
    /// The namespace that owns it.
    #[returns(copy)]
    pub scope: Scope,
    /// Relative to the directory that is checked, with `/` between its parts.
    #[returns(deref)]
    pub path: Box<str>,
    /// Its text; where `problem` stands, what could be read of it, to show the place.
    pub text: Arc<str>,
    /// Why its text is not to be parsed.
    #[returns(as_ref)]
    pub problem: Option<ReadProblem>,
}

/// A namespace with its files: the app or one package.
#[salsa::input(debug)]
pub struct Scope {
    /// The project that holds it.
    #[returns(copy)]
    pub project: Project,
    /// Which of the two it is.
    #[returns(copy)]
    pub kind: ScopeKind,
    /// Its directory, as paths of files are written; empty for the directory that is checked.
    #[returns(deref)]
    pub dir: Box<str>,
    /// Its files in the order of their paths.
    #[returns(deref)]
    pub files: Vec<SourceFile>,
    /// The `surface.json` of a package, which is none of its manifests.
    #[returns(copy)]
    pub accepted: Option<SourceFile>,
}

/// The two kinds of scopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ScopeKind {
    /// A directory with `app.jadpo`.
    App,
    /// A directory with `provider.jadpo`.
    Package,
}

impl ScopeKind {
    /// The file that makes a directory a scope of this kind.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::App => "app.jadpo",
            Self::Package => "provider.jadpo",
        }
    }
}

/// All that is checked together. There is one in a database.
#[salsa::input(debug)]
pub struct Project {
    /// The app, unless a package is checked alone.
    #[returns(copy)]
    pub app: Option<Scope>,
    /// The packages in the order in which they were found.
    #[returns(deref)]
    pub packages: Vec<Scope>,
    /// What stands at each path of `app`'s `packages:`.
    #[returns(deref)]
    pub package_paths: Vec<PackagePath>,
    /// What is wrong with the directories themselves.
    #[returns(deref)]
    pub problems: Vec<ProjectProblem>,
}
