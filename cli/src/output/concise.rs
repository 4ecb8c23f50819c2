//! The report with one line for each diagnostic: what terminals make links of and what is found with `grep`.

use std::fmt::Write;

use jadpo_analysis::Report;
use jadpo_analysis::diagnostics::Diagnostic;

/// All lines; nothing where nothing is wrong.
pub fn report(report: &Report) -> String {
    report.diagnostics.iter().map(line).collect()
}

/// `file:line:column: severity[code]: message (help)` and the line's end.
pub fn line(diagnostic: &Diagnostic) -> String {
    let Diagnostic { code, severity, message, file, .. } = diagnostic;
    let start = diagnostic.range.start;
    let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
    let text = format!("{file}:{}:{}: {severity}[{code}]: {message}{help}", start.line, start.column);
    one_line(&text) + "\n"
}

/// The text with its control characters escaped, so that neither a file's name nor what is quoted can end the line or
/// steer a terminal.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') {
            write!(line, "{}", c.escape_default()).expect("a string takes any text");
        } else {
            line.push(c);
        }
    }
    line
}
