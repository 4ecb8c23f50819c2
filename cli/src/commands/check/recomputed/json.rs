//! What ran again as one JSON object, version 1.

use jadpo_analysis::recomputed::{Asked, Run, Why};
use serde::Serialize;

use super::Edit;

/// The version of this form; it changes when a reader of the old one would misread the new.
const VERSION: u32 = 1;

#[derive(Serialize)]
struct JsonEdit<'a> {
    version: u32,
    /// Whether the check after the edit finds no error; absent where nothing was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    file: &'a str,
    since: &'a str,
    reran: Vec<JsonRun<'a>>,
    totals: JsonTotals,
}

#[derive(Serialize)]
struct JsonTotals {
    reran: usize,
    queries: usize,
}

#[derive(Serialize)]
struct JsonRun<'a> {
    query: &'a str,
    of: Option<&'a str>,
    what: &'a str,
    why: &'static str,
    since: Vec<JsonAsked<'a>>,
}

#[derive(Serialize)]
struct JsonAsked<'a> {
    query: &'a str,
    of: Option<&'a str>,
}

/// An edit, as one line of JSON and its end.
pub fn edit(edit: &Edit<'_>) -> String {
    let runs = &edit.recomputed.runs;
    line(&JsonEdit {
        version: VERSION,
        ok: Some(edit.report.is_ok()),
        file: edit.file,
        since: edit.since,
        reran: runs.iter().map(JsonRun::of).collect(),
        totals: JsonTotals { reran: runs.len(), queries: edit.recomputed.all },
    })
}

/// No edit.
pub fn nothing(file: &str, since: &str) -> String {
    let totals = JsonTotals { reran: 0, queries: 0 };
    line(&JsonEdit { version: VERSION, ok: None, file, since, reran: Vec::new(), totals })
}

fn line(edit: &JsonEdit<'_>) -> String {
    let mut text = serde_json::to_string(edit).expect("an edit holds only texts, numbers and lists");
    text.push('\n');
    text
}

impl<'a> JsonRun<'a> {
    fn of(run: &'a Run) -> Self {
        let (why, since) = match &run.why {
            Why::New => ("new", &[][..]),
            Why::Text => ("text", &[][..]),
            Why::Layout => ("layout", &[][..]),
            Why::Other => ("other", &[][..]),
            Why::Since(causes) => ("since", &causes[..]),
        };
        let since = since.iter().map(JsonAsked::of).collect();
        Self { query: &run.query.name, of: run.query.of.as_deref(), what: run.words, why, since }
    }
}

impl<'a> JsonAsked<'a> {
    fn of(asked: &'a Asked) -> Self {
        Self { query: &asked.name, of: asked.of.as_deref() }
    }
}
