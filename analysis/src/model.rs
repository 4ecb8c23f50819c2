//! The resolved, defaulted meaning of a project: all that codegen, the surface and the reports read.
//!
//! It holds no span and nothing of the database. It exists only for a project without errors, so every reference in
//! it resolves, every default is filled in, and every list is in a fixed order: by name, but for fields and variants
//! (as declared), and headers and query keys (as declared).

use std::collections::BTreeMap;

/// A project: one app and the packages that its connections use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Project {
    /// The app.
    pub app: App,
    /// The packages, by name.
    pub packages: BTreeMap<String, Package>,
}

/// The app's own declarations.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the declarations of its kind, by name")]
pub struct App {
    pub name: String,
    pub doc: String,
    pub types: BTreeMap<String, TypeDef>,
    pub stores: BTreeMap<String, Store>,
    pub connections: BTreeMap<String, Connection>,
    pub subscribers: BTreeMap<String, Subscriber>,
    pub deployables: BTreeMap<String, Deployable>,
}

/// A package.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the part of its name")]
pub struct Package {
    pub name: String,
    pub doc: String,
    pub provider: Provider,
    pub operations: BTreeMap<String, Operation>,
    pub types: BTreeMap<String, TypeDef>,
}

/// A declared type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDef {
    /// Its name, `UpperCamelCase`.
    pub name: String,
    /// Its documentation, lines joined by `\n`; empty when there is none.
    pub doc: String,
    /// Whether apps may name it.
    pub public: bool,
    /// What it is.
    pub kind: TypeKind,
}

/// The kinds of declared types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `Object { … }`
    Object {
        /// As declared.
        fields: Vec<Field>,
    },
    /// `Event { … }`
    Event {
        /// The provider's name for it, where the provider sends it.
        wire_name: Option<String>,
        /// As declared.
        fields: Vec<Field>,
    },
    /// `Enum { … }`
    Enum {
        /// As declared, the catch-all included.
        variants: Vec<Variant>,
        /// Whether its values are sent as integers.
        integers: bool,
    },
    /// A type with constraints of its own: a checked newtype.
    Newtype(Type),
    /// Another name for a type.
    Alias {
        /// What it stands for.
        target: Type,
        /// Whether it reaches itself through aliases alone, so that Rust needs a struct.
        recursive: bool,
    },
}

/// A field of an object or an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its declared name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// Its name on the wire, after `field_case:` and `as`.
    pub wire: String,
    /// The JSON Pointer where it is read, instead of `wire`.
    pub at: Option<String>,
    /// Whether it may be missing.
    pub optional: bool,
    /// Whether Rust must box it, since its type reaches this object again without a list or a map between.
    pub boxed: bool,
    /// Its type.
    pub ty: Type,
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its declared name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// How it is sent.
    pub wire: VariantWire,
}

/// How a variant is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VariantWire {
    /// As this text, after `enum_case:` and `as`.
    Text(String),
    /// As this integer.
    Int(i64),
    /// It keeps whatever no other variant has.
    Other,
}

/// A type where it is used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the type of its name")]
pub enum Type {
    Text(TextRule),
    Int(RangeRule),
    Decimal(RangeRule),
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
    List(Box<Type>, ItemsRule),
    Map(Box<Type>, Box<Type>),
    /// `T?`
    Nullable(Box<Type>),
    /// A declared type.
    Named(TypeRef),
}

/// Which declared type: `package` is `None` for one of the app's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the struct's documentation says both")]
pub struct TypeRef {
    pub package: Option<String>,
    pub name: String,
}

/// Constraints of a text; lengths in Unicode scalar values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct TextRule {
    pub min_length: Option<u64>,
    pub max_length: Option<u64>,
    pub pattern: Option<String>,
}

/// Constraints of a number, as canonical decimal text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct RangeRule {
    pub min: Option<String>,
    pub max: Option<String>,
}

/// Constraints of a list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct ItemsRule {
    pub min_items: Option<u64>,
    pub max_items: Option<u64>,
}

/// How an instant is sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the value of its name")]
pub enum InstantWire {
    #[default]
    Rfc3339,
    UnixS,
    UnixMs,
    Rfc2822,
}

/// How bytes are sent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the value of its name")]
pub enum BytesWire {
    #[default]
    Base64,
    Base64Url,
    Hex,
}

/// A `provider` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Provider {
    /// SemVer text.
    pub version: String,
    /// Without a `/` at its end.
    pub base_url: Template,
    /// As declared.
    pub settings: Vec<Setting>,
    /// How calls are authorised.
    pub auth: Auth,
    /// Sent with every call.
    pub headers: Vec<(String, Template)>,
    /// Per attempt.
    pub timeout_ms: u64,
    /// How calls are retried.
    pub retry: Retry,
    /// Counted after decompression.
    pub max_response_bytes: u64,
    /// The package's cap on attempts at once.
    pub max_concurrent: Option<u64>,
    /// By name.
    pub polls: BTreeMap<String, Poll>,
}

/// One of a provider's `settings:`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// A scalar, newtype, enum or `Secret`, perhaps nullable.
    pub ty: Type,
    /// Its default, as canonical JSON.
    pub default_json: Option<String>,
}

/// How calls are authorised.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the value of its name")]
pub enum Auth {
    None,
    Bearer(Template),
    Basic(Template, Template),
    Header(String, Template),
    Query(String, Template),
}

/// A text with holes; a value that is only `settings.x` or `input.x` is a template of that one hole.
///
/// Where a hole is absent or none, what the whole template stands for (a header, a query key) is left out. A list
/// stands alone in its template, and its query key is then repeated.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Template {
    /// In order.
    pub parts: Vec<Part>,
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// As it stands.
    Text(String),
    /// The setting of this name.
    Setting(String),
    /// The input's field of this declared name.
    Input(String),
}

/// `retry:`; waits in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct Retry {
    pub attempts: u32,
    pub initial_ms: u64,
    pub max_ms: u64,
}

/// One of a provider's `polls:`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct Poll {
    pub name: String,
    pub doc: String,
    pub call: String,
    pub every_ms: u64,
    pub emits: TypeRef,
}

/// An `operation` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// Whether the app may call it.
    pub public: bool,
    /// `GET`, `HEAD`, `POST`, `PUT`, `PATCH` or `DELETE`.
    pub method: String,
    /// Starts with `/`.
    pub path: Template,
    /// The object that a caller gives.
    pub input: Option<TypeRef>,
    /// As declared.
    pub query: Vec<(String, Template)>,
    /// As declared.
    pub headers: Vec<(String, Template)>,
    /// The input's fields that make up the JSON body, by declared name; empty for no body.
    pub body_fields: Vec<String>,
    /// What the answer holds; `None`: the body is not read.
    pub output: Option<Type>,
    /// The JSON Pointer where the output stands in the answer.
    pub at: String,
    /// The app's function that reads the raw answer.
    pub decode: Option<String>,
    /// Whether it changes the provider's data.
    pub changes: bool,
    /// The header that carries one key for all attempts of a call.
    pub idempotency_header: Option<String>,
    /// Per attempt.
    pub timeout_ms: u64,
}

/// A `store` block over SQLite.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct Store {
    pub name: String,
    pub doc: String,
    /// The path of `sqlite("…")`.
    pub sqlite: String,
    pub keep_ms: u64,
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

/// A `deployable` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployable {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The subscribers that it runs, by name.
    pub subscribers: Vec<String>,
    /// The polls that it runs, as connection and poll.
    pub polls: Vec<(String, String)>,
    /// Its loop.
    pub runner: Runner,
}

/// `runner:`; 0 turns one of the two sleeps at capacity off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the key of its name")]
pub struct Runner {
    pub workers: u32,
    pub at_capacity_poll_interval_ms: u64,
    pub at_capacity_heartbeat_ms: u64,
    pub backoff_initial_ms: u64,
    pub backoff_max_ms: u64,
    pub sleep_detection_ms: u64,
}
