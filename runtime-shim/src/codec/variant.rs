//! Enums: which variant a wire value is.

use super::error::Mismatch;
use super::reader::Reader;
use super::wire::Wire;

/// The wire values of an enum, in declared order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantTable {
    /// Sent as text.
    Text {
        /// One for each variant but the catch-all.
        values: &'static [&'static str],
        /// Whether a catch-all keeps what none of them is.
        other: bool,
    },
    /// Sent as integers.
    Int {
        /// One for each variant but the catch-all.
        values: &'static [i64],
        /// Whether a catch-all keeps what none of them is.
        other: bool,
    },
}

/// What a wire value is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picked {
    /// The variant of this index.
    Known(usize),
    /// No variant's, kept by the catch-all.
    OtherText(String),
    /// No variant's, kept by the catch-all.
    OtherInt(i64),
}

impl VariantTable {
    /// The variant that a key of a map names.
    pub fn pick_key(&self, key: &str) -> Result<Picked, String> {
        match self {
            Self::Text { values, other } => pick_text(values, *other, key),
            Self::Int { values, other } => {
                let value = key_int(key).ok_or_else(|| wanted_ints(values))?;
                pick_int(values, *other, value)
            }
        }
    }
}

impl Reader<'_> {
    /// Reads an enum's value.
    pub fn variant(&mut self, table: &VariantTable) -> Result<Picked, Mismatch> {
        match table {
            VariantTable::Text { values, other } => self.text_variant(values, *other),
            VariantTable::Int { values, other } => self.int_variant(values, *other),
        }
    }

    pub(super) fn text_variant<V: AsRef<str>>(
        &mut self,
        values: &[V],
        other: bool,
    ) -> Result<Picked, Mismatch> {
        if self.begin() != Some(b'"') {
            let wanted = if other { "text".to_owned() } else { wanted_texts(values) };
            return Err(self.reject(&wanted));
        }
        let text = self.string_here()?.content();
        pick_text(values, other, &text).map_err(|wanted| self.mismatch(&wanted))
    }

    pub(super) fn int_variant(&mut self, values: &[i64], other: bool) -> Result<Picked, Mismatch> {
        let value = i64::read(self)?;
        pick_int(values, other, value).map_err(|wanted| self.mismatch(&wanted))
    }
}

pub(super) fn pick_text<V: AsRef<str>>(values: &[V], other: bool, text: &str) -> Result<Picked, String> {
    match values.iter().position(|value| value.as_ref() == text) {
        Some(index) => Ok(Picked::Known(index)),
        None if other => Ok(Picked::OtherText(text.to_owned())),
        None => Err(wanted_texts(values)),
    }
}

pub(super) fn pick_int(values: &[i64], other: bool, value: i64) -> Result<Picked, String> {
    match values.iter().position(|known| *known == value) {
        Some(index) => Ok(Picked::Known(index)),
        None if other => Ok(Picked::OtherInt(value)),
        None => Err(wanted_ints(values)),
    }
}

/// The integer that a key is, written in its one way.
pub(super) fn key_int(key: &str) -> Option<i64> {
    key.parse::<i64>().ok().filter(|value| value.to_string() == key)
}

fn wanted_texts<V: AsRef<str>>(values: &[V]) -> String {
    one_of(values.iter().map(|value| format!("{:?}", value.as_ref())))
}

pub(super) fn wanted_ints(values: &[i64]) -> String {
    one_of(values.iter().map(i64::to_string))
}

/// The values that fit, as far as they are few.
fn one_of(values: impl ExactSizeIterator<Item = String>) -> String {
    const SHOWN: usize = 8;
    let count = values.len();
    let shown: Vec<String> = values.take(SHOWN).collect();
    let rest = if count > SHOWN { format!(" or {} more", count - SHOWN) } else { String::new() };
    if count == 1 { shown.concat() } else { format!("one of {}{rest}", shown.join(", ")) }
}
