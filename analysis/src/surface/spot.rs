//! Where in a surface something stands: a part of an entry.

use std::fmt;

/// A part of an entry.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "each variant is the part of its name")]
pub enum Spot {
    Package(String),
    Auth,
    MaxConcurrent,
    Poll(String),
    Setting(String),
    Operation(String),
    Decode(String),
    Input(String),
    Output(String),
    Type(String),
    Field { of: String, name: String },
    Variant { of: String, name: String },
}

impl Spot {
    /// The entry that it is a part of, as the surface names it.
    pub fn entry(&self) -> String {
        match self {
            Self::Package(_) => "package".to_owned(),
            Self::Auth | Self::MaxConcurrent | Self::Poll(_) | Self::Setting(_) => "provider".to_owned(),
            Self::Operation(name) | Self::Decode(name) | Self::Input(name) | Self::Output(name) => {
                format!("operation {name}")
            }
            Self::Type(name) | Self::Field { of: name, .. } | Self::Variant { of: name, .. } => {
                format!("type {name}")
            }
        }
    }

    /// The keys that lead to it in a `surface.json`.
    pub fn keys(&self) -> Vec<&str> {
        match self {
            Self::Package(_) => vec!["package"],
            Self::Auth => vec!["provider", "surface", "auth"],
            Self::MaxConcurrent => vec!["provider", "surface", "max_concurrent"],
            Self::Poll(name) => vec!["provider", "surface", "polls", name],
            Self::Setting(name) => vec!["provider", "surface", "settings", name],
            Self::Operation(name) => vec!["operations", name],
            Self::Decode(name) => vec!["operations", name, "surface", "decode"],
            Self::Input(name) => vec!["operations", name, "surface", "input"],
            Self::Output(name) => vec!["operations", name, "surface", "output"],
            Self::Type(name) => vec!["types", name],
            Self::Field { of, name } => vec!["types", of, "surface", "fields", name],
            Self::Variant { of, name } => vec!["types", of, "surface", "variants", name],
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Package(name) => write!(f, "package `{name}`"),
            Self::Auth => f.write_str("`auth`"),
            Self::MaxConcurrent => f.write_str("`max_concurrent`"),
            Self::Poll(name) => write!(f, "poll `{name}`"),
            Self::Setting(name) => write!(f, "setting `{name}`"),
            Self::Operation(name) | Self::Decode(name) => write!(f, "operation `{name}`"),
            Self::Input(name) => write!(f, "the input of `{name}`"),
            Self::Output(name) => write!(f, "the output of `{name}`"),
            Self::Type(name) => write!(f, "type `{name}`"),
            Self::Field { of, name } => write!(f, "field `{name}` of `{of}`"),
            Self::Variant { of, name } => write!(f, "variant `{name}` of `{of}`"),
        }
    }
}
