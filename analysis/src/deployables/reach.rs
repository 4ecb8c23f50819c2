//! What each deployable reaches through what it runs: the stores that it writes, the connections that it calls through,
//! and the events that it emits.

use std::collections::BTreeSet;

use jadpo_syntax::tree::Keyword;

use super::what_runs;
use crate::check::subscriber::{ORIGIN, heard_connections};
use crate::db::Db;
use crate::event_stores::{events_store, written_store};
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::live_polls::live_polls;
use crate::model::{Target, TypeRef};
use crate::names;
use crate::signature::{
    action_signature, deployable_signature, route_signature, schedule_signature, subscriber_signature,
    subscriber_uses,
};
use crate::walk::App;

/// One of the things that a deployable runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What it is.
    pub kind: PartKind,
    /// Its name; a poll's with its connection, as `feed.prices`.
    pub name: Box<str>,
    /// Whether the deployable's list names it, rather than taking in all.
    pub listed: bool,
    /// The action that it runs or is.
    pub action: Option<Box<str>>,
    /// The store that it writes.
    pub store: Option<Box<str>>,
    /// The connections that it calls through, by name.
    pub calls: BTreeSet<Box<str>>,
    /// The operation that a poll calls; others may call every public one.
    pub operation: Option<Box<str>>,
    /// The events that it emits.
    pub emits: Vec<TypeRef>,
    /// The batches and backfills that it starts.
    pub starts: Vec<Box<str>>,
}

/// What a deployable runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "each variant is the block of its name")]
pub enum PartKind {
    Route,
    Subscriber,
    Schedule,
    Poll,
    Batch,
    Backfill,
    /// A public action, which the control port calls.
    Action,
}

impl PartKind {
    /// The key that lists its kind; an action is listed nowhere.
    pub fn key(self) -> Option<&'static str> {
        match self {
            Self::Route => Some("routes"),
            Self::Subscriber => Some("subscribers"),
            Self::Schedule => Some("schedules"),
            Self::Poll => Some("polls"),
            Self::Batch | Self::Backfill => Some("batches"),
            Self::Action => None,
        }
    }
}

impl Part {
    fn new(kind: PartKind, name: &str, listed: bool) -> Self {
        Self {
            kind,
            name: name.into(),
            listed,
            action: None,
            store: None,
            calls: BTreeSet::new(),
            operation: None,
            emits: Vec::new(),
            starts: Vec::new(),
        }
    }

    /// As a message names it: "route `open`", and with its action where that is called otherwise.
    pub fn text(&self) -> String {
        let word = match self.kind {
            PartKind::Route => "route",
            PartKind::Subscriber => "subscriber",
            PartKind::Schedule => "schedule",
            PartKind::Poll => "poll",
            PartKind::Batch => "batch",
            PartKind::Backfill => "backfill",
            PartKind::Action => "action",
        };
        match &self.action {
            Some(action) if self.kind != PartKind::Action => {
                format!("action `{action}` of {word} `{}`", self.name)
            }
            _ => format!("{word} `{}`", self.name),
        }
    }

    /// The connection of a poll.
    pub fn poll_connection(&self) -> Option<&str> {
        if self.kind == PartKind::Poll { Some(self.name.split_once('.')?.0) } else { None }
    }

    /// The declaration that says what it does: a poll's connection, the action of what runs one.
    pub fn decl<'db>(&self, db: &'db dyn Db, app: Scope) -> Option<DeclSrc<'db>> {
        let find = |keyword, name: &str| names::find(db, app, keyword, name);
        match (self.kind, &self.action) {
            (_, Some(action)) => find(Keyword::Action, action),
            (PartKind::Poll, None) => find(Keyword::Connection, self.poll_connection()?),
            (PartKind::Subscriber, None) => find(Keyword::Subscriber, &self.name),
            (PartKind::Batch, None) => find(Keyword::Batch, &self.name),
            (PartKind::Backfill, None) => find(Keyword::Backfill, &self.name),
            (PartKind::Route | PartKind::Schedule | PartKind::Action, None) => None,
        }
    }
}

/// All that a deployable runs, in the order of its keys.
#[salsa::tracked(returns(deref))]
pub fn parts<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Vec<Part> {
    let (app, runs) = (decl.scope(db), what_runs(db, decl));
    let signature = deployable_signature(db, decl);
    let mut parts = Vec::new();
    for name in &runs.routes {
        let route = names::find(db, app, Keyword::Route, name);
        let action = route.and_then(|route| route_signature(db, route).action.as_deref());
        parts.push(running(db, app, Part::new(PartKind::Route, name, !signature.routes.is_all()), action));
    }
    for name in &runs.subscribers {
        parts.push(subscriber(db, app, name, !signature.subscribers.is_all()));
    }
    for name in &runs.schedules {
        let schedule = names::find(db, app, Keyword::Schedule, name);
        let action = schedule.and_then(|schedule| schedule_signature(db, schedule).action.as_deref());
        let part = Part::new(PartKind::Schedule, name, !signature.schedules.is_all());
        parts.push(running(db, app, part, action));
    }
    for (connection, poll) in &runs.polls {
        parts.push(polling(db, app, connection, poll, !signature.polls.is_all()));
    }
    for name in &runs.batches {
        parts.extend(stepping(db, app, name, !signature.batches.is_all()));
    }
    if signature.has_control && signature.target == Some(Target::Native) {
        let public = App(app).declared(db, Keyword::Action).filter(|action| action.public(db));
        parts.extend(public.map(|action| {
            let name = action.name_text(db);
            running(db, app, Part::new(PartKind::Action, name, false), Some(name))
        }));
    }
    parts
}

/// A part that runs an action.
fn running(db: &dyn Db, app: Scope, mut part: Part, action: Option<&str>) -> Part {
    let Some(name) = action else { return part };
    part.action = Some(name.into());
    if let Some(action) = names::find(db, app, Keyword::Action, name) {
        let signature = action_signature(db, action);
        part.store = written_store(db, action).map(Into::into);
        part.calls = signature.uses.iter().cloned().collect();
        part.starts.clone_from(&signature.starts);
        part.emits = signature.emits.iter().map(|event| of_app(event)).collect();
    }
    part
}

fn subscriber(db: &dyn Db, app: Scope, name: &str, listed: bool) -> Part {
    let mut part = Part::new(PartKind::Subscriber, name, listed);
    if let Some(decl) = names::find(db, app, Keyword::Subscriber, name) {
        let signature = subscriber_signature(db, decl);
        part.store = written_store(db, decl).map(Into::into);
        let uses = subscriber_uses(db, decl);
        part.calls = uses.iter().filter(|used| &***used != ORIGIN).cloned().collect();
        if uses.iter().any(|used| &**used == ORIGIN) {
            part.calls.extend(heard_connections(db, decl).iter().cloned());
        }
        part.emits = signature.emits.iter().map(|event| of_app(event)).collect();
    }
    part
}

fn polling(db: &dyn Db, app: Scope, through: &str, poll: &str, listed: bool) -> Part {
    let mut part = Part::new(PartKind::Poll, &format!("{through}.{poll}"), listed);
    part.calls = BTreeSet::from([through.into()]);
    if let Some(connection) = names::find(db, app, Keyword::Connection, through) {
        part.store = events_store(db, connection).map(Into::into);
        let live = live_polls(db, connection).iter().find(|live| live.name == poll);
        part.operation = live.map(|live| live.operation.as_str().into());
        part.emits = live.map(|live| live.event.clone()).into_iter().collect();
    }
    part
}

/// A batch or a backfill.
fn stepping(db: &dyn Db, app: Scope, name: &str, listed: bool) -> Option<Part> {
    let find = |kind, keyword| Some((kind, names::find(db, app, keyword, name)?));
    let found = find(PartKind::Batch, Keyword::Batch).or_else(|| find(PartKind::Backfill, Keyword::Backfill));
    let (kind, decl) = found?;
    let mut part = Part::new(kind, name, listed);
    part.store = written_store(db, decl).map(Into::into);
    Some(part)
}

fn of_app(event: &str) -> TypeRef {
    TypeRef { package: None, name: event.to_owned() }
}
