//! The report as workflow commands of GitHub Actions, which shows each diagnostic beside its line of a pull request.

use std::fmt::Write;

use jadpo_analysis::Report;
use jadpo_analysis::diagnostics::{Diagnostic, Range, Severity};

/// One command for each diagnostic, on a line of its own.
pub fn report(report: &Report) -> String {
    report.diagnostics.iter().map(command).collect()
}

fn command(diagnostic: &Diagnostic) -> String {
    let name = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "notice",
    };
    let file = property(&diagnostic.file);
    let title = property(&format!("jadpo ({})", diagnostic.code));
    let place = place(diagnostic.range);
    format!("::{name} file={file},{place},title={title}::{}\n", data(&message(diagnostic)))
}

/// Columns may only be given where both ends are on one line.
fn place(Range { start, end }: Range) -> String {
    if start.line == end.line {
        format!("line={},endLine={},col={},endColumn={}", start.line, end.line, start.column, end.column)
    } else {
        format!("line={},endLine={}", start.line, end.line)
    }
}

/// The sentence, what to do, and the other places, each on a line.
fn message(diagnostic: &Diagnostic) -> String {
    let mut text = diagnostic.message.clone();
    if let Some(help) = &diagnostic.help {
        write!(text, "\nhelp: {help}").expect("a string takes any text");
    }
    for related in &diagnostic.related {
        let start = related.range.start;
        write!(text, "\n{}:{}:{}: {}", related.file, start.line, start.column, related.message)
            .expect("a string takes any text");
    }
    text
}

/// A text behind the last `::`. The `%` goes first, since the others bring some along.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value between `=` and `,`.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
