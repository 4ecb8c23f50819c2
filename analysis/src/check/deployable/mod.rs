//! Rules of `deployable`.

mod batches;
mod budget;
mod databases;
mod events;
mod host;
mod natively;
mod places;
mod runner;

use jadpo_syntax::tree::{Keyword, Name, Value};

use crate::connections::connections;
use crate::db::Db;
use crate::deployables::what_runs;
use crate::diagnostics::codes::app;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::{self, Target};
use crate::names;
use crate::nearest::nearest;
use crate::package_facts::facts;
use crate::prose;
use crate::signature::{Known, deployable_signature, package_name, polls_known};
use crate::values;

use super::{Check, connection};

/// It runs what is there, in a loop that can sleep, and listens where it can.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    for (key, keyword) in
        [("routes", Keyword::Route), ("subscribers", Keyword::Subscriber), ("schedules", Keyword::Schedule)]
    {
        for name in fields.elements(key).iter().filter_map(values::bare_name) {
            cx.named(keyword, name, app::NAME_UNKNOWN);
        }
    }
    for name in fields.elements("batches").iter().filter_map(values::bare_name) {
        batch_is_known(cx, name);
    }
    for value in fields.elements("polls") {
        match values::path(value) {
            Some([connection, poll]) => poll_is_known(cx, connection, poll),
            Some(path) => poll_without_connection(cx, value, path),
            None => {}
        }
    }
    let target = deployable_signature(cx.db, cx.decl).target;
    if target == Some(Target::Workers) {
        natively::refused(cx, fields);
    } else {
        host::check(cx, fields);
        runner::check(cx, fields);
    }
    if let Some(target) = target
        && !cx.broken
    {
        databases::check(cx, fields, target);
        events::are_heard(cx, fields);
        batches::are_run(cx, fields);
        events::are_polled_once(cx, fields);
        budget::check(cx, fields);
    }
}

/// `batches:` names batches and backfills alike: the name of one that isn't there is looked for among both.
fn batch_is_known(cx: &mut Check<'_>, name: &Name) {
    let (db, scope) = (cx.db, cx.scope);
    let kinds = [Keyword::Batch, Keyword::Backfill];
    if kinds.iter().any(|kind| names::find(db, scope, *kind, &name.text).is_some())
        || !kinds.iter().all(|kind| names::is_missing(db, scope, *kind, &name.text))
    {
        return;
    }
    let known = kinds.iter().flat_map(|kind| names::declared(db, scope, *kind));
    let nearest = nearest(&name.text, known.map(|decl| decl.name_text(db)));
    let message = format!("there is no batch or backfill `{}`", name.text);
    cx.report(app::NAME_UNKNOWN, name.span, message).nearest(nearest);
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
    let runs = what_runs(db, decl);
    let native = runs.target == Some(Target::Native);
    let names = |names: &[Box<str>]| names.iter().map(ToString::to_string).collect();
    Some(model::Deployable {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        target: runs.target?,
        routes: names(&runs.routes),
        subscribers: names(&runs.subscribers),
        schedules: names(&runs.schedules),
        polls: runs.polls.iter().map(|(through, poll)| (through.to_string(), poll.to_string())).collect(),
        batches: names(&runs.batches),
        runner: runner::lower(fields)?,
        host: if native && runs.listens { Some(host::lower(fields)?) } else { None },
    })
}
