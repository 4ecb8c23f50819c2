//! The report in SARIF 2.1.0, for code scanning and for viewers in editors.

use std::collections::BTreeMap;
use std::fmt::Write;

use jadpo_analysis::Report;
use jadpo_analysis::diagnostics::catalogue::{self, Page};
use jadpo_analysis::diagnostics::{Diagnostic, Edit, Fix, Range, Related, Severity};
use serde::Serialize;

use super::fingerprint;

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The log, as one line of JSON and its end.
pub fn report(report: &Report) -> String {
    let fingerprints = fingerprint::of_all(&report.diagnostics);
    let log = Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            tool: Tool { driver: Driver::this() },
            column_kind: "unicodeCodePoints",
            newline_sequences: ["\r\n", "\n", "\r"],
            results: report.diagnostics.iter().zip(fingerprints).map(Found::of).collect(),
        }],
    };
    let mut text = serde_json::to_string(&log).expect("a log holds only texts, numbers and lists");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Log<'a> {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run<'a>; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run<'a> {
    tool: Tool,
    column_kind: &'static str,
    newline_sequences: [&'static str; 3],
    results: Vec<Found<'a>>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Driver {
    name: &'static str,
    version: &'static str,
    information_uri: &'static str,
    rules: Vec<Rule>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text,
    full_description: Text,
    help: Text,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

/// A result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Found<'a> {
    rule_id: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule_index: Option<usize>,
    level: &'static str,
    message: Text,
    locations: [Place; 1],
    #[serde(skip_serializing_if = "Vec::is_empty")]
    related_locations: Vec<Place>,
    partial_fingerprints: Fingerprints,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    fixes: Vec<Repair<'a>>,
}

#[derive(Serialize)]
struct Fingerprints {
    #[serde(rename = "jadpo/v1")]
    v1: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Place {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<usize>,
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<Text>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

/// Lines and columns count from 1, and the end is the place after the last character, here as in a [`Range`].
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_line: u32,
    end_column: u32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Repair<'a> {
    description: Text,
    artifact_changes: Vec<Change<'a>>,
    properties: RepairProperties,
}

/// SARIF has no word for it.
#[derive(Serialize)]
struct RepairProperties {
    safe: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Change<'a> {
    artifact_location: Artifact,
    replacements: Vec<Replacement<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Replacement<'a> {
    deleted_region: Region,
    inserted_content: Inserted<'a>,
}

#[derive(Serialize)]
struct Inserted<'a> {
    text: &'a str,
}

impl Driver {
    fn this() -> Self {
        Self {
            name: "jadpo",
            version: env!("CARGO_PKG_VERSION"),
            information_uri: env!("CARGO_PKG_REPOSITORY"),
            rules: catalogue::pages().iter().map(Rule::of).collect(),
        }
    }
}

impl Rule {
    fn of(page: &Page) -> Self {
        // Where the summary says it all, the page has no more; but the standard and GitHub want each of the three.
        let explanation = if page.explanation.is_empty() { page.summary } else { page.explanation };
        let help = format!("{explanation}\n\nExamples: jadpo explain {}", page.code);
        Self {
            id: page.code.text(),
            short_description: Text::of(page.summary),
            full_description: Text::of(explanation),
            help: Text::of(&help),
            default_configuration: Configuration { level: level(page.severity) },
        }
    }
}

impl<'a> Found<'a> {
    fn of((diagnostic, fingerprint): (&'a Diagnostic, String)) -> Self {
        let help = diagnostic.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        let code = diagnostic.code;
        Self {
            rule_id: code.text(),
            rule_index: catalogue::pages().iter().position(|page| page.code == code),
            level: level(diagnostic.severity),
            message: Text::of(&format!("{}{help}", diagnostic.message)),
            locations: [Place::of(&diagnostic.file, diagnostic.range)],
            related_locations: diagnostic.related.iter().enumerate().map(Place::related).collect(),
            partial_fingerprints: Fingerprints { v1: fingerprint },
            fixes: diagnostic.fixes.iter().map(Repair::of).collect(),
        }
    }
}

impl Place {
    fn of(file: &str, range: Range) -> Self {
        let physical_location = Physical { artifact_location: Artifact::of(file), region: Region::of(range) };
        Self { id: None, physical_location, message: None }
    }

    fn related((at, related): (usize, &Related)) -> Self {
        Self {
            id: Some(at),
            message: Some(Text::of(&related.message)),
            ..Self::of(&related.file, related.range)
        }
    }
}

impl<'a> Repair<'a> {
    fn of(fix: &'a Fix) -> Self {
        let mut by_file: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
        for edit in &fix.edits {
            by_file.entry(&edit.file).or_default().push(edit);
        }
        let changes = by_file.into_iter().map(|(file, edits)| Change {
            artifact_location: Artifact::of(file),
            replacements: edits.into_iter().map(Replacement::of).collect(),
        });
        Self {
            description: Text::of(&fix.title),
            artifact_changes: changes.collect(),
            properties: RepairProperties { safe: fix.safe },
        }
    }
}

impl<'a> Replacement<'a> {
    fn of(edit: &'a Edit) -> Self {
        Self { deleted_region: Region::of(edit.range), inserted_content: Inserted { text: &edit.text } }
    }
}

impl Region {
    fn of(Range { start, end }: Range) -> Self {
        Self {
            start_line: start.line,
            start_column: start.column,
            end_line: end.line,
            end_column: end.column,
        }
    }
}

impl Artifact {
    /// A file as a relative reference. A `:` is encoded too, since before the first `/` it would end a scheme.
    fn of(file: &str) -> Self {
        let mut uri = String::with_capacity(file.len());
        for byte in file.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                    uri.push(char::from(byte));
                }
                byte => write!(uri, "%{byte:02X}").expect("a string takes any text"),
            }
        }
        Self { uri }
    }
}

impl Text {
    /// A message that is shown as it is. The standard wants every brace doubled, since `{0}` stands for an argument; but
    /// viewers show doubled ones as they are, and GitHub does too, so only what would be taken for an argument is
    /// doubled.
    fn of(text: &str) -> Self {
        let mut parts = text.split('{');
        let mut out = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            match part.split_once('}') {
                Some((index, rest)) if !index.is_empty() && index.bytes().all(|b| b.is_ascii_digit()) => {
                    write!(out, "{{{{{index}}}}}{rest}").expect("a string takes any text");
                }
                _ => {
                    out.push('{');
                    out.push_str(part);
                }
            }
        }
        Self { text: out }
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
