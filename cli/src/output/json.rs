//! The report as one JSON object, version 1: the form that programs may rely on.

use jadpo_analysis::diagnostics::{Diagnostic, Edit, Fix, Position, Range, Related, Severity};
use jadpo_analysis::{OnWorkers, Report};
use serde::Serialize;

/// The version of this form; it changes when a reader of the old one would misread the new.
const VERSION: u32 = 1;

/// The report, as one line of JSON and its end.
pub fn report(report: &Report) -> String {
    let value = JsonReport {
        version: VERSION,
        ok: report.is_ok(),
        diagnostics: report.diagnostics.iter().map(JsonDiagnostic::of).collect(),
        on_workers: report.on_workers.iter().flat_map(JsonOnWorkers::of).collect(),
        stats: JsonStats { files: report.files, declarations: report.declarations },
    };
    let mut text = serde_json::to_string(&value).expect("a report holds only texts, numbers and lists");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct JsonReport<'a> {
    version: u32,
    ok: bool,
    diagnostics: Vec<JsonDiagnostic<'a>>,
    on_workers: Vec<JsonOnWorkers<'a>>,
    stats: JsonStats,
}

/// A connection with a cap that a deployable on Workers reaches.
#[derive(Serialize)]
struct JsonOnWorkers<'a> {
    deployable: &'a str,
    connection: &'a str,
    max_concurrent: u64,
    scope: &'static str,
}

#[derive(Serialize)]
struct JsonStats {
    files: usize,
    declarations: usize,
}

#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    code: &'a str,
    severity: &'static str,
    message: &'a str,
    file: &'a str,
    range: JsonRange,
    related: Vec<JsonRelated<'a>>,
    help: Option<&'a str>,
    fixes: Vec<JsonFix<'a>>,
}

#[derive(Serialize)]
struct JsonRelated<'a> {
    message: &'a str,
    file: &'a str,
    range: JsonRange,
}

#[derive(Serialize)]
struct JsonFix<'a> {
    title: &'a str,
    safe: bool,
    edits: Vec<JsonEdit<'a>>,
}

#[derive(Serialize)]
struct JsonEdit<'a> {
    file: &'a str,
    range: JsonRange,
    text: &'a str,
}

#[derive(Serialize)]
struct JsonRange {
    start: JsonPosition,
    end: JsonPosition,
}

#[derive(Serialize)]
struct JsonPosition {
    line: u32,
    column: u32,
    offset: u32,
}

impl<'a> JsonOnWorkers<'a> {
    fn of(worker: &'a OnWorkers) -> impl Iterator<Item = Self> {
        worker.capped.iter().map(|capped| Self {
            deployable: &worker.deployable,
            connection: &capped.connection,
            max_concurrent: capped.max_concurrent,
            scope: "per instance",
        })
    }
}

impl<'a> JsonDiagnostic<'a> {
    fn of(diagnostic: &'a Diagnostic) -> Self {
        Self {
            code: diagnostic.code.text(),
            severity: severity(diagnostic.severity),
            message: &diagnostic.message,
            file: &diagnostic.file,
            range: JsonRange::of(diagnostic.range),
            related: diagnostic.related.iter().map(JsonRelated::of).collect(),
            help: diagnostic.help.as_deref(),
            fixes: diagnostic.fixes.iter().map(JsonFix::of).collect(),
        }
    }
}

impl<'a> JsonRelated<'a> {
    fn of(related: &'a Related) -> Self {
        Self { message: &related.message, file: &related.file, range: JsonRange::of(related.range) }
    }
}

impl<'a> JsonFix<'a> {
    fn of(fix: &'a Fix) -> Self {
        Self { title: &fix.title, safe: fix.safe, edits: fix.edits.iter().map(JsonEdit::of).collect() }
    }
}

impl<'a> JsonEdit<'a> {
    fn of(edit: &'a Edit) -> Self {
        Self { file: &edit.file, range: JsonRange::of(edit.range), text: &edit.text }
    }
}

impl JsonRange {
    fn of(range: Range) -> Self {
        Self { start: JsonPosition::of(range.start), end: JsonPosition::of(range.end) }
    }
}

impl JsonPosition {
    fn of(position: Position) -> Self {
        Self { line: position.line, column: position.column, offset: position.offset }
    }
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
