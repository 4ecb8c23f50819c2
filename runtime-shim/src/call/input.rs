//! The input of a call: read from canonical JSON and checked, told to templates, and written to the body.

use crate::codec::interpret::{self, Value};
use crate::codec::{DecodeError, Form};
use crate::plan::{Field, Plan, Shape};

use super::template::Hole;

/// A checked input.
pub(super) struct Input {
    value: Value,
}

impl Input {
    /// Reads an input by its type, a key of the plan's types.
    pub(super) fn read(plan: &Plan, name: &str, text: &str) -> Result<Self, DecodeError> {
        let shape = Shape::Named(name.to_owned());
        Ok(Self { value: interpret::read(&plan.types, &shape, text, "", Form::Canonical)? })
    }

    /// What a template's hole for this field is filled with.
    pub(super) fn hole(&self, name: &str) -> Hole {
        match self.value.get(name) {
            Some(Value::List(items)) => Hole::Many(items.iter().filter_map(Value::to_text).collect()),
            Some(value) => value.to_text().map_or(Hole::Absent, Hole::One),
            None => Hole::Absent,
        }
    }

    /// The field as providers read it; `None` where it is left out.
    pub(super) fn wire_json(&self, plan: &Plan, field: &Field) -> Option<String> {
        let value = self.value.get(&field.name)?;
        Some(interpret::write(&plan.types, &field.shape, value, Form::Wire))
    }
}
