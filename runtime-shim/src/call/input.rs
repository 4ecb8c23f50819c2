//! The input of a call: read from canonical JSON, told to templates, and written to the body.

use serde_json::Value as Json;

use crate::plan::{Field, Plan};

use super::template::Hole;

/// A checked input.
pub(super) struct Input {
    value: Json,
}

impl Input {
    /// Reads an input by its type, a key of the plan's types.
    pub(super) fn read(_plan: &Plan, _name: &str, text: &str) -> Result<Self, String> {
        let value: Json = serde_json::from_str(text).map_err(|why| why.to_string())?;
        Ok(Self { value })
    }

    /// What a template's hole for this field is filled with.
    pub(super) fn hole(&self, name: &str) -> Hole {
        match self.value.get(name) {
            Some(Json::Array(items)) => Hole::Many(items.iter().filter_map(scalar).collect()),
            Some(value) => scalar(value).map_or(Hole::Absent, Hole::One),
            None => Hole::Absent,
        }
    }

    /// The field as providers read it; `None` where it is left out.
    pub(super) fn wire_json(&self, _plan: &Plan, field: &Field) -> Option<String> {
        self.value.get(&field.name).map(Json::to_string)
    }
}

fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::Null => None,
        Json::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}
