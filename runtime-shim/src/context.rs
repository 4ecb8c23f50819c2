//! What a body is given beside its event: its store, the connections it may call, the clock, and what it may emit.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::boundary::StoreAccess;
use crate::call::{CallHandle, Connection, Turn};
use crate::host::SharedHost;

/// The context of one attempt of a delivery. Generated code wraps it and offers only what the manifest declares.
pub struct Context {
    pub(crate) host: SharedHost,
    pub(crate) connections: Arc<BTreeMap<String, Connection>>,
    pub(crate) turn: Turn,
    pub(crate) store: StoreAccess,
    pub(crate) emitted: Vec<Emitted>,
    pub(crate) origin: Option<String>,
    pub(crate) attempt: u32,
    pub(crate) trace: String,
}

/// An event that a body emitted; it is kept with the boundary's commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// Its name: its type's key in the plan.
    pub name: &'static str,
    /// Canonical JSON.
    pub payload: String,
}

impl Context {
    /// The store that the subscriber writes.
    pub fn store(&mut self) -> &mut StoreAccess {
        &mut self.store
    }

    /// Emits an event of the app: `payload` is its canonical JSON. One that breaks the constraints of its type, which no
    /// subscriber could read, fails the body once it has its value.
    pub fn emit(&mut self, name: &'static str, payload: String) {
        self.emitted.push(Emitted { name, payload });
    }

    /// The way to call through a connection that the subscriber's `uses:` names.
    pub fn connection(&self, name: &str) -> CallHandle<'_> {
        let connection = self.connections.get(name);
        let connection =
            connection.expect("starting opened every connection that a subscriber's `uses:` names");
        CallHandle::new(connection, &self.turn)
    }

    /// The connection that the event came through.
    pub fn origin(&self) -> Option<&str> {
        self.origin.as_deref()
    }

    /// Which attempt this is, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The host's clock.
    pub fn now(&self) -> jiff::Timestamp {
        crate::clock::timestamp(self.host.wall_ms())
    }

    /// The W3C `traceparent` of this attempt.
    pub fn trace(&self) -> &str {
        &self.trace
    }
}
