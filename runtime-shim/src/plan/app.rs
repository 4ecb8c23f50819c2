//! What an app declares: its stores, its connections, and who hears their events.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Retry, is_false};

/// A store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Store {
    /// What keeps it in a native program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub native: Option<StoreEngine>,
    /// What keeps it on Workers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers: Option<StoreEngine>,
    /// How long an event is kept after its last delivery has ended.
    pub keep_ms: u64,
}

/// What keeps a store.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum StoreEngine {
    /// The file of this path.
    Sqlite(String),
    /// The PostgreSQL database whose URL this environment variable holds.
    Postgres(String),
    /// The D1 database of this binding.
    D1(String),
}

/// A connection of the app to a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Connection {
    /// The package's name.
    pub package: String,
    /// What the connection gives; other settings take their default or none.
    pub settings: BTreeMap<String, SettingSource>,
    /// The cap on attempts at once, per app instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_concurrent: Option<u64>,
    /// Polls that a subscriber listens to, by name.
    pub polls: BTreeMap<String, Poll>,
    /// Where its events are kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub events_store: Option<String>,
    /// How long they are kept.
    pub keep_ms: u64,
    /// Whether `http` is allowed to a host that a setting gives.
    #[serde(default, skip_serializing_if = "is_false")]
    pub plain_http: bool,
}

/// Where a setting's value comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum SettingSource {
    /// Canonical JSON.
    Literal(String),
    /// The environment variable of this name.
    Env(String),
}

/// A poll of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the fact of its name")]
pub struct Poll {
    pub operation: String,
    pub every_ms: u64,
    /// The event's type, by its key in [`Plan::types`]; also its event name.
    pub event: String,
}

/// A subscriber.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Subscriber {
    /// Event names, each a key of [`Plan::types`].
    pub on: Vec<String>,
    /// The connections whose events it hears; an app's own event comes through none.
    pub from: Vec<String>,
    /// The connections that its code may call.
    pub uses: Vec<String>,
    /// Whether it may call the connection that the event came through.
    #[serde(default, skip_serializing_if = "is_false")]
    pub uses_origin: bool,
    /// The app's events that it may emit.
    pub emits: Vec<String>,
    /// The store that it writes, which is also where its events are kept.
    pub store: String,
    /// Counted from when the event was kept.
    pub within_ms: u64,
    /// Attempts of a delivery.
    pub retry: Retry,
}
