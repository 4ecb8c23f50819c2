//! The one catalogue of diagnostics: a page for each code, with a wrong and a right example that a test runs.

use std::fmt;
use std::sync::LazyLock;

use super::codes;

/// A stable dotted code. The constants of [`codes`] are all there are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub(super) &'static str);

/// How bad a diagnostic is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Nothing is built.
    Error,
    /// It will run, but not as one would think.
    Warning,
    /// Worth knowing.
    Note,
}

/// What the catalogue says of a code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Its code.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// One sentence.
    pub summary: &'static str,
    /// Why it is refused and what to write instead; Markdown.
    pub explanation: &'static str,
    /// A fixture that gives exactly this code.
    pub wrong: &'static str,
    /// The same, put right: it gives no diagnostic at all.
    pub right: &'static str,
}

static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let tables = [codes::base::PAGES, codes::package::PAGES, codes::app::PAGES, codes::deferred::PAGES];
    let mut pages: Vec<_> =
        tables.into_iter().flatten().map(|(code, text)| Page::parse(*code, text)).collect();
    pages.sort_by_key(|page| page.code);
    pages
});

/// Every code's page, sorted by code.
pub fn pages() -> &'static [Page] {
    &PAGES
}

/// The page of the code with this text.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.binary_search_by_key(&code, |page| page.code.0).ok().map(|index| &PAGES[index])
}

impl Code {
    /// The code that `syntax` names.
    pub(super) fn of_syntax(code: &'static str) -> Self {
        Self(code)
    }

    /// As it is printed.
    pub fn text(self) -> &'static str {
        self.0
    }

    /// How bad its diagnostics are.
    pub fn severity(self) -> Severity {
        page(self.0).map_or(Severity::Error, |page| page.severity)
    }
}

impl Page {
    /// Reads `error: summary`, the explanation, and the fenced examples beneath `## Wrong` and `## Right`.
    fn parse(code: Code, text: &'static str) -> Self {
        let (head, rest) = text.split_once('\n').unwrap_or((text, ""));
        let (severity, summary) = head.split_once(": ").unwrap_or(("error", head));
        let (explanation, examples) = rest.split_once("\n## Wrong\n").unwrap_or((rest, ""));
        let (wrong, right) = examples.split_once("\n## Right\n").unwrap_or((examples, ""));
        let severity = match severity {
            "note" => Severity::Note,
            "warning" => Severity::Warning,
            _ => Severity::Error,
        };
        Self {
            code,
            severity,
            summary: summary.trim(),
            explanation: explanation.trim(),
            wrong: fenced(wrong),
            right: fenced(right),
        }
    }
}

/// What stands in the first fence.
fn fenced(text: &'static str) -> &'static str {
    let Some((_, rest)) = text.split_once("```jadpo\n") else { return "" };
    rest.split_once("```").map_or(rest, |(inside, _)| inside)
}

impl Severity {
    /// As it is printed.
    pub fn text(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Note => "note",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}
