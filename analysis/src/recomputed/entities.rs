//! What a query was asked of, as people call it.

use std::collections::HashMap;

use salsa::plumbing::{AsId, Id};

use crate::inputs::{Scope, ScopeKind};
use crate::items::file_decls;
use crate::names::{self, Symbol};
use crate::workspace::Workspace;

/// The names of all that is in a workspace, by what the database knows it as: an id is never that of two things.
pub struct Entities(HashMap<Id, String>);

impl Entities {
    /// Those of now.
    pub fn of(workspace: &Workspace) -> Self {
        let (db, project) = (workspace.db(), workspace.project());
        let mut names = HashMap::from([(project.as_id(), "the project".to_owned())]);
        for scope in project.app(db).into_iter().chain(project.packages(db).iter().copied()) {
            names.insert(scope.as_id(), scope_name(workspace, scope));
            for file in scope.files(db) {
                let path = file.path(db);
                names.insert(file.as_id(), path.to_owned());
                for decl in file_decls(db, *file) {
                    let (Some(keyword), Some(name)) = (decl.keyword(db), decl.name(db)) else {
                        names.insert(decl.as_id(), format!("a declaration of {path} that can't be read"));
                        continue;
                    };
                    let called = format!("{} `{}`", keyword.text(), name.text(db));
                    names.insert(Symbol::new(db, scope, keyword, name).as_id(), called.clone());
                    names.insert(decl.as_id(), format!("{called} ({path})"));
                }
            }
            if let Some(file) = scope.accepted(db) {
                names.insert(file.as_id(), file.path(db).to_owned());
            }
        }
        Self(names)
    }

    /// What an id stands for, where that has a name.
    pub fn name(&self, id: Id) -> Option<&str> {
        self.0.get(&id).map(String::as_str)
    }
}

fn scope_name(workspace: &Workspace, scope: Scope) -> String {
    let db = workspace.db();
    let kind = match scope.kind(db) {
        ScopeKind::App => "app",
        ScopeKind::Package => "package",
    };
    match names::owner(db, scope) {
        Some(owner) => format!("{kind} `{}`", owner.name_text(db)),
        None => format!("the {kind} in `{}`", scope.dir(db)),
    }
}
