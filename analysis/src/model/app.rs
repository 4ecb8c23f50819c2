//! What an app declares beside its types, its deployables and what runs at times of its own.

use std::collections::{BTreeMap, BTreeSet};

use super::{Retry, TypeRef};

/// A `store` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Store {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// What keeps it for each target that can run it.
    pub engines: BTreeMap<Target, Engine>,
    /// How long an event is kept after its last delivery has ended.
    pub keep_ms: u64,
}

/// What keeps a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The path of `sqlite("…")`, natively.
    Sqlite(String),
    /// The environment variable of `postgres(env("…"))`, which holds its URL; natively.
    Postgres(String),
    /// The binding of `d1("…")`, on Workers.
    D1(String),
}

/// What a deployable is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the value of its name")]
pub enum Target {
    Native,
    Workers,
}

/// A `connection` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The package it uses.
    pub package: String,
    /// One for each of the package's settings that the connection gives; the others take their default or none.
    pub settings: BTreeMap<String, SettingSource>,
    /// The connection's cap, else the package's, else none.
    pub max_concurrent: Option<u64>,
    /// The polls that run, since a subscriber listens, with the interval that holds here.
    pub live_polls: Vec<LivePoll>,
    /// Where its events are kept; `None` where none are.
    pub events_store: Option<String>,
    /// How long its events are kept, from `events: { keep: }`, else the store's.
    pub keep_ms: u64,
    /// Whether `http` is allowed to a host that a setting gives.
    pub plain_http: bool,
}

/// Where a setting's value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// Written in the manifest, as canonical JSON.
    Literal(String),
    /// Read from this environment variable at start-up, by the setting's type.
    Env(String),
}

/// A poll that runs for a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the fact of its name")]
pub struct LivePoll {
    pub name: String,
    pub operation: String,
    pub every_ms: u64,
    pub event: TypeRef,
}

/// A `subscriber` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscriber {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The events it hears, in the order of `on:`; more than one gives its handler a generated enum.
    pub on: Vec<TypeRef>,
    /// The connections whose package events it hears.
    pub from: Vec<String>,
    /// The connections that its code may call.
    pub uses: Vec<String>,
    /// Whether its code may call the connection that the event came through.
    pub uses_origin: bool,
    /// The app's events that its code may emit.
    pub emits: Vec<TypeRef>,
    /// The store that it writes.
    pub store: String,
    /// How long after an event was kept its delivery is given up.
    pub within_ms: u64,
    /// How its deliveries are retried.
    pub retry: Retry,
}

/// An `action` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// Whether what is outside the program may call it by name.
    pub public: bool,
    /// The store that it writes.
    pub store: String,
    /// The object that a caller gives.
    pub input: Option<TypeRef>,
    /// What it answers.
    pub output: Option<super::Type>,
    /// The app's events that its code may emit.
    pub emits: Vec<TypeRef>,
    /// The connections that its code may call.
    pub uses: Vec<String>,
    /// The batches and backfills that its code may start.
    pub starts: BTreeSet<String>,
}

/// A `route` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// `GET`, `HEAD`, `POST`, `PUT`, `PATCH` or `DELETE`.
    pub method: String,
    /// Its path's segments, without the `/` before each.
    pub path: Vec<Segment>,
    /// The action that it runs.
    pub action: String,
    /// The environment variable of `bearer(env("…"))`, which holds the token; `None`: anybody may call it.
    pub bearer: Option<String>,
    /// Whether the answer waits for what the action sets off.
    pub settle: bool,
    /// The longest that it waits, the action's deadline too.
    pub within_ms: u64,
}

/// A segment of a route's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// As it stands, not percent-encoded.
    Text(String),
    /// Any one segment: the text of the input's field of this declared name.
    Input(String),
}
