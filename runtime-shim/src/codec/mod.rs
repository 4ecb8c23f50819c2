//! Values to JSON text and back: strict, exact and bounded, with one engine below generated code and the interpreter.
//!
//! The wire form is what providers send: names and forms as declared for the wire. The canonical form is what is kept
//! and compared: declared names in byte order, one spelling for each value.

mod by;
mod bytes;
mod check;
mod civil;
mod duration;
mod error;
mod field;
mod fields;
pub mod generated;
mod instant;
pub mod interpret;
mod map;
mod number;
mod object;
mod order;
mod pointer;
mod reader;
mod scalar;
mod scan;
mod skip;
mod variant;
mod wire;
mod writer;

pub use by::By;
pub(crate) use bytes::to_hex;
pub use check::{Check, Constrained};
pub use error::{ConstraintError, DecodeError, Mismatch, Problem};
pub use field::Field;
pub use fields::{AT_ONCE, Plains, ReadFields, WriteFields};
pub use map::MapKey;
pub(crate) use number::Number;
pub use object::Got;
pub(crate) use pointer::{index, tokens};
pub use reader::Reader;
pub use variant::{Picked, Sent, Variants};
pub use wire::Wire;
pub use writer::{ObjectWriter, Writer};

/// Which names and spellings a text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As providers send it.
    Wire,
    /// As it is kept and compared.
    Canonical,
}

/// Reads a value from JSON text.
pub fn decode<T: Wire>(text: &str, form: Form) -> Result<T, DecodeError> {
    let mut reader = Reader::new(text, form);
    let value = T::read(&mut reader);
    reader.finish(value)
}

/// Reads the value at a JSON Pointer in JSON text, all of which is checked.
pub fn decode_at<T: Wire>(text: &str, pointer: &str, form: Form) -> Result<T, DecodeError> {
    let mut reader = Reader::new(text, form);
    let value = reader.at(pointer, T::read);
    reader.finish(value)
}

/// Reads a value from JSON text in UTF-8.
pub fn decode_bytes<T: Wire>(bytes: &[u8], form: Form) -> Result<T, DecodeError> {
    decode(utf8(bytes)?, form)
}

/// The text that bytes are.
pub fn utf8(bytes: &[u8]) -> Result<&str, DecodeError> {
    std::str::from_utf8(bytes).map_err(|error| {
        let at = error.valid_up_to();
        let byte = bytes.get(at).copied().unwrap_or(0);
        DecodeError::single("", "UTF-8", format!("the byte {byte:02x} at offset {at}"))
    })
}

/// Writes a value as JSON text.
pub fn encode<T: Wire>(value: &T, form: Form) -> String {
    let mut writer = Writer::new(form);
    value.write(&mut writer);
    writer.finish()
}

#[cfg(test)]
mod tests;
