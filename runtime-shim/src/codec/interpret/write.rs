//! Writing values by their shapes.

use std::borrow::Cow;

use super::{Types, Value};
use crate::codec::bytes::write_bytes;
use crate::codec::instant::write_instant;
use crate::codec::{Wire, Writer};
use crate::plan::{BytesWire, Field, InstantWire, Shape, TypeDef};

/// Writes a value; where it is not of this shape, in its own canonical form.
pub(super) fn value(types: &Types, shape: &Shape, value: &Value, writer: &mut Writer) {
    let shape = behind(types, shape);
    match value {
        Value::None => writer.null(),
        Value::Text(text) => writer.text(text),
        Value::Int(value) => writer.int(*value),
        Value::Decimal(value) => value.write(writer),
        Value::Bool(value) => writer.bool(*value),
        Value::Instant(value) => {
            let wire = if let Shape::Instant(wire) = shape { *wire } else { InstantWire::Rfc3339 };
            write_instant(writer, value, wire);
        }
        Value::DateTime(value) => value.write(writer),
        Value::Date(value) => value.write(writer),
        Value::Duration(value) => value.write(writer),
        Value::Uuid(value) => value.write(writer),
        Value::Url(value) => value.write(writer),
        Value::Email(value) => value.write(writer),
        Value::Bytes(value) => {
            let wire = if let Shape::Bytes(wire) = shape { *wire } else { BytesWire::Base64 };
            write_bytes(writer, value, wire);
        }
        Value::Json(value) => value.write(writer),
        Value::List(items) => {
            let inner = if let Shape::List(inner, _) = shape { inner } else { shape };
            writer.list(items, |writer, item| self::value(types, inner, item, writer));
        }
        Value::Map(entries) => {
            let inner = if let Shape::Map(_, inner) = shape { inner } else { shape };
            let entries = entries.iter().map(|(key, value)| (Cow::Borrowed(key.as_str()), value));
            writer.map(entries, |writer, item| self::value(types, inner, item, writer));
        }
        Value::Object(found) => {
            let declared = if let Shape::Named(name) = shape { types.get(name) } else { None };
            if let Some(TypeDef::Object(fields)) = declared {
                object(types, fields, value, writer);
            } else {
                writer.entries(found, |writer, item| self::value(types, shape, item, writer));
            }
        }
    }
}

fn object(types: &Types, fields: &[Field], value: &Value, writer: &mut Writer) {
    self::fields(types, fields, fields.iter().map(|field| value.get(&field.name)), writer);
}

/// Writes an object of the values that stand beside its fields.
pub(super) fn fields<'v>(
    types: &Types,
    fields: &[Field],
    values: impl Iterator<Item = Option<&'v Value>>,
    writer: &mut Writer,
) {
    let mut object = writer.object_of(fields);
    for (index, (field, value)) in fields.iter().zip(values).enumerate() {
        if let Some(value) = value {
            object.field_with(index, |writer| self::value(types, &field.shape, value, writer));
        }
    }
    object.end();
}

/// The shape behind aliases and `?`.
fn behind<'p>(types: &'p Types, shape: &'p Shape) -> &'p Shape {
    let mut shape = shape;
    for _ in 0..2 * types.len() + 2 {
        shape = match shape {
            Shape::Nullable(inner) => inner,
            Shape::Named(name) => match types.get(name) {
                Some(TypeDef::Alias(inner)) => inner,
                _ => return shape,
            },
            found => return found,
        };
    }
    shape
}
