//! As much of OTLP's protobuf as the tests read, by the numbers of its fields.

use std::collections::BTreeMap;
use std::fmt::Write;

/// A span as it was sent; ids in hexadecimal.
#[derive(Debug)]
pub struct Span {
    pub trace: String,
    pub id: String,
    /// Empty where it has none.
    pub parent: String,
    pub name: String,
    /// Those that are text.
    pub attributes: BTreeMap<String, String>,
}

/// Every span of an `ExportTraceServiceRequest`.
pub fn spans(request: &[u8]) -> Vec<Span> {
    let resources = fields(request, 1);
    let scopes = resources.iter().flat_map(|resource| fields(resource, 2));
    scopes.flat_map(|scope| fields(scope, 2)).map(span).collect()
}

fn span(bytes: &[u8]) -> Span {
    let only = |number| fields(bytes, number).first().copied().unwrap_or_default();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let attribute = |attribute: &[u8]| {
        let key = text(fields(attribute, 1)[0]);
        let value = fields(fields(attribute, 2)[0], 1).first().map(|value| text(value))?;
        Some((key, value))
    };
    Span {
        trace: hex(only(1)),
        id: hex(only(2)),
        parent: hex(only(4)),
        name: text(only(5)),
        attributes: fields(bytes, 9).into_iter().filter_map(attribute).collect(),
    }
}

/// The fields of this number that hold bytes: text, or a message.
fn fields(mut bytes: &[u8], number: u64) -> Vec<&[u8]> {
    let mut found = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        match tag & 7 {
            0 => _ = varint(&mut bytes),
            1 => bytes = &bytes[8..],
            5 => bytes = &bytes[4..],
            2 => {
                let length = usize::try_from(varint(&mut bytes)).unwrap();
                let (value, rest) = bytes.split_at(length);
                bytes = rest;
                if tag >> 3 == number {
                    found.push(value);
                }
            }
            other => panic!("no such wire type: {other}"),
        }
    }
    found
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..).step_by(7) {
        let (byte, rest) = bytes.split_first().unwrap();
        *bytes = rest;
        value |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            break;
        }
    }
    value
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}
