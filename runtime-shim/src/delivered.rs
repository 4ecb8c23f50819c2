//! An event as a subscriber gets it.

use crate::codec::{self, Form, Wire};
use crate::failure::Failure;

/// A kept event on its way to one subscriber.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delivered {
    /// The event's name: its type's key in the plan.
    pub name: String,
    /// The event as canonical JSON.
    pub payload: String,
    /// The connection that it came through; an app's own event came through none.
    pub connection: Option<String>,
    /// When it happened, in milliseconds since the epoch.
    pub occurred_at_ms: i64,
    /// When it was kept, in milliseconds since the epoch.
    pub created_at_ms: i64,
}

impl Delivered {
    /// The event as its type. One that the type can't hold any more fails the delivery at once, since no attempt would
    /// ever succeed.
    pub fn decode<T: Wire>(&self) -> Result<T, Failure> {
        codec::decode(&self.payload, Form::Canonical)
            .map_err(|error| Failure::undecodable(format!("{} can't be read: {error}", self.name)))
    }
}
