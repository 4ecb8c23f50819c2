//! What a surface holds: one provider, the public operations and the public types, without places or documentation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::shape::Shape;

/// What an app that uses a package can see of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Surface {
    /// The package's name.
    pub package: String,
    /// Its version, which is no part of what is compared.
    pub version: String,
    /// The one entry of the provider.
    pub provider: Provider,
    /// The public operations, by name.
    pub operations: BTreeMap<String, Operation>,
    /// The public types, by name.
    pub types: BTreeMap<String, TypeEntry>,
}

/// The provider's entry. Fields stand in the order of their names, as those of every entry do: that order is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Provider {
    /// The kind of `auth:`, such as `bearer`.
    pub auth: String,
    /// The package's cap.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_concurrent: Option<u64>,
    /// By name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub polls: BTreeMap<String, Poll>,
    /// By name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<String, Setting>,
}

/// A poll, as far as an app sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Poll {
    /// The event.
    pub emits: String,
    /// The package's interval, in milliseconds.
    pub every_ms: u64,
}

/// A setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Setting {
    /// As canonical JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Its type; what a private newtype constrains stands in its place, and `Enum` for a private Enum.
    #[serde(rename = "type")]
    pub ty: Shape,
    /// The variants of a private Enum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variants: Option<Variants>,
}

/// A public operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// The function that the app's code reads the raw answer with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decode: Option<String>,
    /// What a caller gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Shape>,
    /// What a caller gets.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Shape>,
}

/// A public type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "body", rename_all = "lowercase", deny_unknown_fields)]
pub enum TypeEntry {
    /// `Object { … }`
    Object {
        /// By name.
        fields: BTreeMap<String, Field>,
    },
    /// `Event { … }`
    Event {
        /// By name.
        fields: BTreeMap<String, Field>,
    },
    /// `Enum { … }`
    Enum(Variants),
    /// A checked newtype.
    Newtype {
        /// What it constrains.
        of: Shape,
    },
    /// Another name for a type.
    Alias {
        /// What it stands for.
        of: Shape,
        /// Whether it reaches itself through aliases alone, so that it is a type of its own in Rust.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        recursive: bool,
    },
}

/// A field, written as in a manifest: `Text? { max_length: 5 } optional`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Field {
    /// Its type.
    pub ty: Shape,
    /// Whether it may be missing.
    pub optional: bool,
}

/// The variants of an Enum.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variants {
    /// The one that keeps what no other has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// The others, by name, each with what is stored for it where apps or stores come to hold that.
    pub variants: BTreeMap<String, Option<Wire>>,
}

/// What is stored for a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Wire {
    /// This text.
    Text(String),
    /// This integer.
    Int(i64),
}

/// What ends the text of a field that may be missing.
const OPTIONAL: &str = " optional";

impl TryFrom<String> for Field {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let (ty, optional) = text.strip_suffix(OPTIONAL).map_or((&*text, false), |ty| (ty, true));
        Ok(Self { ty: Shape::parse(ty)?, optional })
    }
}

impl From<Field> for String {
    fn from(field: Field) -> Self {
        field.to_string()
    }
}

impl std::fmt::Display for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", self.ty, if self.optional { OPTIONAL } else { "" })
    }
}

/// How many names in a row are followed.
const NAMES_MAX: usize = 64;

impl Surface {
    /// What a type is when it is only another name for one; itself, where it isn't.
    pub fn behind<'s>(&'s self, entry: &'s TypeEntry) -> &'s TypeEntry {
        let next = |entry: &&'s TypeEntry| self.types.get(entry.other_name()?);
        std::iter::successors(Some(entry), next).take(NAMES_MAX).last().unwrap_or(entry)
    }

    /// Whether a name is only another one for `target`.
    pub fn stands_for(&self, name: &str, target: &str) -> bool {
        let next = |name: &&str| self.types.get(*name)?.other_name();
        std::iter::successors(Some(name), next).take(NAMES_MAX).skip(1).any(|name| name == target)
    }
}

impl TypeEntry {
    /// The type that it is only another name for.
    fn other_name(&self) -> Option<&str> {
        match self {
            Self::Alias { of: Shape::Name(name, rules), recursive: false } if rules.is_empty() => Some(name),
            _ => None,
        }
    }

    /// Whether another one has a body of the same sort.
    pub fn is_like(&self, other: &Self) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }

    /// Its fields, where it is an object or an event.
    pub fn fields(&self) -> Option<&BTreeMap<String, Field>> {
        match self {
            Self::Object { fields } | Self::Event { fields } => Some(fields),
            _ => None,
        }
    }

    /// The types that it holds.
    pub fn shapes(&self) -> Vec<&Shape> {
        match self {
            Self::Object { fields } | Self::Event { fields } => fields.values().map(|it| &it.ty).collect(),
            Self::Newtype { of } | Self::Alias { of, .. } => vec![of],
            Self::Enum(_) => Vec::new(),
        }
    }
}
