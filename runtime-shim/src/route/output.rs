//! An action's output as its caller reads it.

use std::collections::BTreeSet;

use crate::codec::interpret::{self, Types};
use crate::codec::{DecodeError, Form};
use crate::plan::{BytesWire, InstantWire, Shape, TypeDef};

/// How an output is sent.
pub(super) struct Output {
    shape: Shape,
    /// Whether it is sent as it is kept.
    as_kept: bool,
}

impl Output {
    pub(super) fn new(types: &Types, shape: &Shape) -> Output {
        Output { shape: shape.clone(), as_kept: as_kept(types, shape, &mut BTreeSet::new()) }
    }

    /// The wire form of canonical JSON.
    pub(super) fn send(&self, types: &Types, canonical: String) -> Result<String, DecodeError> {
        if self.as_kept {
            return Ok(canonical);
        }
        let value = interpret::read(types, &self.shape, &canonical, "", Form::Canonical)?;
        Ok(interpret::write(types, &self.shape, &value, Form::Wire))
    }
}

/// Whether values of this shape have one form for both.
fn as_kept<'p>(types: &'p Types, shape: &'p Shape, seen: &mut BTreeSet<&'p str>) -> bool {
    match shape {
        Shape::Instant(wire) => *wire == InstantWire::Rfc3339,
        Shape::Bytes(wire) => *wire == BytesWire::Base64,
        Shape::List(inner, _) | Shape::Nullable(inner) => as_kept(types, inner, seen),
        Shape::Map(key, value) => as_kept(types, key, seen) && as_kept(types, value, seen),
        // A type inside itself has been looked at where it was first met.
        Shape::Named(name) if !seen.insert(name) => true,
        Shape::Named(name) => match types.get(name) {
            Some(TypeDef::Object(fields)) => fields.iter().all(|field| {
                field.name == field.wire && field.at.is_none() && as_kept(types, &field.shape, seen)
            }),
            Some(TypeDef::Alias(inner)) => as_kept(types, inner, seen),
            _ => true,
        },
        _ => true,
    }
}
