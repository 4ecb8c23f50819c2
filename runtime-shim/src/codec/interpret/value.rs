//! Values of any type.

use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use url::Url;
use uuid::Uuid;

use crate::codec::civil::{ShownDate, ShownDateTime};
use crate::codec::duration::Shown;
use crate::codec::{bytes, instant, scalar};
use crate::email::Email;
use crate::json::Json;
use crate::plan::Field;

/// A value of any type but `Secret`; an enum's is its wire value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "each variant is the type of its name in the language")]
pub enum Value {
    /// A nullable type's `null`.
    None,
    Text(String),
    Int(i64),
    Decimal(Decimal),
    Bool(bool),
    Instant(Timestamp),
    DateTime(DateTime),
    Date(Date),
    Duration(SignedDuration),
    Uuid(Uuid),
    Url(Url),
    Email(Email),
    Bytes(Vec<u8>),
    Json(Json),
    List(Vec<Value>),
    /// By the canonical text of the keys.
    Map(BTreeMap<String, Value>),
    /// By declared name; an absent optional field is not there.
    Object(BTreeMap<String, Value>),
}

impl Value {
    /// The field of this declared name, where this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Self> {
        if let Self::Object(fields) = self { fields.get(name) } else { None }
    }

    /// The object of those of this object's fields that `fields` declares, as an event is made from an answer.
    #[must_use]
    pub fn select(&self, fields: &[Field]) -> Self {
        let kept =
            fields.iter().filter_map(|field| Some((field.name.clone(), self.get(&field.name)?.clone())));
        Self::Object(kept.collect())
    }

    /// The canonical text of a scalar, as templates take it; none of `null`, and of what is no scalar.
    pub fn to_text(&self) -> Option<String> {
        Some(match self {
            Self::None | Self::List(_) | Self::Map(_) | Self::Object(_) => return None,
            Self::Text(text) => text.clone(),
            Self::Int(value) => value.to_string(),
            Self::Decimal(value) => scalar::decimal_text(value),
            Self::Bool(value) => value.to_string(),
            Self::Instant(value) => instant::rfc3339(*value),
            Self::DateTime(value) => ShownDateTime(*value).to_string(),
            Self::Date(value) => ShownDate(*value).to_string(),
            Self::Duration(value) => Shown(*value).to_string(),
            Self::Uuid(value) => value.hyphenated().to_string(),
            Self::Url(value) => value.as_str().to_owned(),
            Self::Email(value) => value.as_str().to_owned(),
            Self::Bytes(value) => bytes::base64(value),
            Self::Json(value) => value.to_string(),
        })
    }
}
