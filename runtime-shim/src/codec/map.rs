//! Maps: objects whose keys are values.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::civil::Date;
use uuid::Uuid;

use super::Form;
use super::civil::{ShownDate, parse_date};
use super::error::Mismatch;
use super::reader::Reader;
use super::scalar::parse_uuid;
use super::wire::{WANTED_DATE, WANTED_UUID, Wire};
use super::writer::Writer;

/// A type whose values are keys of maps.
pub trait MapKey: Ord + Sized {
    /// The value that a key is, or what is wanted there.
    fn read_key(text: &str) -> Result<Self, String>;

    /// The key that a value is.
    fn write_key(&self) -> Cow<'_, str>;
}

impl MapKey for String {
    fn read_key(text: &str) -> Result<Self, String> {
        Ok(text.to_owned())
    }

    fn write_key(&self) -> Cow<'_, str> {
        Cow::Borrowed(self)
    }
}

impl MapKey for Date {
    fn read_key(text: &str) -> Result<Self, String> {
        // Keys don't say which form they are in; what only the canonical form writes is taken in both.
        parse_date(text, Form::Canonical).ok_or_else(|| WANTED_DATE.to_owned())
    }

    fn write_key(&self) -> Cow<'_, str> {
        Cow::Owned(ShownDate(*self).to_string())
    }
}

impl MapKey for Uuid {
    fn read_key(text: &str) -> Result<Self, String> {
        parse_uuid(text).ok_or_else(|| WANTED_UUID.to_owned())
    }

    fn write_key(&self) -> Cow<'_, str> {
        Cow::Owned(self.hyphenated().to_string())
    }
}

impl<'a> Reader<'a> {
    /// Reads an object as a map, through what reads a key and what reads a value.
    pub fn map<K: Ord, T>(
        &mut self,
        read_key: impl Fn(&str) -> Result<K, String>,
        mut read: impl FnMut(&mut Reader<'a>) -> Result<T, Mismatch>,
    ) -> Result<BTreeMap<K, T>, Mismatch> {
        self.map_with(&mut (), |(), text| read_key(text), |(), reader| read(reader))
    }

    /// As [`Self::map`], with something that both readings change.
    pub(super) fn map_with<C, K: Ord, T>(
        &mut self,
        context: &mut C,
        mut read_key: impl FnMut(&mut C, &str) -> Result<K, String>,
        mut read: impl FnMut(&mut C, &mut Reader<'a>) -> Result<T, Mismatch>,
    ) -> Result<BTreeMap<K, T>, Mismatch> {
        let mut map = BTreeMap::new();
        self.members(|reader, text| {
            let key = read_key(context, text).map_err(|wanted| reader.key_mismatch(text, &wanted));
            let value = read(context, reader);
            if map.insert(key?, value?).is_some() {
                return Err(reader.duplicate(text));
            }
            Ok(true)
        })?;
        Ok(map)
    }
}

impl Writer {
    /// Writes a map: entries by their keys' text, put in order here by code point.
    pub fn map<'k, T>(
        &mut self,
        entries: impl Iterator<Item = (Cow<'k, str>, T)>,
        each: impl FnMut(&mut Self, T),
    ) {
        let mut entries: Vec<_> = entries.collect();
        // The order of a key's type, an enum's for one, need not be that of its text.
        entries.sort_by(|one, other| one.0.cmp(&other.0));
        self.entries(entries, each);
    }
}

impl<K: MapKey, T: Wire> Wire for BTreeMap<K, T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        reader.map(K::read_key, T::read)
    }

    fn write(&self, writer: &mut Writer) {
        writer.map(self.iter().map(|(key, value)| (key.write_key(), value)), |writer, value| {
            value.write(writer);
        });
    }
}
