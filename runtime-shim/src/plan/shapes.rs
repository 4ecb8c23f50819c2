//! Declared types, and types where they are used.

use serde::{Deserialize, Serialize};

use super::is_false;

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
