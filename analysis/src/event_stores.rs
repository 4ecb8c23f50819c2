//! Where events are kept and where code writes: the store that is named, or the only one of the app.

use std::collections::{BTreeMap, BTreeSet};

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::live_polls::live_polls;
use crate::names;
use crate::signature::{action_signature, batch_signature, connection_signature, subscriber_signature};
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

/// Where a subscriber, an action, a batch or a backfill writes; `None` where that isn't said rightly.
#[salsa::tracked(returns(as_deref))]
pub fn written_store<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Option<Box<str>> {
    let (said, name) = match decl.keyword(db)? {
        Keyword::Subscriber => {
            let signature = subscriber_signature(db, decl);
            (signature.says_store, signature.store.as_deref())
        }
        Keyword::Action => {
            let signature = action_signature(db, decl);
            (signature.says_store, signature.store.as_deref())
        }
        Keyword::Batch | Keyword::Backfill => {
            let signature = batch_signature(db, decl);
            (signature.says_store, signature.store.as_deref())
        }
        _ => return None,
    };
    named_or_only(db, decl.scope(db), said, name)
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

/// Where an app's own events are kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Emitted {
    by_event: BTreeMap<Box<str>, BTreeSet<Box<str>>>,
}

impl Emitted {
    /// The stores that keep an event of the app, by name: those that the actions and subscribers that emit it write.
    pub fn kept_in(&self, event: &str) -> impl Iterator<Item = &str> {
        self.by_event.get(event).into_iter().flatten().map(|store| &**store)
    }
}

/// Which of an app's events are kept where.
#[salsa::tracked]
pub fn emitted(db: &dyn Db, app: Scope) -> Emitted {
    let subscribers = App(app).declared(db, Keyword::Subscriber);
    let subscribers = subscribers.map(|decl| (decl, &subscriber_signature(db, decl).emits));
    let actions = App(app).declared(db, Keyword::Action);
    let actions = actions.map(|decl| (decl, &action_signature(db, decl).emits));
    let mut emitted = Emitted::default();
    for (decl, events) in subscribers.chain(actions) {
        let Some(store) = written_store(db, decl) else { continue };
        for event in events {
            emitted.by_event.entry(event.clone()).or_default().insert(store.into());
        }
    }
    emitted
}
