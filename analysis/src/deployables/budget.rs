//! Calls that at worst take longer than what runs them has time for.

use std::collections::BTreeSet;

use jadpo_syntax::tree::Keyword;

use super::{Part, PartKind, parts, what_runs};
use crate::calls::{Call, calls};
use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::model::Target;
use crate::names;
use crate::signature::{package_name, route_signature};
use crate::walk::App;
use crate::worst_case::{WORKERS_BUDGET_MS, usable_ms};

/// A call that takes longer at worst than there is time for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Short {
    /// The first deployable in which it does.
    pub deployable: Box<str>,
    /// What of it makes the call.
    pub part: Part,
    /// The connection that it calls through.
    pub connection: Box<str>,
    /// Its package.
    pub package: Box<str>,
    /// The call.
    pub call: Call,
    /// How long there is for it.
    pub limit: Limit,
}

/// What cuts a call off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// An invocation of a Worker, which ends one attempt.
    Invocation,
    /// A route's `within:`, in milliseconds, which ends the call.
    Within(u64),
}

/// The calls that are too long: for each timeout on Workers one, and for each route natively one.
#[salsa::tracked(returns(deref))]
pub fn short_calls(db: &dyn Db, app: Scope) -> Vec<Short> {
    let mut found = Vec::new();
    let (mut timeouts, mut routes) = (BTreeSet::new(), BTreeSet::new());
    for decl in App(app).declared(db, Keyword::Deployable) {
        match what_runs(db, decl).target {
            Some(Target::Workers) => on_workers(db, app, decl, &mut timeouts, &mut found),
            Some(Target::Native) => natively(db, app, decl, &mut routes, &mut found),
            None => {}
        }
    }
    found
}

/// The first call with each timeout that an invocation of a Worker has no time for: a provider's or an operation's.
fn on_workers(
    db: &dyn Db,
    app: Scope,
    decl: DeclSrc<'_>,
    seen: &mut BTreeSet<(Box<str>, Option<Box<str>>)>,
    found: &mut Vec<Short>,
) {
    for part in parts(db, decl) {
        for (connection, package, call) in calls_of(db, app, part) {
            let own = call.own_timeout.then(|| call.operation.clone());
            if call.worst.timeout_ms > usable_ms(WORKERS_BUDGET_MS) && seen.insert((package.into(), own)) {
                found.push(Short {
                    deployable: decl.name_text(db).into(),
                    part: part.clone(),
                    connection: connection.into(),
                    package: package.into(),
                    call: call.clone(),
                    limit: Limit::Invocation,
                });
            }
        }
    }
}

/// Of each route's calls the longest, where the route doesn't wait for its end.
fn natively(
    db: &dyn Db,
    app: Scope,
    decl: DeclSrc<'_>,
    seen: &mut BTreeSet<Box<str>>,
    found: &mut Vec<Short>,
) {
    for part in parts(db, decl).iter().filter(|part| part.kind == PartKind::Route) {
        let Some(route) = names::find(db, app, Keyword::Route, &part.name) else { continue };
        let route = route_signature(db, route);
        let Some(within_ms) = route.within_ms else { continue };
        let calls = calls_of(db, app, part);
        // The language's own defaults miss each other by the waits, and nobody has chosen either.
        let chosen = calls.filter(|(_, _, call)| route.says_within || call.is_chosen);
        let Some((connection, package, call)) = chosen.max_by_key(|(_, _, call)| call.worst.ms()) else {
            continue;
        };
        if call.worst.ms() > within_ms && seen.insert(part.name.clone()) {
            found.push(Short {
                deployable: decl.name_text(db).into(),
                part: part.clone(),
                connection: connection.into(),
                package: package.into(),
                call: call.clone(),
                limit: Limit::Within(within_ms),
            });
        }
    }
}

/// The calls that a part may make: a poll its own, others every public operation of the connections that they use.
fn calls_of<'a>(
    db: &'a dyn Db,
    app: Scope,
    part: &'a Part,
) -> impl Iterator<Item = (&'a str, &'a str, &'a Call)> {
    part.calls.iter().flat_map(move |connection| {
        let decl = names::find(db, app, Keyword::Connection, connection);
        let package = decl.and_then(|decl| package_name(db, decl));
        let scope = package.and_then(|package| names::package(db, app.project(db), package));
        let made = scope.map_or(&[][..], |scope| calls(db, scope)).iter().filter(|call| {
            part.operation.as_ref().map_or(call.public, |operation| *operation == call.operation)
        });
        made.map(move |call| (&**connection, package.unwrap_or_default(), call))
    })
}
