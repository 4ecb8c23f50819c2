//! Where events are kept and where subscribers write: the store that is named, or the only one of the app.

use std::collections::{BTreeMap, BTreeSet};

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::live_polls::live_polls;
use crate::names;
use crate::signature::{connection_signature, subscriber_signature};
use crate::walk::App;

/// The names of the app's stores, in the order of files.
#[salsa::tracked(returns(deref))]
pub fn stores(db: &dyn Db, app: Scope) -> Vec<Box<str>> {
    let named = App(app).declared(db, Keyword::Store).filter(|decl| decl.name(db).is_some());
    let mut stores: Vec<Box<str>> = named.map(|decl| decl.name_text(db).into()).collect();
    let mut seen = BTreeSet::new();
    stores.retain(|name| seen.insert(name.clone()));
    stores
}

/// Where a connection's events are kept; `None` where that isn't said rightly.
#[salsa::tracked(returns(as_deref))]
pub fn events_store<'db>(db: &'db dyn Db, connection: DeclSrc<'db>) -> Option<Box<str>> {
    let signature = connection_signature(db, connection);
    named_or_only(db, connection.scope(db), signature.says_store, signature.store.as_deref())
}

/// Where a subscriber writes; `None` where that isn't said rightly.
#[salsa::tracked(returns(as_deref))]
pub fn written_store<'db>(db: &'db dyn Db, subscriber: DeclSrc<'db>) -> Option<Box<str>> {
    let signature = subscriber_signature(db, subscriber);
    named_or_only(db, subscriber.scope(db), signature.says_store, signature.store.as_deref())
}

fn named_or_only(db: &dyn Db, app: Scope, said: bool, name: Option<&str>) -> Option<Box<str>> {
    if said {
        return name.filter(|name| names::find(db, app, Keyword::Store, name).is_some()).map(Into::into);
    }
    match stores(db, app) {
        [only] => Some(only.clone()),
        _ => None,
    }
}

/// Whether a connection of the app keeps events and has no store for them.
#[salsa::tracked(returns(copy))]
pub fn unkept(db: &dyn Db, app: Scope) -> bool {
    let mut connections = App(app).declared(db, Keyword::Connection);
    connections.any(|decl| !live_polls(db, decl).is_empty() && events_store(db, decl).is_none())
}

/// Which subscribers emit each event of an app.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emitters {
    by_event: BTreeMap<Box<str>, Vec<Box<str>>>,
}

impl Emitters {
    /// The names of the subscribers that emit this event, in the order of files.
    pub fn of(&self, event: &str) -> &[Box<str>] {
        self.by_event.get(event).map_or(&[], |names| names)
    }
}

/// Who emits what in an app.
#[salsa::tracked]
pub fn emitters(db: &dyn Db, app: Scope) -> Emitters {
    let mut emitters = Emitters::default();
    for decl in App(app).declared(db, Keyword::Subscriber) {
        for event in &subscriber_signature(db, decl).emits {
            emitters.by_event.entry(event.clone()).or_default().push(decl.name_text(db).into());
        }
    }
    emitters
}
