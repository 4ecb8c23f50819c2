//! What a package declares: its provider and its operations.

use std::collections::BTreeMap;

use super::{Type, TypeRef};

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

impl Operation {
    /// Whether a failed attempt of it may be made again.
    pub fn is_retried(&self) -> bool {
        may_be_sent_again(&self.method, self.changes, self.idempotency_header.is_some())
    }
}

/// Whether an operation may be sent again after an attempt that failed. Sending a PUT or a DELETE twice, or what carries one key
/// each time, leaves the provider as sending it once does.
pub fn may_be_sent_again(method: &str, changes: bool, has_key: bool) -> bool {
    !changes || has_key || matches!(method, "PUT" | "DELETE")
}
