//! Rules of `deployable`.

pub mod runner;

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::live_polls::live_polls;
use crate::model;
use crate::values;
use crate::walk::App;

/// The meaning of a deployable without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<model::Deployable> {
    let fields = decl.fields(db)?;
    Some(model::Deployable {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        subscribers: subscribers(db, decl, fields),
        polls: polls(db, decl, fields),
        runner: runner::lower(fields)?,
    })
}

/// The subscribers that it runs, by name.
fn subscribers(db: &dyn Db, decl: DeclSrc<'_>, fields: Fields<'_>) -> Vec<String> {
    let mut names: Vec<String> = if takes_all(fields, "subscribers") {
        let all = App(decl.scope(db)).declared(db, Keyword::Subscriber);
        all.map(|decl| decl.name_text(db).to_owned()).collect()
    } else {
        let named = fields.elements("subscribers").iter().filter_map(values::bare_name);
        named.map(|name| name.text.to_string()).collect()
    };
    names.sort();
    names
}

/// The live polls that it runs, as connection and poll, by name.
fn polls(db: &dyn Db, decl: DeclSrc<'_>, fields: Fields<'_>) -> Vec<(String, String)> {
    let connections = App(decl.scope(db)).declared(db, Keyword::Connection);
    let mut polls: Vec<_> = connections
        .flat_map(|connection| {
            let name = connection.name_text(db);
            live_polls(db, connection).iter().map(move |poll| (name.to_owned(), poll.name.clone()))
        })
        .collect();
    if !takes_all(fields, "polls") {
        let named = |(connection, poll): &(String, String)| {
            let mut elements = fields.elements("polls").iter().filter_map(values::path);
            elements.any(|path| matches!(path, [c, p] if *c.text == **connection && *p.text == **poll))
        };
        polls.retain(named);
    }
    polls.sort();
    polls
}

fn takes_all(fields: Fields<'_>, key: &str) -> bool {
    fields.entry(key).is_none() || fields.is_all(key)
}
