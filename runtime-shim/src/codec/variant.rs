//! Enums: which variant a wire value is.

use std::borrow::Cow;
use std::fmt;

use super::error::Mismatch;
use super::map::MapKey;
use super::reader::Reader;
use super::writer::Writer;
use crate::sql::{SqlValue, ToSql};

/// An enum of generated code.
pub trait Variants: Clone + 'static {
    /// What is sent for a variant.
    type Sent: Sent;
    /// Each variant but the catch-all, in declared order.
    const KNOWN: &'static [Self];
    /// The catch-all, which keeps what none of the others is.
    const OTHER: Option<fn(Self::Sent) -> Self> = None;

    /// What is sent for this one.
    fn sent(&self) -> <Self::Sent as Sent>::Value<'_>;

    /// Reads one.
    fn read_variant(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        Self::Sent::read::<Self>(reader).map(of)
    }
}

/// What can be sent for variants: text, or an integer.
pub trait Sent: Sized {
    /// What is borrowed from a variant.
    type Value<'v>;

    /// Reads which variant was sent.
    fn read<T: Variants<Sent = Self>>(reader: &mut Reader<'_>) -> Result<Picked<Self>, Mismatch>;

    /// Which variant a key of a map names, or what is wanted there.
    fn read_key<T: Variants<Sent = Self>>(key: &str) -> Result<Picked<Self>, String>;

    /// Writes what is sent.
    fn write(value: Self::Value<'_>, writer: &mut Writer);

    /// What is sent, as a key.
    fn key<T: Variants<Sent = Self>>(variant: &T) -> Cow<'_, str>;

    /// What is sent, as a column holds it.
    fn sql(value: Self::Value<'_>) -> SqlValue;

    /// Shows what is sent.
    fn show(value: Self::Value<'_>, formatter: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// What a wire value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked<K> {
    /// The variant of this index.
    Known(usize),
    /// No variant's, kept by the catch-all.
    Other(K),
}

impl<T: Variants + Ord> MapKey for T {
    fn read_key(text: &str) -> Result<Self, String> {
        T::Sent::read_key::<T>(text).map(of)
    }

    fn write_key(&self) -> Cow<'_, str> {
        T::Sent::key(self)
    }
}

impl Sent for String {
    type Value<'v> = &'v str;

    fn read<T: Variants<Sent = Self>>(reader: &mut Reader<'_>) -> Result<Picked<Self>, Mismatch> {
        reader.text_variant(T::KNOWN, T::sent, T::OTHER.is_some())
    }

    fn read_key<T: Variants<Sent = Self>>(key: &str) -> Result<Picked<Self>, String> {
        pick_text(T::KNOWN, T::sent, T::OTHER.is_some(), key)
    }

    fn write(value: &str, writer: &mut Writer) {
        writer.text(value);
    }

    fn key<T: Variants<Sent = Self>>(variant: &T) -> Cow<'_, str> {
        Cow::Borrowed(variant.sent())
    }

    fn sql(value: &str) -> SqlValue {
        value.to_sql()
    }

    fn show(value: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(value)
    }
}

impl Sent for i64 {
    type Value<'v> = i64;

    fn read<T: Variants<Sent = Self>>(reader: &mut Reader<'_>) -> Result<Picked<Self>, Mismatch> {
        reader.int_variant(T::KNOWN, T::sent, T::OTHER.is_some())
    }

    fn read_key<T: Variants<Sent = Self>>(key: &str) -> Result<Picked<Self>, String> {
        pick_int_key(T::KNOWN, T::sent, T::OTHER.is_some(), key)
    }

    fn write(value: i64, writer: &mut Writer) {
        writer.int(value);
    }

    fn key<T: Variants<Sent = Self>>(variant: &T) -> Cow<'_, str> {
        Cow::Owned(variant.sent().to_string())
    }

    fn sql(value: i64) -> SqlValue {
        value.to_sql()
    }

    fn show(value: i64, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&value, formatter)
    }
}

/// The variant that was picked.
fn of<T: Variants>(picked: Picked<T::Sent>) -> T {
    match picked {
        Picked::Known(index) => T::KNOWN[index].clone(),
        Picked::Other(kept) => T::OTHER.expect("nothing is kept without a catch-all")(kept),
    }
}

impl Reader<'_> {
    pub(super) fn text_variant<V>(
        &mut self,
        values: &[V],
        text_of: impl Fn(&V) -> &str,
        other: bool,
    ) -> Result<Picked<String>, Mismatch> {
        if self.begin() != Some(b'"') {
            let wanted = if other { "text".to_owned() } else { wanted_texts(values, text_of) };
            return Err(self.reject(&wanted));
        }
        let text = self.string_here()?.content();
        pick_text(values, text_of, other, &text).map_err(|wanted| self.mismatch(&wanted))
    }

    pub(super) fn int_variant<V>(
        &mut self,
        values: &[V],
        int_of: impl Fn(&V) -> i64,
        other: bool,
    ) -> Result<Picked<i64>, Mismatch> {
        let value = self.int()?;
        pick_int(values, int_of, other, value).map_err(|wanted| self.mismatch(&wanted))
    }
}

pub(super) fn pick_text<V>(
    values: &[V],
    text_of: impl Fn(&V) -> &str,
    other: bool,
    text: &str,
) -> Result<Picked<String>, String> {
    match values.iter().position(|value| text_of(value) == text) {
        Some(index) => Ok(Picked::Known(index)),
        None if other => Ok(Picked::Other(text.to_owned())),
        None => Err(wanted_texts(values, text_of)),
    }
}

/// Picks by a key, which is an integer written in its one way.
pub(super) fn pick_int_key<V>(
    values: &[V],
    int_of: impl Fn(&V) -> i64,
    other: bool,
    key: &str,
) -> Result<Picked<i64>, String> {
    match key.parse::<i64>().ok().filter(|value| value.to_string() == key) {
        Some(value) => pick_int(values, int_of, other, value),
        None => Err(wanted_ints(values, int_of)),
    }
}

fn pick_int<V>(
    values: &[V],
    int_of: impl Fn(&V) -> i64,
    other: bool,
    value: i64,
) -> Result<Picked<i64>, String> {
    match values.iter().position(|known| int_of(known) == value) {
        Some(index) => Ok(Picked::Known(index)),
        None if other => Ok(Picked::Other(value)),
        None => Err(wanted_ints(values, int_of)),
    }
}

fn wanted_texts<V>(values: &[V], text_of: impl Fn(&V) -> &str) -> String {
    one_of(values.iter().map(|value| format!("{:?}", text_of(value))))
}

fn wanted_ints<V>(values: &[V], int_of: impl Fn(&V) -> i64) -> String {
    one_of(values.iter().map(|value| int_of(value).to_string()))
}

/// The values that fit, as far as they are few.
fn one_of(values: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 8;
    let count = values.len();
    let shown: Vec<String> = values.take(SHOWN).collect();
    let rest = if count > SHOWN { format!(" or {} more", count - SHOWN) } else { String::new() };
    if count == 1 { shown.concat() } else { format!("one of {}{rest}", shown.join(", ")) }
}
