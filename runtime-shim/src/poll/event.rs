//! The event made from an answer: its declared fields, in the one form that is kept and compared.

use super::step::PollError;
use crate::codec::Form;
use crate::codec::interpret::{self, Value};
use crate::digest;
use crate::plan::{Plan, Shape, TypeDef};

/// An event that an answer gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PolledEvent {
    /// Canonical JSON.
    pub payload: String,
    /// SHA-256 of it, in hexadecimal.
    pub digest: String,
}

/// Makes the event of this type from the answer's fields of the same names, writes it, and reads back what was written:
/// what no subscriber could read must never be kept.
pub fn event_of(plan: &Plan, event: &str, answer: &Value) -> Result<PolledEvent, PollError> {
    let Some(TypeDef::Object(fields)) = plan.types.get(event) else {
        return Err(PollError::codec(format!("the plan has no event {event}")));
    };
    let value = answer.select(fields);
    let shape = Shape::Named(event.to_owned());
    let payload = interpret::write(&plan.types, &shape, &value, Form::Canonical);
    let back = interpret::read(&plan.types, &shape, &payload, "", Form::Canonical).map_err(|error| {
        PollError::codec(format!("what was written of {event} can't be read back: {error}"))
    })?;
    if back != value {
        return Err(PollError::codec(format!("what was written of {event} reads back as another value")));
    }
    let digest = digest::hex(&digest::digest(&payload));
    Ok(PolledEvent { payload, digest })
}
