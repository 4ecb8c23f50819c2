//! The connections of an app by their packages.

use std::collections::BTreeMap;

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::Scope;
use crate::names;
use crate::signature::package_name;
use crate::unread;
use crate::walk::App;

/// The connections of an app by the names of their packages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Connections {
    by_package: BTreeMap<Box<str>, Vec<Box<str>>>,
    /// Whether a connection's package isn't known, so that it may be any.
    pub unclear: bool,
}

impl Connections {
    /// The names of the connections to a package, in the order of files.
    pub fn to(&self, package: &str) -> &[Box<str>] {
        self.by_package.get(package).map_or(&[], |names| names)
    }

    /// The connection to a package, where there is one and no other.
    pub fn only_to(&self, package: &str) -> Option<&str> {
        match self.to(package) {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// The connections of an app.
#[salsa::tracked]
pub fn connections(db: &dyn Db, app: Scope) -> Connections {
    let mut found = Connections { unclear: unread::has_declaration(db, app), ..Connections::default() };
    for decl in App(app).declared(db, Keyword::Connection) {
        let Some(package) = package_name(db, decl) else {
            found.unclear = true;
            continue;
        };
        found.unclear |= names::package(db, app.project(db), package).is_none();
        found.by_package.entry(package.into()).or_default().push(decl.name_text(db).into());
    }
    found
}
