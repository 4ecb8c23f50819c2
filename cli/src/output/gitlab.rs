//! The report in GitLab's code quality form: a JSON list for `artifacts:reports:codequality`.

use jadpo_analysis::Report;
use jadpo_analysis::diagnostics::{Diagnostic, Severity};
use serde::Serialize;

use super::fingerprint;

/// The list, as one line of JSON and its end.
pub fn report(report: &Report) -> String {
    let fingerprints = fingerprint::of_all(&report.diagnostics);
    let issues: Vec<_> = report.diagnostics.iter().zip(fingerprints).map(Issue::of).collect();
    let mut text = serde_json::to_string(&issues).expect("an issue holds only texts and numbers");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Issue<'a> {
    description: String,
    check_name: &'a str,
    /// GitLab takes issues with the same fingerprint for one, in a report and between the reports of two branches.
    fingerprint: String,
    severity: &'static str,
    location: Location<'a>,
}

#[derive(Serialize)]
struct Location<'a> {
    path: &'a str,
    lines: Lines,
}

#[derive(Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

impl<'a> Issue<'a> {
    fn of((diagnostic, fingerprint): (&'a Diagnostic, String)) -> Self {
        let help = diagnostic.help.as_ref().map(|help| format!(" ({help})")).unwrap_or_default();
        let (start, end) = (diagnostic.range.start, diagnostic.range.end);
        Self {
            description: format!("{}{help}", diagnostic.message),
            check_name: diagnostic.code.text(),
            fingerprint,
            severity: severity(diagnostic.severity),
            location: Location { path: &diagnostic.file, lines: Lines { begin: start.line, end: end.line } },
        }
    }
}

/// Of GitLab's five, `critical` and `blocker` stay unused: they speak of what harms somebody who runs the program, and
/// nothing runs with an error.
fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "major",
        Severity::Warning => "minor",
        Severity::Note => "info",
    }
}
