//! The report as JUnit XML: each file is a test case, which fails when the file has an error.

use std::collections::BTreeMap;
use std::fmt::Write;

use jadpo_analysis::Report;
use jadpo_analysis::diagnostics::{Diagnostic, Severity};

use super::concise;

/// The name of the suite, and the class of its cases: readers tell cases apart by class and name.
const SUITE: &str = "jadpo check";

/// The document; `files` are all that were checked, so that those without a mistake are seen to pass.
pub fn report(report: &Report, files: &[String]) -> String {
    let mut cases: BTreeMap<&str, Vec<&Diagnostic>> =
        files.iter().map(|file| (&**file, Vec::new())).collect();
    for diagnostic in &report.diagnostics {
        cases.entry(&diagnostic.file).or_default().push(diagnostic);
    }
    let failed = cases.values().filter(|found| found.iter().any(|it| is_error(it))).count();
    let counts = format!("tests=\"{}\" failures=\"{failed}\" errors=\"0\"", cases.len());
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuites name=\"{SUITE}\" {counts}>\n  <testsuite name=\"{SUITE}\" {counts} skipped=\"0\">\n"
    );
    for (file, found) in cases {
        xml.push_str(&case(file, &found));
    }
    xml.push_str("  </testsuite>\n</testsuites>\n");
    xml
}

/// One file. Many readers show only the first failure of a case, so there is one, with a line for each error; what is
/// less than an error is told as the case's output.
fn case(file: &str, found: &[&Diagnostic]) -> String {
    let file = escaped(file);
    let open = format!("    <testcase classname=\"{SUITE}\" name=\"{file}\" file=\"{file}\"");
    if found.is_empty() {
        return open + "/>\n";
    }
    let (errors, others): (Vec<&Diagnostic>, Vec<&Diagnostic>) = found.iter().partition(|it| is_error(it));
    let mut xml = open + ">\n";
    if let Some(first) = errors.first() {
        let more = match errors.len() - 1 {
            0 => String::new(),
            more => format!(" (and {more} more)"),
        };
        let message = escaped(&format!("{}{more}", first.message));
        let code = escaped(first.code.text());
        writeln!(xml, "      <failure message=\"{message}\" type=\"{code}\">{}</failure>", lines(&errors))
            .expect("a string takes any text");
    }
    if !others.is_empty() {
        writeln!(xml, "      <system-out>{}</system-out>", lines(&others)).expect("a string takes any text");
    }
    xml.push_str("    </testcase>\n");
    xml
}

fn lines(diagnostics: &[&Diagnostic]) -> String {
    diagnostics.iter().map(|diagnostic| escaped(concise::line(diagnostic).trim_end()) + "\n").collect()
}

fn is_error(diagnostic: &Diagnostic) -> bool {
    diagnostic.severity == Severity::Error
}

/// A text that stands the same in an attribute and between tags. Characters that XML 1.0 has no way to write are
/// replaced.
fn escaped(text: &str) -> String {
    let mut xml = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => xml.push_str("&amp;"),
            '<' => xml.push_str("&lt;"),
            '>' => xml.push_str("&gt;"),
            '"' => xml.push_str("&quot;"),
            '\'' => xml.push_str("&apos;"),
            // As they are, attributes would turn them into spaces.
            '\t' => xml.push_str("&#9;"),
            '\n' => xml.push_str("&#10;"),
            '\r' => xml.push_str("&#13;"),
            c if c < ' ' || matches!(c, '\u{fffe}' | '\u{ffff}') => xml.push(char::REPLACEMENT_CHARACTER),
            c => xml.push(c),
        }
    }
    xml
}
