//! `--format json`: exactly the form that programs rely on, for everything that can be wrong.

use jadpo_analysis::diagnostics::catalogue::pages;
use jadpo_tests::fixture;
use jadpo_tests::scratch::Scratch;
use serde::Deserialize;

use super::{CLEAN, jadpo, with_error};

/// The form, field by field; anything more or less is an error.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    version: u32,
    ok: bool,
    diagnostics: Vec<Diagnostic>,
    on_workers: Vec<OnWorkers>,
    stats: Stats,
}

#[derive(Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
struct OnWorkers {
    deployable: String,
    connection: String,
    max_concurrent: u64,
    scope: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stats {
    files: usize,
    declarations: usize,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Diagnostic {
    code: String,
    severity: String,
    message: String,
    file: String,
    range: Range,
    related: Vec<Related>,
    /// Always there, if only as `null`.
    #[serde(deserialize_with = "Option::deserialize")]
    help: Option<String>,
    fixes: Vec<Fix>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Related {
    message: String,
    file: String,
    range: Range,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fix {
    title: String,
    #[serde(rename = "safe")]
    _safe: bool,
    edits: Vec<Edit>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    file: String,
    range: Range,
    text: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Range {
    start: Position,
    end: Position,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Position {
    line: usize,
    column: usize,
    offset: usize,
}

#[test]
fn the_form_is_this() {
    let scratch = Scratch::with(&with_error());
    let ran = jadpo(scratch.path(), ["check", "--format", "json"]);
    insta::assert_snapshot!(ran.out);
}

#[test]
fn caps_on_workers_are_listed() {
    let scratch = Scratch::with(CLEAN);
    scratch.replace("app.jadpo", "sqlite(\"quay.db\")", "d1(\"QUAY\")");
    scratch.replace("app.jadpo", "package: tides", "package: tides  max_concurrent: 4");
    scratch.replace("app.jadpo", "target: native", "target: workers");
    let ran = jadpo(scratch.path(), ["check", "--format", "json"]);
    let report: Report = serde_json::from_str(&ran.out).unwrap();
    let listed = OnWorkers {
        deployable: "server".to_owned(),
        connection: "gauge".to_owned(),
        max_concurrent: 4,
        scope: "per instance".to_owned(),
    };
    assert_eq!((report.on_workers, report.ok), (vec![listed], true));
    // The other forms are of diagnostics alone.
    assert_eq!(jadpo(scratch.path(), ["check", "--format", "concise"]).out, "");
}

#[test]
fn every_code_s_wrong_example_is_reported_in_that_form() {
    for page in pages() {
        let scratch = Scratch::with(page.wrong);
        let ran = jadpo(scratch.path(), ["check", "--format", "json"]);
        assert_eq!(ran.out.matches('\n').count(), 1, "{}: one line", page.code);
        let report: Report = serde_json::from_str(&ran.out)
            .unwrap_or_else(|error| panic!("{}: {error}\n{}", page.code, ran.out));
        assert_eq!(report.version, 1);
        assert!(report.on_workers.is_empty());
        let errors = report.diagnostics.iter().filter(|it| it.severity == "error").count();
        assert_eq!((report.ok, ran.code), (errors == 0, Some(i32::from(errors > 0))), "{}", page.code);
        assert!(
            report.stats.declarations > 0 || report.stats.files == 0 || page.code.text().starts_with("file."),
            "{}",
            page.code
        );
        assert!(
            report.diagnostics.iter().any(|it| it.code == page.code.text()),
            "{}: {}",
            page.code,
            ran.out
        );
        report.diagnostics.iter().for_each(|it| hold(it, page.wrong));
    }
}

/// What must be so in each diagnostic, its places held against the texts by counting anew.
#[track_caller]
fn hold(diagnostic: &Diagnostic, fixture: &str) {
    assert!(!diagnostic.message.is_empty() && !diagnostic.message.contains('\n'), "{diagnostic:?}");
    assert!(["error", "warning", "note"].contains(&diagnostic.severity.as_str()), "{diagnostic:?}");
    assert!(diagnostic.help.as_ref().is_none_or(|help| !help.is_empty()), "{diagnostic:?}");
    counted(&diagnostic.file, &diagnostic.range, fixture);
    for related in &diagnostic.related {
        assert!(!related.message.is_empty(), "{diagnostic:?}");
        counted(&related.file, &related.range, fixture);
    }
    for fix in &diagnostic.fixes {
        assert!(!fix.title.is_empty() && !fix.edits.is_empty(), "{diagnostic:?}");
        for edit in &fix.edits {
            counted(&edit.file, &edit.range, fixture);
            assert!(
                edit.range.start.offset < edit.range.end.offset || !edit.text.is_empty(),
                "{diagnostic:?}"
            );
        }
    }
}

#[track_caller]
fn counted(file: &str, range: &Range, fixture: &str) {
    let files = fixture::files(fixture);
    let Some(found) = files.iter().find(|it| it.path == file && !it.is_link()) else {
        // What is wrong with a directory or a link stands at its start.
        return assert_eq!((range.start.line, range.start.column, range.start.offset), (1, 1, 0), "{file}");
    };
    assert!(range.start.offset <= range.end.offset, "{file} {range:?}");
    let bytes = found.bytes();
    for position in [&range.start, &range.end] {
        // A place stands before the first byte that is no text.
        let before = std::str::from_utf8(&bytes[..position.offset]).unwrap();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        assert_eq!((position.line, position.column), (line, column), "{file} at {}", position.offset);
    }
}
