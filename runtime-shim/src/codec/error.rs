//! What a value that does not fit is reported as.

use std::fmt;

/// The most problems that one decoding reports; reading ends at the last of them.
pub(super) const MAX_PROBLEMS: usize = 20;

/// The most characters that are quoted from an answer.
const MAX_QUOTED: usize = 80;

/// The most characters of a place; past them it ends in `…`.
const MAX_PLACE: usize = 400;

/// A value did not fit; the reader holds the details.
///
/// The value has been passed over and reading may go on, unless [`Reader::is_broken`](super::Reader::is_broken).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mismatch;

/// A text did not fit its type: every place that was found, in the order of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodeError {
    /// At least one; at most 20.
    pub problems: Vec<Problem>,
}

/// One place that did not fit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// A JSON Pointer.
    pub place: String,
    /// What fits there.
    pub wanted: String,
    /// What came, as JSON text cut to 80 characters, or `nothing`.
    pub got: String,
}

/// A value breaks a constraint of its type; shows what was wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConstraintError {
    wanted: String,
}

impl ConstraintError {
    /// An error that shows `wanted`.
    pub fn new(wanted: impl Into<String>) -> Self {
        Self { wanted: wanted.into() }
    }

    /// What was wanted.
    pub fn wanted(&self) -> &str {
        &self.wanted
    }
}

impl fmt::Display for ConstraintError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.wanted)
    }
}

impl std::error::Error for ConstraintError {}

impl DecodeError {
    /// An error of one problem; `place` is a JSON Pointer.
    pub fn single(place: impl Into<String>, wanted: impl Into<String>, got: impl Into<String>) -> Self {
        Self { problems: vec![Problem { place: place.into(), wanted: wanted.into(), got: got.into() }] }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.place.is_empty() { "the whole" } else { &self.place };
        write!(out, "{place}: wanted {}, got {}", self.wanted, self.got)
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(out, "{separator}{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for DecodeError {}

/// What is quoted of `text`: one line of at most 80 characters.
pub(super) fn quoted(text: &str) -> String {
    cut(text.chars().map(|char| if char.is_control() { ' ' } else { char }), MAX_QUOTED)
}

/// `place` as it is reported.
pub(super) fn bounded_place(place: &str) -> String {
    cut(place.chars().map(|char| if char.is_control() { ' ' } else { char }), MAX_PLACE)
}

fn cut(mut chars: impl Iterator<Item = char>, limit: usize) -> String {
    let mut kept: String = chars.by_ref().take(limit).collect();
    if chars.next().is_some() {
        kept.pop();
        kept.push('…');
    }
    kept
}
