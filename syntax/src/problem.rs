//! What is wrong with a text, as data: a code, a place, a sentence and, where one repair is sensible, an edit.

use crate::Span;

/// One mistake in the text. `analysis` turns it into a diagnostic without adding to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Problem {
    /// A stable code of the `syntax.` family.
    pub code: &'static str,
    /// The smallest wrong range.
    pub span: Span,
    /// One sentence that quotes what was written.
    pub message: String,
    /// What to do, where the message alone leaves it open.
    pub help: Option<String>,
    /// Other places that explain the mistake, such as the brace that was never closed.
    pub related: Vec<(Span, String)>,
    /// The one sensible repair.
    pub edit: Option<Edit>,
}

/// A replacement of one range by a text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Edit {
    /// What the repair does, in the imperative: "remove the comma".
    pub title: String,
    /// What is replaced.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
    /// Whether a tool may apply it without asking.
    pub safe: bool,
}

impl Problem {
    /// A problem with nothing but its code, place and sentence.
    pub fn new(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self { code, span, message: message.into(), help: None, related: Vec::new(), edit: None }
    }

    /// With a `help:` line.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// With another place that explains it.
    #[must_use]
    pub fn with_related(mut self, span: Span, message: impl Into<String>) -> Self {
        self.related.push((span, message.into()));
        self
    }

    /// With a repair that a tool may apply.
    #[must_use]
    pub fn with_edit(mut self, title: impl Into<String>, span: Span, text: impl Into<String>) -> Self {
        self.edit = Some(Edit { title: title.into(), span, text: text.into(), safe: true });
        self
    }
}
