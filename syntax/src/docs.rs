//! Documentation: what it says, and what is said about one that documents nothing.

use crate::Span;
use crate::problem::{DOC_UNATTACHED, Problem};

/// The text of one line of documentation, without `///` and one leading space.
pub(crate) fn content(doc: &str) -> String {
    let text = doc.strip_prefix("///").unwrap_or(doc);
    text.strip_prefix(' ').unwrap_or(text).trim_end().to_owned()
}

/// Whether something other than white space stands before `at` on its line.
pub(crate) fn trails(text: &str, at: u32) -> bool {
    let line = line_start(text, at);
    !Span::new(line, at).text(text).trim_matches([' ', '\t', '\u{feff}']).is_empty()
}

/// The problem of a doc after other text on its line; the edit moves it above that text.
pub(crate) fn trailing_problem(text: &str, span: Span) -> Problem {
    let line = Span::new(line_start(text, span.start), span.start);
    let written = line.text(text).trim_start_matches('\u{feff}');
    let indent = &written[..written.len() - written.trim_start_matches([' ', '\t']).len()];
    let code = written[indent.len()..].trim_end();
    let start = span.start - crate::line_index::offset(written.len() - indent.len());
    let doc = span.text(text).trim_end();
    let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let edit = format!("{doc}{eol}{indent}{code}");
    if code.starts_with(['}', ']', ')']) {
        return unattached_problem(text, span);
    }
    Problem::new(DOC_UNATTACHED, span, "documentation stands on a line of its own, before what it documents")
        .with_edit("move it to the line above", Span::new(start, span.end), edit)
}

/// The problem of docs before nothing that can have any; the edit makes them comments.
pub(crate) fn unattached_problem(text: &str, run: Span) -> Problem {
    let lines = run.text(text).split_inclusive('\n').map(|line| {
        let code = line.trim_start_matches([' ', '\t']);
        let indent = &line[..line.len() - code.len()];
        code.strip_prefix("///").map_or_else(|| line.to_owned(), |rest| format!("{indent}//{rest}"))
    });
    Problem::new(DOC_UNATTACHED, run, "this documentation stands before nothing that it could document")
        .with_edit("make it a comment", run, lines.collect::<String>())
}

/// Where the line of `at` begins.
pub(crate) fn line_start(text: &str, at: u32) -> u32 {
    let before = Span::new(0, at).text(text);
    crate::line_index::offset(before.rfind(['\n', '\r']).map_or(0, |end| end + 1))
}
