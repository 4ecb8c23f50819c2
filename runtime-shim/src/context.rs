//! What a body is given beside its event or its input: its store, the connections it may call, the clock, and what its
//! commit sets off.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use crate::boundary::{StoreAccess, Transaction};
use crate::call::{CallHandle, Connection, Turn};
use crate::codec::{Form, interpret};
use crate::engine::Engine;
use crate::failure::Failure;
use crate::host::SharedHost;
use crate::open_store::OpenStore;
use crate::plan::{Plan, TypeDef};
use crate::store::{Fence, Skipped};
use crate::trace;

/// The context of one attempt of a delivery, of one run of an action, or of one step. Generated code wraps it and offers
/// only what the manifest declares.
pub struct Context {
    plan: Arc<Plan>,
    pub(crate) host: SharedHost,
    connections: Arc<BTreeMap<String, Connection>>,
    turn: Turn,
    pub(crate) store: StoreAccess,
    pub(crate) emitted: Vec<Emitted>,
    pub(crate) started: Vec<Started>,
    pub(crate) skipped: Vec<Skipped>,
    pub(crate) origin: Option<String>,
    pub(crate) attempt: u32,
    /// Made when it is asked for: most bodies keep nothing that says where it was made.
    trace: OnceLock<String>,
    parent: Option<String>,
}

/// An event that a body emitted; it is kept with the boundary's commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// Its name: its type's key in the plan.
    pub name: &'static str,
    /// Canonical JSON.
    pub payload: String,
}

/// A run of a batch that a body started; it is kept with the boundary's commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// The batch's or backfill's name.
    pub batch: &'static str,
    /// Canonical JSON.
    pub input: Option<String>,
}

impl Context {
    /// The context of a body that writes `open` and commits under `fence`, its trace within `parent`'s.
    pub(crate) fn new(
        engine: &Engine,
        open: &OpenStore,
        fence: Fence,
        turn: Turn,
        parent: Option<String>,
    ) -> Context {
        Context {
            plan: engine.plan.clone(),
            host: engine.host.clone(),
            connections: engine.connections.clone(),
            turn,
            store: StoreAccess::new(open.store.clone(), fence),
            emitted: Vec::new(),
            started: Vec::new(),
            skipped: Vec::new(),
            origin: None,
            attempt: 1,
            trace: OnceLock::new(),
            parent,
        }
    }

    /// Whether there is nothing to be kept.
    pub(crate) fn gathered_nothing(&mut self) -> bool {
        self.store.is_untouched() && self.emitted.is_empty() && self.started.is_empty()
    }

    /// The store that the body writes.
    pub fn store(&mut self) -> &mut StoreAccess {
        &mut self.store
    }

    /// Opens the boundary's transaction, in which the body reads its own writes, or goes on with it. Others may wait for what it
    /// locks, so from then on no provider can be called.
    pub async fn transaction(&mut self) -> Result<Transaction<'_>, Failure> {
        let transaction = Transaction::of(&mut self.store).await?;
        self.turn = Turn::InTransaction;
        Ok(transaction)
    }

    /// Emits an event of the app: `payload` is its canonical JSON. One that breaks the constraints of its type, which no
    /// subscriber could read, fails the body once it has its value.
    pub fn emit(&mut self, name: &'static str, payload: String) {
        self.emitted.push(Emitted { name, payload });
    }

    /// Starts a run of a batch or a backfill: `input` is canonical JSON. One that breaks the constraints of its type fails the
    /// body once it has its value.
    pub fn start(&mut self, batch: &'static str, input: Option<String>) {
        self.started.push(Started { batch, input });
    }

    /// Whether a backfill's value, as canonical JSON, keeps the rules of its field. One that doesn't is noted with its
    /// record's key, and is not to be kept.
    pub fn takes(&mut self, record: &str, field: &str, key: &str, value: &str) -> bool {
        let problem = match self.plan.types.get(record) {
            Some(TypeDef::Object(fields)) => fields.iter().find(|known| known.name == field).map(|known| {
                interpret::read(&self.plan.types, &known.shape, value, "", Form::Canonical).err()
            }),
            _ => None,
        };
        let problem = match problem {
            Some(None) => return true,
            Some(Some(error)) => error.to_string(),
            None => format!("the plan has no field {field} of {record}"),
        };
        self.skipped.push(Skipped { key: key.to_owned(), problem });
        false
    }

    /// The way to call through a connection that the manifest's `uses:` names.
    pub fn connection(&self, name: &str) -> CallHandle<'_> {
        let connection = self.connections.get(name);
        let connection =
            connection.expect("starting opened every connection that a `uses:` of the deployable names");
        CallHandle::new(connection, &self.turn)
    }

    /// The connection that the event came through.
    pub fn origin(&self) -> Option<&str> {
        self.origin.as_deref()
    }

    /// Which attempt of a delivery or of a step this is, from 1.
    pub fn attempt(&self) -> u32 {
        self.attempt
    }

    /// The host's clock.
    pub fn now(&self) -> jiff::Timestamp {
        crate::clock::timestamp(self.host.wall_ms())
    }

    /// The W3C `traceparent` of this run.
    pub fn trace(&self) -> &str {
        self.trace.get_or_init(|| trace::within(&*self.host, self.parent.as_deref()))
    }
}
