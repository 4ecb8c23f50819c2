//! What is wrong with a text, as data: a code, a place, a sentence and, where one repair is sensible, an edit.

use crate::Span;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal;)*) => {
        $($(#[$doc])* pub const $name: &str = $code;)*
        /// Every code that this crate gives, so that the catalogue of diagnostics can be compared with it.
        pub const CODES: &[&str] = &[$($code),*];
    };
}

codes! {
    /// A character that the language has no use for, or that can't be seen.
    CHARACTER_INVALID = "syntax.character_invalid";
    /// A string whose line ends before its closing quote.
    STRING_UNCLOSED = "syntax.string_unclosed";
    /// A backslash before something that is no escape.
    ESCAPE_UNKNOWN = "syntax.escape_unknown";
    /// A number of no known unit or form.
    NUMBER_INVALID = "syntax.number_invalid";
    /// Documentation of nothing.
    DOC_UNATTACHED = "syntax.doc_unattached";
    /// A comma between entries, fields or variants.
    COMMA_UNNEEDED = "syntax.comma_unneeded";
    /// `public` before a declaration that can't be public.
    PUBLIC_MISPLACED = "syntax.public_misplaced";
    /// A declaration that begins with no keyword.
    KEYWORD_UNKNOWN = "syntax.keyword_unknown";
    /// A field without a type.
    TYPE_MISSING = "syntax.type_missing";
    /// A shape where only the name of one may stand.
    INLINE_SHAPE = "syntax.inline_shape";
    /// A string where a name must stand: a field, a variant.
    NAME_QUOTED = "syntax.name_quoted";
    /// An opening brace that nothing closes.
    BRACE_UNCLOSED = "syntax.brace_unclosed";
    /// A closing brace that nothing opened.
    BRACE_UNEXPECTED = "syntax.brace_unexpected";
    /// Blocks, lists, calls or types too deep inside each other.
    NESTED_TOO_DEEP = "syntax.nested_too_deep";
    /// Anything else that stands where something other is expected.
    EXPECTED = "syntax.expected";
}

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

    /// This problem, moved by `offset` bytes.
    #[must_use]
    pub fn offset_by(mut self, offset: u32) -> Self {
        self.span = self.span.offset_by(offset);
        for (span, _) in &mut self.related {
            *span = span.offset_by(offset);
        }
        if let Some(edit) = &mut self.edit {
            edit.span = edit.span.offset_by(offset);
        }
        self
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
