//! Which databases the app's stores are in: each is one store's alone.

use std::collections::HashMap;

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::Scope;
use crate::items::{DeclSrc, Name};
use crate::model::Engine;
use crate::signature::store_signature;
use crate::walk::App;

/// The first store in each database, by [`key`].
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
struct Databases<'db> {
    first: HashMap<Name<'db>, DeclSrc<'db>>,
}

/// The store that is in a database of this one too, if it isn't the first that is in it.
pub fn same_database<'db>(db: &'db dyn Db, store: DeclSrc<'db>, engine: &Engine) -> Option<DeclSrc<'db>> {
    first_in(db, store.scope(db), Name::new(db, key(engine))).filter(|first| *first != store)
}

/// The first store in a database. Who asks depends on this one only.
#[salsa::tracked(returns(copy))]
fn first_in<'db>(db: &'db dyn Db, app: Scope, database: Name<'db>) -> Option<DeclSrc<'db>> {
    databases(db, app).first.get(&database).copied()
}

#[salsa::tracked]
fn databases(db: &dyn Db, app: Scope) -> Databases<'_> {
    let mut first = HashMap::new();
    for store in App(app).declared(db, Keyword::Store) {
        for engine in store_signature(db, store).engines.values() {
            first.entry(Name::new(db, key(engine))).or_insert(store);
        }
    }
    Databases { first }
}

/// One text for each database, however its path is written.
fn key(engine: &Engine) -> String {
    match engine {
        Engine::Sqlite(path) => format!("sqlite {}", plain(path)),
        Engine::Postgres(variable) => format!("postgres {variable}"),
        Engine::D1(binding) => format!("d1 {binding}"),
    }
}

/// A path without the parts that lead nowhere: `./data//x/../app.db` is `data/app.db`.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("" | ".", _) => {}
            ("..", Some(last)) if *last != ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::plain;

    #[test]
    fn a_path_has_one_text() {
        let paths = ["a.db", "./a.db", "x/..//a.db", "../a.db", "/a.db", "/./x/a.db"].map(plain);
        assert_eq!(paths, ["a.db", "a.db", "a.db", "../a.db", "/a.db", "/x/a.db"]);
    }
}
