//! Copyable handles with question-like methods over the declarations of a project, for rules and lowering.

use jadpo_syntax::tree::{Block, Body, Declaration, Keyword};

use crate::db::Db;
use crate::inputs::{Project, Scope};
use crate::items::{DeclSrc, parse};
use crate::keys::{self, Fields};
use crate::names;

/// The app of a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct App(pub Scope);

impl App {
    /// The app, unless a package is checked alone.
    pub fn of(db: &dyn Db, project: Project) -> Option<Self> {
        project.app(db).map(Self)
    }

    /// Its `app` block.
    pub fn declaration(self, db: &dyn Db) -> Option<DeclSrc<'_>> {
        names::owner(db, self.0)
    }

    /// Its declarations of a kind, in the order of files.
    pub fn declared(self, db: &dyn Db, keyword: Keyword) -> impl Iterator<Item = DeclSrc<'_>> {
        names::declared(db, self.0, keyword)
    }
}

impl<'db> DeclSrc<'db> {
    /// Its tree, spans included: who asks runs again after any edit of it.
    pub fn declaration(self, db: &'db dyn Db) -> Option<&'db Declaration> {
        parse(db, self).declaration.as_ref()
    }

    /// Its block, where it has one.
    pub fn block(self, db: &'db dyn Db) -> Option<&'db Block> {
        match &self.declaration(db)?.body {
            Body::Block(block) => Some(block),
            _ => None,
        }
    }

    /// Its block, read by the table of its keyword.
    pub fn fields(self, db: &'db dyn Db) -> Option<Fields<'db>> {
        Some(Fields::new(self.block(db)?, keys::table(self.keyword(db)?)?))
    }

    /// Its documentation, lines joined by `\n`.
    pub fn doc(self, db: &'db dyn Db) -> String {
        self.declaration(db).map(|declaration| declaration.docs.join("\n")).unwrap_or_default()
    }
}
