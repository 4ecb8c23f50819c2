//! Diagnostics: what a rule finds, placed by declaration, and what a reader sees, placed by file.

pub mod catalogue;
pub mod codes;
mod finding;
mod position;
mod quoted;
pub mod render;

pub use catalogue::{Code, Severity};
pub use finding::{Anchor, Finding, FindingEdit, Place};
pub use position::{Position, Range};

/// One report to a person or a tool. Files are relative to the directory that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its stable code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence that quotes the authored name and stands alone.
    pub message: String,
    /// Where it is.
    pub file: String,
    /// Where in the file.
    pub range: Range,
    /// What the frame says beside the range; the message's short form, or empty.
    pub label: String,
    /// Other places that explain it.
    pub related: Vec<Related>,
    /// What to do.
    pub help: Option<String>,
    /// Repairs, best first.
    pub fixes: Vec<Fix>,
}

/// Another place that explains a diagnostic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// What stands there.
    pub message: String,
    /// Where.
    pub file: String,
    /// Where in the file.
    pub range: Range,
}

/// A repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in the imperative.
    pub title: String,
    /// Whether a tool may apply it without asking.
    pub safe: bool,
    /// All of its edits, to be applied at once.
    pub edits: Vec<Edit>,
}

/// A replacement of one range by a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// In which file.
    pub file: String,
    /// What is replaced.
    pub range: Range,
    /// What stands there afterwards.
    pub text: String,
}
