//! Bytes as text: base64, base64url and hexadecimal.

use base64::Engine as _;
use base64::alphabet::URL_SAFE;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, STANDARD};

use super::Form;
use super::error::Mismatch;
use super::reader::Reader;
use super::writer::Writer;
use crate::plan::BytesWire;

/// Written without padding, as providers mostly do, and read with or without.
const BASE64URL: GeneralPurpose = GeneralPurpose::new(
    &URL_SAFE,
    GeneralPurposeConfig::new()
        .with_encode_padding(false)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Reads bytes; the canonical form is base64 with padding whatever the wire has.
pub fn read_bytes(reader: &mut Reader<'_>, wire: BytesWire) -> Result<Vec<u8>, Mismatch> {
    match wire_in(reader.form(), wire) {
        BytesWire::Base64 => reader.scalar("base64 with padding", |text| STANDARD.decode(text).ok()),
        BytesWire::Base64url => reader.scalar("base64url", |text| BASE64URL.decode(text).ok()),
        BytesWire::Hex => reader.scalar("hexadecimal digits", from_hex),
    }
}

/// Writes bytes; the canonical form is base64 with padding whatever the wire has.
pub fn write_bytes(writer: &mut Writer, value: &[u8], wire: BytesWire) {
    let text = match wire_in(writer.form(), wire) {
        BytesWire::Base64 => base64(value),
        BytesWire::Base64url => BASE64URL.encode(value),
        BytesWire::Hex => to_hex(value),
    };
    writer.text(&text);
}

/// The canonical text of bytes.
pub(super) fn base64(value: &[u8]) -> String {
    STANDARD.encode(value)
}

/// Lower-case hexadecimal digits.
pub(crate) fn to_hex(value: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digits = value.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect();
    if rest.is_empty() { bytes } else { None }
}

fn wire_in(form: Form, wire: BytesWire) -> BytesWire {
    if form == Form::Canonical { BytesWire::Base64 } else { wire }
}
