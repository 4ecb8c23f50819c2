//! Which events are heard, through which connections, and so which polls run.
//!
//! A poll runs for each connection to its package while one of the app's subscribers listens for its event through it.

use std::collections::BTreeMap;

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::model::{LivePoll, TypeRef};
use crate::names;
use crate::package_facts::{PollFact, facts};
use crate::signature::{
    TypeSignature, connection_signature, package_name, subscriber_signature, type_signature,
};
use crate::unread;
use crate::walk::App;

/// Who listens for what in an app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listeners {
    /// By event of a package.
    by_event: BTreeMap<TypeRef, Vec<Listener>>,
    /// Whether a subscriber names something that isn't there, so that more may be meant to be heard than is.
    pub unclear: bool,
}

/// One subscriber of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Listener {
    /// The connections that it hears; `None` for all.
    from: Option<Vec<Box<str>>>,
}

impl Listeners {
    /// Whether a subscriber hears this event through this connection.
    pub fn hear(&self, event: &TypeRef, connection: &str) -> bool {
        let through = |listener: &Listener| match &listener.from {
            Some(from) => from.iter().any(|name| &**name == connection),
            None => true,
        };
        self.by_event.get(event).is_some_and(|listeners| listeners.iter().any(through))
    }
}

/// The listeners of an app.
#[salsa::tracked]
pub fn listeners(db: &dyn Db, app: Scope) -> Listeners {
    let mut listeners = Listeners { unclear: unread::has_declaration(db, app), ..Listeners::default() };
    for decl in App(app).declared(db, Keyword::Subscriber) {
        let signature = subscriber_signature(db, decl);
        let from_all = signature.from.iter().flatten();
        let mut unclear = signature.unclear
            || from_all.into_iter().any(|name| names::find(db, app, Keyword::Connection, name).is_none());
        for event in &signature.on {
            if !is_event(db, app, event) {
                unclear = true;
            } else if event.package.is_some() {
                let listener = Listener { from: signature.from.clone() };
                listeners.by_event.entry(event.clone()).or_default().push(listener);
            }
        }
        listeners.unclear |= unclear;
    }
    listeners
}

/// Whether an app's reference names an event that the app may hear.
pub fn is_event(db: &dyn Db, app: Scope, event: &TypeRef) -> bool {
    let home = match &event.package {
        Some(package) => names::package(db, app.project(db), package),
        None => Some(app),
    };
    let decl = home.and_then(|home| names::find(db, home, Keyword::Type, &event.name));
    decl.is_some_and(|decl| {
        (event.package.is_none() || decl.public(db))
            && matches!(type_signature(db, decl), TypeSignature::Event { .. })
    })
}

/// The polls that run for a connection, by name, with the intervals that hold for it.
#[salsa::tracked]
pub fn live_polls<'db>(db: &'db dyn Db, connection: DeclSrc<'db>) -> Vec<LivePoll> {
    let app = connection.scope(db);
    let Some(package) = package_name(db, connection) else { return Vec::new() };
    let Some(scope) = names::package(db, app.project(db), package) else { return Vec::new() };
    let (listeners, signature) = (listeners(db, app), connection_signature(db, connection));
    let live = facts(db, scope).polls.iter().filter_map(|poll| {
        let event = poll_event(package, poll)?;
        if !listeners.hear(&event, connection.name_text(db)) {
            return None;
        }
        let own = signature.intervals.iter().find(|(name, _)| *name == poll.name).map(|(_, ms)| *ms);
        Some(LivePoll {
            name: poll.name.to_string(),
            operation: poll.call.as_deref()?.to_owned(),
            every_ms: own.or(poll.every_ms)?,
            event,
        })
    });
    let mut live: Vec<_> = live.collect();
    live.sort_by(|one, other| one.name.cmp(&other.name));
    live
}

/// The event of a poll, as an app names it.
pub fn poll_event(package: &str, poll: &PollFact) -> Option<TypeRef> {
    Some(TypeRef { package: Some(package.to_owned()), name: poll.event.as_deref()?.to_owned() })
}
