//! What the app's own code is written for: each subscriber, action, batch and backfill, as one kind of thing.

use std::collections::BTreeSet;

use jadpo_analysis::model::{Action, Backfill, Batch, Engine, Project, Subscriber, TypeRef};
use proc_macro2::Ident;

use crate::names::{FREE, IN_TRAIT, camel_ident, ident};

/// Something that the app's code runs for. All have names of one namespace.
#[derive(Clone, Copy)]
pub enum Handler<'p> {
    Subscriber(&'p Subscriber),
    Action(&'p Action),
    Batch(&'p Batch),
    Backfill(&'p Backfill),
}

/// Every one of an app: subscribers, actions, batches, backfills, each kind by name.
pub fn all(project: &Project) -> impl Iterator<Item = Handler<'_>> {
    let app = &project.app;
    let subscribers = app.subscribers.values().map(Handler::Subscriber);
    let actions = app.actions.values().map(Handler::Action);
    let batches = app.batches.values().map(Handler::Batch);
    subscribers.chain(actions).chain(batches).chain(app.backfills.values().map(Handler::Backfill))
}

impl<'p> Handler<'p> {
    /// Its name in the manifest.
    pub fn name(self) -> &'p str {
        match self {
            Handler::Subscriber(subscriber) => &subscriber.name,
            Handler::Action(action) => &action.name,
            Handler::Batch(batch) => &batch.name,
            Handler::Backfill(backfill) => &backfill.name,
        }
    }

    /// The name of its types in the modules `cx`, `on`, `emits` and `origin`.
    pub fn type_name(self) -> Ident {
        camel_ident(self.name(), &FREE)
    }

    /// The name of its method in `Handlers`.
    pub fn method_name(self) -> Ident {
        ident(self.name(), &IN_TRAIT)
    }

    /// The subscriber that it is.
    pub fn subscriber(self) -> Option<&'p Subscriber> {
        if let Handler::Subscriber(subscriber) = self { Some(subscriber) } else { None }
    }

    /// The store that it writes.
    pub fn store(self) -> &'p str {
        match self {
            Handler::Subscriber(subscriber) => &subscriber.store,
            Handler::Action(action) => &action.store,
            Handler::Batch(batch) => &batch.store,
            Handler::Backfill(backfill) => &backfill.store,
        }
    }

    /// The app's events that it may emit.
    pub fn emits(self) -> &'p [TypeRef] {
        match self {
            Handler::Subscriber(subscriber) => &subscriber.emits,
            Handler::Action(action) => &action.emits,
            Handler::Batch(_) | Handler::Backfill(_) => &[],
        }
    }

    /// The connections that it may call.
    pub fn uses(self) -> &'p [String] {
        match self {
            Handler::Subscriber(subscriber) => &subscriber.uses,
            Handler::Action(action) => &action.uses,
            Handler::Batch(_) | Handler::Backfill(_) => &[],
        }
    }

    /// Whether it may call the connection that its event came through.
    pub fn uses_origin(self) -> bool {
        self.subscriber().is_some_and(|subscriber| subscriber.uses_origin)
    }

    /// The batches and backfills that it may start.
    pub fn starts(self) -> Option<&'p BTreeSet<String>> {
        if let Handler::Action(action) = self { Some(&action.starts) } else { None }
    }

    /// Whether its store can open a transaction wherever the app runs: D1 can't.
    pub fn has_transactions(self, project: &Project) -> bool {
        let store = project.app.stores.get(self.store());
        store.is_some_and(|store| !store.engines.values().any(|engine| matches!(engine, Engine::D1(_))))
    }

    /// What one run of it is, for people.
    pub fn run_is(self) -> &'static str {
        match self {
            Handler::Subscriber(_) => "while it handles one event",
            Handler::Action(_) => "while it runs",
            Handler::Batch(_) | Handler::Backfill(_) => "in one step",
        }
    }
}
