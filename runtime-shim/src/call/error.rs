//! Why a call failed, in texts that never hold a secret.

use std::fmt;

use crate::codec::DecodeError;
use crate::host::HttpResponse;

use super::secrets::Secrets;

/// A call that failed for good, after all its attempts.
#[derive(Clone, Debug)]
pub struct CallError {
    /// The connection's name.
    pub connection: String,
    /// The operation's name.
    pub operation: String,
    /// How many attempts were sent.
    pub attempts: u32,
    /// What was wrong with the last one.
    pub kind: CallErrorKind,
}

/// What went wrong. Every text here had the connection's secrets cut from it.
#[derive(Clone, Debug)]
pub enum CallErrorKind {
    /// The operation can't be called so: its input does not fit, or fills no valid request.
    Input(String),
    /// No connection, or it broke before the answer was whole.
    Transport(String),
    /// No whole answer within the operation's timeout, in milliseconds.
    Timeout(u64),
    /// A redirect to another scheme, host or port, or too many of them.
    Redirect(String),
    /// More bytes of answer than the package allows.
    TooLarge(u64),
    /// A status that is no success.
    Status(Box<Seen>),
    /// The answer is no JSON text in UTF-8, for this reason.
    NotJson(Box<Seen>, String),
    /// The answer is JSON of another shape than declared.
    Decode(DecodeError),
    /// Not sent: the provider asked to be left alone until then, in milliseconds since the epoch.
    AskedToWait(i64),
    /// Not sent: the body has a transaction open, and others wait for what that locks.
    InTransaction,
}

/// What of an answer may be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Its status.
    pub status: u16,
    /// Its `Content-Type`, if it said one.
    pub content_type: Option<String>,
    /// How its body begins, at most 80 characters, secrets cut.
    pub first: String,
}

impl CallError {
    /// The status, where an answer came and its status was what failed.
    pub fn status(&self) -> Option<u16> {
        match &self.kind {
            CallErrorKind::Status(seen) | CallErrorKind::NotJson(seen, _) => Some(seen.status),
            _ => None,
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}: {}", self.connection, self.operation, self.kind)?;
        if self.attempts > 1 {
            write!(formatter, " (after {} attempts)", self.attempts)?;
        }
        Ok(())
    }
}

impl std::error::Error for CallError {}

impl CallErrorKind {
    /// One word for it, as logs and `last_error` name it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Input(_) => "input",
            Self::Transport(_) => "transport",
            Self::Timeout(_) => "timeout",
            Self::Redirect(_) => "redirect",
            Self::TooLarge(_) => "too_large",
            Self::Status(_) => "status",
            Self::NotJson(..) => "not_json",
            Self::Decode(_) => "decode",
            Self::AskedToWait(_) => "asked_to_wait",
            Self::InTransaction => "in_transaction",
        }
    }
}

impl fmt::Display for CallErrorKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(why) => write!(formatter, "the input does not fit: {why}"),
            Self::Transport(why) => write!(formatter, "no answer: {why}"),
            Self::Timeout(ms) => write!(formatter, "no whole answer within {ms} ms"),
            Self::Redirect(why) => write!(formatter, "redirect refused: {why}"),
            Self::TooLarge(bytes) => write!(formatter, "the answer is longer than {bytes} bytes"),
            Self::Status(seen) => seen.fmt(formatter),
            Self::NotJson(seen, why) => write!(formatter, "the answer is no JSON: {why}; {seen}"),
            Self::Decode(error) => write!(formatter, "the answer does not fit its type: {error}"),
            Self::InTransaction => {
                formatter.write_str("not sent: a transaction is open, and others wait for what it locks")
            }
            Self::AskedToWait(until_ms) => {
                write!(formatter, "not sent: the provider asked to be left alone until ")?;
                match jiff::Timestamp::from_millisecond(*until_ms) {
                    Ok(until) => until.fmt(formatter),
                    Err(_) => write!(formatter, "{until_ms} ms"),
                }
            }
        }
    }
}

impl Seen {
    /// What of `answer` may be told.
    pub(super) fn of(answer: &HttpResponse, secrets: &Secrets) -> Self {
        Self {
            status: answer.status,
            content_type: answer.header("content-type").map(|value| secrets.first_of(value.as_bytes())),
            first: secrets.first_of(&answer.body),
        }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "status {}", self.status)?;
        match &self.content_type {
            Some(content_type) => write!(formatter, ", {content_type}")?,
            None => formatter.write_str(", no content type")?,
        }
        if self.first.is_empty() {
            formatter.write_str(", no body")
        } else {
            write!(formatter, ": {}", self.first)
        }
    }
}
