//! What a claimed poll does with its answer, or with the lack of one.

use serde::{Deserialize, Serialize};

use super::event::PolledEvent;
use crate::call::{CallError, CallErrorKind};
use crate::limits;
use crate::store::PollClaim;

/// What is kept of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PollStep {
    /// Its event is the one last kept: nothing.
    Same {
        /// Whether the last call had failed, which this answer ends.
        clear_error: bool,
    },
    /// The event, its deliveries and the digest.
    Keep,
}

/// Compares an answer's event with what its claim returned.
pub fn step(claim: &PollClaim, event: &PolledEvent) -> PollStep {
    if claim.digest.as_deref() == Some(event.digest.as_str()) {
        PollStep::Same { clear_error: claim.last_error.is_some() }
    } else {
        PollStep::Keep
    }
}

/// Why a poll failed, as its row's `last_error` says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PollError {
    /// One word: a call's, or `deadline_exceeded`, `codec`.
    pub kind: String,
    /// For people; never a secret.
    pub text: String,
    /// Where an answer of another shape did not fit.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub places: Vec<Place>,
}

/// A place of an answer that did not fit: where, what was wanted, and what came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    #[serde(rename = "place")]
    pub at: String,
    pub wanted: String,
    pub got: String,
}

impl PollError {
    /// The call did not end within the run's limit.
    pub fn deadline(limit_ms: u64) -> PollError {
        PollError::new("deadline_exceeded", &format!("the call did not end within {limit_ms} ms"))
    }

    /// The event's own codec failed.
    pub fn codec(text: impl AsRef<str>) -> PollError {
        PollError::new("codec", text.as_ref())
    }

    /// As the row holds it.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("texts are always JSON")
    }

    /// From what a row holds; text that another version wrote otherwise is shown as it is.
    pub fn from_json(json: &str) -> PollError {
        serde_json::from_str(json).unwrap_or_else(|_| PollError::new("unknown", json))
    }

    fn new(kind: &str, text: &str) -> PollError {
        PollError { kind: kind.to_owned(), text: bounded(text), places: Vec::new() }
    }
}

impl From<&CallError> for PollError {
    fn from(error: &CallError) -> PollError {
        let mut poll_error = PollError::new(error.kind.name(), &error.to_string());
        if let CallErrorKind::Decode(decode) = &error.kind {
            let place = |problem: &crate::codec::Problem| Place {
                at: problem.place.clone(),
                wanted: problem.wanted.clone(),
                got: problem.got.clone(),
            };
            poll_error.places = decode.problems.iter().take(limits::ERROR_PLACES_MAX).map(place).collect();
        }
        poll_error
    }
}

/// Text cut to what is kept with a row.
pub fn bounded(text: &str) -> String {
    match text.char_indices().nth(limits::ERROR_CHARS_MAX) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}
