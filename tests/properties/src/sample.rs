//! One JSON value of a type, as far as its constraints let any be found.

use std::fmt::Write as _;

use jadpo_runtime::codec::Form;
use jadpo_runtime::codec::interpret::Types;
use jadpo_runtime::plan::{BytesWire, Field, InstantWire, Shape, TypeDef};

/// How deep types are followed; what is deeper is `null`.
const DEPTH_MAX: usize = 8;

/// How long a sample gets before what is left becomes `null`: types that hold each other twice would double it at each
/// level.
const BYTES_MAX: usize = 4_096;

/// A value of this shape.
pub fn sample(types: &Types, shape: &Shape, form: Form) -> String {
    let mut out = String::new();
    write(types, shape, form, DEPTH_MAX, &mut out);
    out
}

fn write(types: &Types, shape: &Shape, form: Form, depth: usize, out: &mut String) {
    if depth == 0 || out.len() > BYTES_MAX {
        out.push_str("null");
        return;
    }
    let wire = form == Form::Wire;
    match shape {
        Shape::Text(_) | Shape::Secret => out.push_str("\"a\""),
        Shape::Int(rule) | Shape::Decimal(rule) => {
            let bound = rule.min.as_ref().or(rule.max.as_ref());
            out.push_str(bound.map_or("1", String::as_str));
        }
        Shape::Bool | Shape::Json => out.push_str("true"),
        Shape::Instant(InstantWire::UnixS | InstantWire::UnixMs) if wire => out.push_str("1800000000"),
        Shape::Instant(InstantWire::Rfc2822) if wire => out.push_str("\"Fri, 1 Jan 2027 00:00:00 +0000\""),
        Shape::Instant(_) => out.push_str("\"2027-01-01T00:00:00Z\""),
        Shape::DateTime => out.push_str("\"2027-01-01T00:00:00\""),
        Shape::Date => out.push_str("\"2027-01-01\""),
        Shape::Duration => out.push_str("\"PT1S\""),
        Shape::Uuid => out.push_str("\"67e55044-10b1-426f-9247-bb680e5fe0c8\""),
        Shape::Url => out.push_str("\"https://a.example/\""),
        Shape::Email => out.push_str("\"a@b.example\""),
        Shape::Bytes(BytesWire::Hex) if wire => out.push_str("\"00\""),
        Shape::Bytes(_) => out.push_str("\"AA==\""),
        Shape::List(item, rule) => {
            out.push('[');
            for at in 0..rule.min_items.unwrap_or(1).min(3) {
                out.push_str(if at == 0 { "" } else { "," });
                write(types, item, form, depth - 1, out);
            }
            out.push(']');
        }
        Shape::Map(_, item) => {
            out.push_str("{\"a\":");
            write(types, item, form, depth - 1, out);
            out.push('}');
        }
        Shape::Nullable(inner) => write(types, inner, form, depth - 1, out),
        Shape::Named(name) => match types.get(name) {
            Some(TypeDef::Object(fields)) => object(types, fields, form, depth - 1, out),
            Some(TypeDef::TextEnum { values, .. }) => {
                let value = values.first().map_or("a", String::as_str);
                let _ = write!(out, "{}", serde_json::Value::from(value));
            }
            Some(TypeDef::IntEnum { values, .. }) => {
                let _ = write!(out, "{}", values.first().unwrap_or(&0));
            }
            Some(TypeDef::Alias(shape)) => write(types, shape, form, depth - 1, out),
            None => out.push_str("null"),
        },
    }
}

fn object(types: &Types, fields: &[Field], form: Form, depth: usize, out: &mut String) {
    out.push('{');
    for (at, field) in fields.iter().enumerate() {
        let name = if form == Form::Wire { &field.wire } else { &field.name };
        let separator = if at == 0 { "" } else { "," };
        let _ = write!(out, "{separator}{}:", serde_json::Value::from(name.as_str()));
        write(types, &field.shape, form, depth, out);
    }
    out.push('}');
}
