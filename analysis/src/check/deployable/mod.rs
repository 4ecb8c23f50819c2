//! Rules of `deployable`.

mod runner;

use jadpo_syntax::tree::{Keyword, Name, Value};

use crate::connections::connections;
use crate::db::Db;
use crate::diagnostics::codes::app;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::live_polls::live_polls;
use crate::model;
use crate::names;
use crate::nearest::nearest;
use crate::package_facts::facts;
use crate::prose;
use crate::signature::{Known, package_name, polls_known};
use crate::values;
use crate::walk::App;

use super::{Check, connection};

/// It runs what is there, in a loop that can sleep.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    for name in fields.elements("subscribers").iter().filter_map(values::bare_name) {
        cx.named(Keyword::Subscriber, name, app::NAME_UNKNOWN);
    }
    for value in fields.elements("polls") {
        match values::path(value) {
            Some([connection, poll]) => poll_is_known(cx, connection, poll),
            Some(path) => poll_without_connection(cx, value, path),
            None => {}
        }
    }
    runner::check(cx, fields);
}

fn poll_is_known(cx: &mut Check<'_>, through: &Name, poll: &Name) {
    let db = cx.db;
    let Some(decl) = connection::named(cx, through, None) else { return };
    let Some(package) = package_name(db, decl) else { return };
    let Some(scope) = names::package(db, cx.project, package) else { return };
    let polls = poll_names(db, scope);
    if polls.contains(&poll.text) || polls_known(db, scope) == Known::Unsure {
        return;
    }
    let nearest = nearest(&poll.text, polls.iter().map(|name| &**name));
    let message = format!("package `{package}` of `{}` has no poll `{}`", through.text, poll.text);
    let used = names::key_place(db, decl, &["package"]);
    let finding = cx.report(app::NAME_UNKNOWN, poll.span, message);
    finding.related(used, "its package");
    if !polls.is_empty() {
        finding.help(format!("its polls are {}", prose::list(polls.iter().map(|name| &**name))));
    }
    finding.nearest(nearest);
}

/// The names of a package's polls: who asks isn't run again by an edit of what the polls do.
#[salsa::tracked(returns(deref))]
fn poll_names(db: &dyn Db, package: Scope) -> Vec<Box<str>> {
    facts(db, package).polls.iter().map(|poll| poll.name.clone()).collect()
}

/// Reports a poll named without its connection, and offers the one connection that has it.
fn poll_without_connection(cx: &mut Check<'_>, value: &Value, path: &[Name]) {
    let written: Vec<_> = path.iter().map(|name| &*name.text).collect();
    let written = written.join(".");
    let meant = match path {
        [name] => only_poll(cx, &name.text),
        _ => None,
    };
    let message = format!("a poll is named with its connection, as `feed.prices`, not `{written}`");
    cx.report(app::DEPLOYABLE_VALUE_INVALID, value.span, message).nearest(meant.as_deref());
}

/// The poll of this name with the only connection that has one.
fn only_poll(cx: &Check<'_>, name: &str) -> Option<String> {
    let db = cx.db;
    let packages = names::packages(db, cx.project).iter();
    let with_it = packages.filter(|(_, scope)| poll_names(db, *scope).iter().any(|poll| &**poll == name));
    let mut found = with_it.flat_map(|(package, _)| connections(db, cx.scope).to(package.text(db)));
    match (found.next(), found.next()) {
        (Some(connection), None) => Some(format!("{connection}.{name}")),
        _ => None,
    }
}

/// The meaning of a deployable without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<model::Deployable> {
    let fields = decl.fields(db)?;
    Some(model::Deployable {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        target: model::Target::Native,
        routes: Vec::new(),
        schedules: Vec::new(),
        batches: Vec::new(),
        host: None,
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
