//! Why a handler's body did not have its value: a text for people, and whether another attempt can help.

use std::error::Error;
use std::fmt;

/// A failed body. Any error turns into one with `?`; the delivery is tried again as its `retry:` says.
///
/// It is no [`Error`] itself, so that `?` takes every error there is.
#[derive(Clone, PartialEq, Eq)]
pub struct Failure {
    text: String,
    kind: FailureKind,
}

/// Whether another attempt can help, and whose fault it is where somebody waits for an answer.
///
/// The kinds that blame the caller mean something to a route or the control port alone: in a delivery, a schedule or a
/// step they are tried again as every other failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// The next attempt may succeed.
    Retry,
    /// What was kept can't be read by its reader's type: no attempt ever succeeds.
    Undecodable,
    /// The caller gave what can't be taken.
    Invalid,
    /// What the caller names isn't there.
    NotFound,
    /// The caller may not.
    Forbidden,
    /// What the caller wants contradicts what is there now.
    Conflict,
}

impl Failure {
    /// A failure that says what went wrong.
    pub fn new(text: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Retry, text)
    }

    /// A kept value that its reader's type can't hold; the delivery fails at once.
    pub fn undecodable(text: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Undecodable, text)
    }

    /// What the caller gave can't be taken: a route answers `422` with this text.
    pub fn invalid(text: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Invalid, text)
    }

    /// What the caller names isn't there: a route answers `404` with this text.
    pub fn not_found(text: impl Into<String>) -> Failure {
        Failure::of(FailureKind::NotFound, text)
    }

    /// The caller may not do this: a route answers `403` with this text.
    pub fn forbidden(text: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Forbidden, text)
    }

    /// What the caller wants contradicts what is there: a route answers `409` with this text.
    pub fn conflict(text: impl Into<String>) -> Failure {
        Failure::of(FailureKind::Conflict, text)
    }

    fn of(kind: FailureKind, text: impl Into<String>) -> Failure {
        Failure { text: text.into(), kind }
    }

    /// What went wrong.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether another attempt can help, and whose fault it is.
    pub fn kind(&self) -> FailureKind {
        self.kind
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Failure {
        Failure::new(with_sources(&error))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Failure({:?}, {:?})", self.kind, self.text)
    }
}

/// The error's text and those of what caused it, since the outermost one alone often says too little.
fn with_sources(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}
