//! Packages: where a provider is and how its operations are called.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Shape, is_false};

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
