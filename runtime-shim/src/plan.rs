//! What runs: plain data made by the compiler, written as `plan.json`, read by compiled and interpreted apps alike.
//!
//! Waits are in milliseconds. Names of types are `package.Type`, or `Type` for one of the app's. A reader refuses a
//! version that it does not know, and unknown keys, since ignoring one could run something else than was checked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// The version of this form.
pub const VERSION: u32 = 1;

/// An app: what it connects to, what it hears, where it keeps things, and what its deployables run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// [`VERSION`] of the writer.
    pub version: u32,
    /// The app's name.
    pub app: String,
    /// Every declared type that something below names, through any number of types.
    pub types: BTreeMap<String, TypeDef>,
    /// By name.
    pub packages: BTreeMap<String, Package>,
    /// By name.
    pub connections: BTreeMap<String, Connection>,
    /// By name.
    pub stores: BTreeMap<String, Store>,
    /// By name.
    pub subscribers: BTreeMap<String, Subscriber>,
    /// By name.
    pub deployables: BTreeMap<String, Deployable>,
}

/// A declared type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum TypeDef {
    /// An object, an event included; fields in the byte order of their declared names.
    Object(Vec<Field>),
    /// An enum sent as text: wire values in declared order; a catch-all keeps what none of them is.
    TextEnum {
        /// One for each variant but the catch-all.
        values: Vec<String>,
        /// Whether there is a catch-all.
        other: bool,
    },
    /// An enum sent as integers.
    IntEnum {
        /// One for each variant but the catch-all.
        values: Vec<i64>,
        /// Whether there is a catch-all.
        other: bool,
    },
    /// Another name, or a newtype with the constraints inside its shape.
    Alias(Shape),
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Field {
    /// Its declared name, which stored values use.
    pub name: String,
    /// Its name on the wire.
    pub wire: String,
    /// The JSON Pointer where it is read instead, inside its own object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Whether it may be missing.
    #[serde(default, skip_serializing_if = "is_false")]
    pub optional: bool,
    /// Its type.
    pub shape: Shape,
}

/// A type where it is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "each variant is the type of its name in the language")]
pub enum Shape {
    Text(#[serde(default)] TextRule),
    Int(#[serde(default)] RangeRule),
    Decimal(#[serde(default)] RangeRule),
    Bool,
    Instant(InstantWire),
    DateTime,
    Date,
    Duration,
    Uuid,
    Url,
    Email,
    Bytes(BytesWire),
    Json,
    Secret,
    List(Box<Shape>, #[serde(default)] ItemsRule),
    Map(Box<Shape>, Box<Shape>),
    Nullable(Box<Shape>),
    /// A declared type, by its key in [`Plan::types`].
    Named(String),
}

/// Constraints of a text; lengths in Unicode scalar values, the pattern matching all of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct TextRule {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
}

/// Constraints of a number, as decimal text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct RangeRule {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<String>,
}

/// Constraints of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct ItemsRule {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_items: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
}

/// How an instant is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each variant is the value of its name")]
pub enum InstantWire {
    #[default]
    Rfc3339,
    UnixS,
    UnixMs,
    Rfc2822,
}

/// How bytes are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "each variant is the value of its name")]
pub enum BytesWire {
    #[default]
    Base64,
    Base64url,
    Hex,
}

/// A package: where its provider is and how its operations are called.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the key of its name in the language")]
pub struct Package {
    pub version: String,
    pub base_url: Template,
    pub settings: BTreeMap<String, Setting>,
    pub auth: Auth,
    pub headers: Vec<(String, Template)>,
    pub retry: Retry,
    pub max_response_bytes: u64,
    pub operations: BTreeMap<String, Operation>,
}

/// A setting: its type, and its default as canonical JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the struct's documentation says both")]
pub struct Setting {
    pub shape: Shape,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default_json: Option<String>,
}

/// How calls are authorised; added last, and cut from logs, spans and errors.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
#[expect(missing_docs, reason = "each variant is the value of its name")]
pub enum Auth {
    None,
    Bearer(Template),
    Basic(Template, Template),
    Header(String, Template),
    Query(String, Template),
}

/// A text with holes; where one is absent or none, what the template stands for is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Template {
    /// In order.
    pub parts: Vec<Part>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Part {
    /// As it stands.
    Text(String),
    /// The setting of this name.
    Setting(String),
    /// The input's field of this declared name.
    Input(String),
}

/// Attempts of a call or of a delivery, with full-jitter exponential waits between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct Retry {
    pub attempts: u32,
    pub initial_ms: u64,
    pub max_ms: u64,
}

/// One operation of a package.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// `GET`, `HEAD`, `POST`, `PUT`, `PATCH` or `DELETE`.
    pub method: String,
    /// Starts with `/`.
    pub path: Template,
    /// The type of its input, by its key in [`Plan::types`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// In order.
    pub query: Vec<(String, Template)>,
    /// In order.
    pub headers: Vec<(String, Template)>,
    /// The input's fields in the JSON body, by declared name; empty for no body.
    pub body_fields: Vec<String>,
    /// What the answer holds; `None`: the body is not read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Shape>,
    /// The JSON Pointer where the output stands in the answer.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub at: String,
    /// Whether the app's own Rust reads the raw answer.
    #[serde(default, skip_serializing_if = "is_false")]
    pub decoded_by_app: bool,
    /// Whether a failed call may be sent again.
    pub retriable: bool,
    /// The header that carries one key for all attempts of a call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub idempotency_header: Option<String>,
    /// Per attempt.
    pub timeout_ms: u64,
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

/// A store over SQLite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct Store {
    pub sqlite: String,
    pub keep_ms: u64,
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

/// What one program runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deployable {
    /// By name.
    pub subscribers: Vec<String>,
    /// As connection and poll.
    pub polls: Vec<(String, String)>,
    /// Its loop.
    pub runner: Runner,
}

/// The loop that makes deliveries; 0 turns one of the two sleeps at capacity off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct Runner {
    pub workers: u32,
    pub at_capacity_poll_interval_ms: u64,
    pub at_capacity_heartbeat_ms: u64,
    pub backoff_initial_ms: u64,
    pub backoff_max_ms: u64,
    pub sleep_detection_ms: u64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_false(value: &bool) -> bool {
    !*value
}
