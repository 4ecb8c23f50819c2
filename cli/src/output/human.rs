//! The report as people read it: each diagnostic with its source, then one line that sums up.

use jadpo_analysis::Report;
use jadpo_analysis::diagnostics::Severity;

/// The last line: what was found in how much.
pub fn summary(report: &Report) -> String {
    let files = count(report.files, "file", "files");
    let declarations = count(report.declarations, "declaration", "declarations");
    let found: Vec<String> = [
        (Severity::Error, "error", "errors"),
        (Severity::Warning, "warning", "warnings"),
        (Severity::Note, "note", "notes"),
    ]
    .into_iter()
    .map(|(severity, one, many)| (of(report, severity), one, many))
    .filter(|(n, ..)| *n > 0)
    .map(|(n, one, many)| count(n, one, many))
    .collect();
    if found.is_empty() {
        format!("checked {files}, {declarations}: nothing is wrong\n")
    } else {
        format!("checked {files}, {declarations}: {}\n", found.join(", "))
    }
}

fn of(report: &Report, severity: Severity) -> usize {
    report.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count()
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}
