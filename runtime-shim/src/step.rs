//! One step of a batch run or of a backfill: what its handler is given, and what it returns.

use crate::codec::{self, Form, Wire};
use crate::failure::Failure;

/// A step as the runtime gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// Where the last committed step ended; `None` at the beginning.
    pub cursor: Option<String>,
    /// How many records it is for.
    pub size: u32,
    /// What started the run, as canonical JSON; `None` for a batch without an input.
    pub input: Option<String>,
}

/// A step as its handler gets it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step<I> {
    /// Where the last committed step ended; `None` at the beginning.
    pub cursor: Option<String>,
    /// How many records it is for.
    pub size: u32,
    /// What started the run; `()` for a batch without an input, and for a backfill.
    pub input: I,
}

/// Where a run goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The next step begins here.
    Cursor(String),
    /// It was the last step.
    End,
}

/// What a step of a backfill worked out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Filled<V> {
    /// Each record's key with the field's value; one that the field's rules refuse is reported and never kept.
    pub pairs: Vec<(String, V)>,
    /// Where the run goes on.
    pub next: Next,
}

impl RunStep {
    /// The step of a batch whose runs start with an input.
    pub fn with_input<I: Wire>(&self) -> Result<Step<I>, Failure> {
        let Some(text) = &self.input else {
            return Err(Failure::undecodable("the run was started without an input"));
        };
        let input = codec::decode(text, Form::Canonical);
        let input =
            input.map_err(|error| Failure::undecodable(format!("its input can't be read: {error}")))?;
        Ok(Step { cursor: self.cursor.clone(), size: self.size, input })
    }

    /// The step of a batch without one, or of a backfill.
    pub fn plain(&self) -> Step<()> {
        Step { cursor: self.cursor.clone(), size: self.size, input: () }
    }
}

impl Next {
    /// The next cursor; `None` is the end.
    pub fn into_cursor(self) -> Option<String> {
        match self {
            Next::Cursor(cursor) => Some(cursor),
            Next::End => None,
        }
    }
}
