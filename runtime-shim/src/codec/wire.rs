//! What every value that travels can do: be read from JSON and be written as JSON.

use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use url::Url;
use uuid::Uuid;

use super::bytes::{read_bytes, write_bytes};
use super::civil::{self, ShownDate, ShownDateTime};
use super::duration;
use super::error::Mismatch;
use super::instant::{read_instant, write_instant};
use super::reader::Reader;
use super::scalar::{decimal_text, parse_url, parse_uuid};
use super::writer::Writer;
use crate::email::Email;
use crate::plan::{BytesWire, InstantWire};

pub(super) const WANTED_DATE: &str = "a date such as 2026-11-30";
pub(super) const WANTED_DATETIME: &str = "a date and time without an offset, such as 2026-11-30T22:03:22";
pub(super) const WANTED_DURATION: &str = "a duration as ISO 8601 without years and months";
pub(super) const WANTED_UUID: &str = "a UUID";

/// A type whose values travel.
pub trait Wire: Sized {
    /// Reads a value. After an error the value has been passed over, or the reader is broken.
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch>;

    /// Writes a value.
    fn write(&self, writer: &mut Writer);
}

impl Wire for String {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        reader.text().map(std::borrow::Cow::into_owned)
    }

    fn write(&self, writer: &mut Writer) {
        writer.text(self);
    }
}

impl Wire for i64 {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        reader.int()
    }

    fn write(&self, writer: &mut Writer) {
        writer.int(*self);
    }
}

impl Wire for Decimal {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        reader.decimal()
    }

    fn write(&self, writer: &mut Writer) {
        writer.display(format_args!("\"{}\"", decimal_text(self)));
    }
}

impl Wire for bool {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        reader.bool()
    }

    fn write(&self, writer: &mut Writer) {
        writer.bool(*self);
    }
}

impl Wire for Timestamp {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        read_instant(reader, InstantWire::Rfc3339)
    }

    fn write(&self, writer: &mut Writer) {
        write_instant(writer, self, InstantWire::Rfc3339);
    }
}

impl Wire for DateTime {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        let form = reader.form();
        reader.short(WANTED_DATETIME, |text| civil::parse_datetime(text, form))
    }

    fn write(&self, writer: &mut Writer) {
        writer.display(format_args!("\"{}\"", ShownDateTime(*self)));
    }
}

impl Wire for Date {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        let form = reader.form();
        reader.short(WANTED_DATE, |text| civil::parse_date(text, form))
    }

    fn write(&self, writer: &mut Writer) {
        writer.display(format_args!("\"{}\"", ShownDate(*self)));
    }
}

impl Wire for SignedDuration {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        reader.short(WANTED_DURATION, duration::parse)
    }

    fn write(&self, writer: &mut Writer) {
        writer.display(format_args!("\"{}\"", duration::Shown(*self)));
    }
}

impl Wire for Uuid {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        reader.short(WANTED_UUID, parse_uuid)
    }

    fn write(&self, writer: &mut Writer) {
        writer.display(format_args!("\"{}\"", self.hyphenated()));
    }
}

impl Wire for Url {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        reader.scalar("an absolute URL", parse_url)
    }

    fn write(&self, writer: &mut Writer) {
        writer.text(self.as_str());
    }
}

impl Wire for Email {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        reader.scalar("an e-mail address", |text| Email::new(text).ok())
    }

    fn write(&self, writer: &mut Writer) {
        writer.text(self.as_str());
    }
}

impl Wire for Vec<u8> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        read_bytes(reader, BytesWire::Base64)
    }

    fn write(&self, writer: &mut Writer) {
        write_bytes(writer, self, BytesWire::Base64);
    }
}

impl<T: Wire> Wire for Vec<T> {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        let mut items = Vec::new();
        reader.list(|reader| {
            items.push(T::read(reader)?);
            Ok(())
        })?;
        Ok(items)
    }

    fn write(&self, writer: &mut Writer) {
        writer.list(self, |writer, item| item.write(writer));
    }
}

impl<T: Wire> Wire for Option<T> {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        if reader.null()? { Ok(None) } else { T::read(reader).map(Some) }
    }

    fn write(&self, writer: &mut Writer) {
        match self {
            Some(value) => value.write(writer),
            None => writer.null(),
        }
    }
}

impl<T: Wire> Wire for Box<T> {
    #[inline]
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        T::read(reader).map(Self::new)
    }

    fn write(&self, writer: &mut Writer) {
        (**self).write(writer);
    }
}
