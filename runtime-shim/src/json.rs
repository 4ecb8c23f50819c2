//! The `Json` type: any JSON value, with its numbers exact.

use std::collections::BTreeMap;
use std::fmt;

use rust_decimal::Decimal;

use crate::codec::{self, DecodeError, Form, Mismatch, Number, Reader, Wire, Writer};

/// Any JSON value. Shows as canonical JSON: no white space, keys by code point, one spelling for each number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each variant is the JSON value of its name")]
pub enum Json {
    Null,
    Bool(bool),
    Number(JsonNumber),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

/// A number of any size and precision; equal numbers are equal however they were written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct JsonNumber(String);

impl Json {
    /// Reads JSON text.
    pub fn parse(text: &str) -> Result<Self, DecodeError> {
        codec::decode(text, Form::Canonical)
    }

    /// The member of this key, where this is an object that has it.
    pub fn get(&self, key: &str) -> Option<&Self> {
        self.as_object()?.get(key)
    }

    /// The value at a JSON Pointer.
    pub fn at(&self, pointer: &str) -> Option<&Self> {
        codec::tokens(pointer).iter().try_fold(self, |value, token| match value {
            Self::Object(members) => members.get(token),
            Self::List(items) => items.get(codec::index(token)?),
            _ => None,
        })
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }

    /// What this says, where it is a boolean.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// What this says, where it is a string.
    pub fn as_text(&self) -> Option<&str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }

    /// The integer that this is exactly, where it is a number.
    pub fn as_int(&self) -> Option<i64> {
        if let Self::Number(number) = self { number.integer() } else { None }
    }

    /// The decimal that this is exactly, where it is a number.
    pub fn as_decimal(&self) -> Option<Decimal> {
        if let Self::Number(number) = self { number.decimal() } else { None }
    }

    /// The items, where this is a list.
    pub fn as_list(&self) -> Option<&[Self]> {
        if let Self::List(items) = self { Some(items) } else { None }
    }

    /// The members, where this is an object.
    pub fn as_object(&self) -> Option<&BTreeMap<String, Self>> {
        if let Self::Object(members) = self { Some(members) } else { None }
    }
}

impl JsonNumber {
    /// The number that `text` is as JSON; none where it is no number or its exponent has more than 17 digits.
    pub fn parse(text: &str) -> Option<Self> {
        Number::parse(text.as_bytes())?.normal().map(Self)
    }

    /// Its one spelling: plain below 10^21 and down to 10^-6, else with an exponent.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The integer that this is exactly.
    pub fn integer(&self) -> Option<i64> {
        Number::parse(self.0.as_bytes())?.integer()
    }

    /// The decimal that this is exactly.
    pub fn decimal(&self) -> Option<Decimal> {
        Number::parse(self.0.as_bytes())?.decimal()
    }
}

impl Wire for Json {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        match reader.kind() {
            Some(b'{') => reader.map(|key| Ok(key.to_owned()), Self::read).map(Self::Object),
            Some(b'[') => Vec::read(reader).map(Self::List),
            Some(b'"') => reader.text().map(|text| Self::Text(text.into_owned())),
            Some(b't' | b'f') => bool::read(reader).map(Self::Bool),
            Some(b'n') => Option::<bool>::read(reader).map(|_| Self::Null),
            Some(b'-' | b'0'..=b'9') => {
                reader.any_number(|number| number.normal()).map(|text| Self::Number(JsonNumber(text)))
            }
            _ => Err(reader.refuse("a JSON value")),
        }
    }

    fn write(&self, writer: &mut Writer) {
        match self {
            Self::Null => writer.null(),
            Self::Bool(value) => writer.bool(*value),
            Self::Number(number) => writer.raw(&number.0),
            Self::Text(text) => writer.text(text),
            Self::List(items) => items.write(writer),
            Self::Object(members) => {
                writer.entries(members.iter().map(|(key, value)| (key.as_str(), value)), |writer, value| {
                    value.write(writer);
                });
            }
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&codec::encode(self, Form::Canonical))
    }
}

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Json {
    fn from(value: i64) -> Self {
        Self::Number(JsonNumber::from(value))
    }
}

impl From<Decimal> for Json {
    fn from(value: Decimal) -> Self {
        Self::Number(JsonNumber::from(value))
    }
}

impl From<i64> for JsonNumber {
    fn from(value: i64) -> Self {
        Self::parse(&value.to_string()).expect("an integer is written as a JSON number")
    }
}

impl From<Decimal> for JsonNumber {
    fn from(value: Decimal) -> Self {
        Self::parse(&value.to_string()).expect("a decimal is written as a JSON number")
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<Json>> for Json {
    fn from(items: Vec<Self>) -> Self {
        Self::List(items)
    }
}

impl From<BTreeMap<String, Json>> for Json {
    fn from(members: BTreeMap<String, Self>) -> Self {
        Self::Object(members)
    }
}
