//! How a value is read and written where its type alone does not say it: the forms that `wire` names, constraints, and
//! these where a value may be missing or `null`.

use jiff::Timestamp;

use super::bytes::{read_bytes, write_bytes};
use super::check::Check;
use super::error::{ConstraintError, Mismatch};
use super::instant::{read_instant, write_instant};
use super::object::present;
use super::reader::Reader;
use super::wire::Wire;
use super::writer::Writer;
use crate::plan::{BytesWire, InstantWire};

/// A way to read and to write a value.
pub trait By<T> {
    /// Reads a value. After an error the value has been passed over, or the reader is broken.
    fn read(&self, reader: &mut Reader<'_>) -> Result<T, Mismatch>;

    /// Writes a value.
    fn write(&self, value: &T, writer: &mut Writer);

    /// Whether a value keeps the constraints.
    fn check(&self, value: &T) -> Result<(), ConstraintError> {
        let _ = value;
        Ok(())
    }

    /// The value of a field, once the reader found what is required.
    fn found(&self, value: Option<T>) -> T {
        present(value)
    }

    /// Whether the field of this value is written.
    fn is_given(&self, value: &T) -> bool {
        let _ = value;
        true
    }
}

/// As the value's type says.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

/// A field that may be missing, its value by `A`.
#[derive(Clone, Copy, Debug)]
pub struct Optional<A>(pub A);

/// `null`, or a value by `A`.
#[derive(Clone, Copy, Debug)]
pub struct OrNull<A>(pub A);

/// A value by `A` that keeps the constraints of `C`.
#[derive(Clone, Copy, Debug)]
pub struct Checked<A, C>(pub A, pub C);

impl Plain {
    /// Another way instead.
    pub fn with<A>(self, by: A) -> A {
        by
    }

    /// The same for a field that may be missing.
    pub fn optional(self) -> Optional<Self> {
        Optional(self)
    }
}

impl Optional<Plain> {
    /// Another way instead, for a field that may be missing.
    pub fn with<A>(self, by: A) -> Optional<A> {
        Optional(self.0.with(by))
    }
}

impl<T: Wire> By<T> for Plain {
    #[inline]
    fn read(&self, reader: &mut Reader<'_>) -> Result<T, Mismatch> {
        T::read(reader)
    }

    fn write(&self, value: &T, writer: &mut Writer) {
        value.write(writer);
    }
}

impl<T, A: By<T>> By<Option<T>> for Optional<A> {
    #[inline]
    fn read(&self, reader: &mut Reader<'_>) -> Result<Option<T>, Mismatch> {
        self.0.read(reader).map(Some)
    }

    fn write(&self, value: &Option<T>, writer: &mut Writer) {
        match value {
            Some(value) => self.0.write(value, writer),
            None => writer.null(),
        }
    }

    fn check(&self, value: &Option<T>) -> Result<(), ConstraintError> {
        value.as_ref().map_or(Ok(()), |value| self.0.check(value))
    }

    fn found(&self, value: Option<Option<T>>) -> Option<T> {
        value.flatten()
    }

    fn is_given(&self, value: &Option<T>) -> bool {
        value.is_some()
    }
}

impl<T, A: By<T>> By<Option<T>> for OrNull<A> {
    #[inline]
    fn read(&self, reader: &mut Reader<'_>) -> Result<Option<T>, Mismatch> {
        if reader.null()? { Ok(None) } else { self.0.read(reader).map(Some) }
    }

    fn write(&self, value: &Option<T>, writer: &mut Writer) {
        match value {
            Some(value) => self.0.write(value, writer),
            None => writer.null(),
        }
    }

    fn check(&self, value: &Option<T>) -> Result<(), ConstraintError> {
        value.as_ref().map_or(Ok(()), |value| self.0.check(value))
    }
}

impl<T, A: By<T>, C: Check<T>> By<T> for Checked<A, C> {
    #[inline]
    fn read(&self, reader: &mut Reader<'_>) -> Result<T, Mismatch> {
        self.0.read(reader).and_then(|value| reader.checked(value, |value| self.1.check(value)))
    }

    fn write(&self, value: &T, writer: &mut Writer) {
        self.0.write(value, writer);
    }

    fn check(&self, value: &T) -> Result<(), ConstraintError> {
        self.1.check(value)?;
        self.0.check(value)
    }
}

impl By<Timestamp> for InstantWire {
    fn read(&self, reader: &mut Reader<'_>) -> Result<Timestamp, Mismatch> {
        read_instant(reader, *self)
    }

    fn write(&self, value: &Timestamp, writer: &mut Writer) {
        write_instant(writer, value, *self);
    }
}

impl By<Vec<u8>> for BytesWire {
    fn read(&self, reader: &mut Reader<'_>) -> Result<Vec<u8>, Mismatch> {
        read_bytes(reader, *self)
    }

    fn write(&self, value: &Vec<u8>, writer: &mut Writer) {
        write_bytes(writer, value, *self);
    }
}
