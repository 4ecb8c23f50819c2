//! The table of queries against what they do, and reasons as they are told.
#![allow(clippy::unwrap_used, reason = "a test that can't go on should stop")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Debug, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use super::queries::{QUERIES, query};
use super::{Asked, Recorded, Why};
use crate::diagnostics::catalogue::pages;
use crate::system::fixture;
use crate::tests::open;

/// Which query asked which, as the database traces it.
#[derive(Default)]
struct Edges(Mutex<Traced>);

#[derive(Default)]
struct Traced {
    spans: Vec<String>,
    stack: Vec<usize>,
    edges: BTreeMap<String, BTreeSet<String>>,
}

struct QueryName(String);

impl tracing::field::Visit for QueryName {
    fn record_debug(&mut self, field: &tracing::field::Field, value: &dyn Debug) {
        if field.name() == "query" {
            self.0 = format!("{value:?}").split('(').next().unwrap_or_default().to_owned();
        }
    }
}

impl Subscriber for Edges {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("salsa") && (!metadata.is_span() || metadata.name() == "fetch")
    }

    fn new_span(&self, attributes: &Attributes<'_>) -> Id {
        let mut name = QueryName(String::new());
        attributes.record(&mut name);
        let spans = &mut self.0.lock().unwrap().spans;
        spans.push(name.0);
        Id::from_u64(spans.len() as u64)
    }

    fn enter(&self, span: &Id) {
        let mut traced = self.0.lock().unwrap();
        let at = usize::try_from(span.into_u64()).unwrap() - 1;
        if let Some(parent) = traced.stack.last().copied() {
            let (parent, child) = (traced.spans[parent].clone(), traced.spans[at].clone());
            traced.edges.entry(parent).or_default().insert(child);
        }
        traced.stack.push(at);
    }

    fn exit(&self, _: &Id) {
        self.0.lock().unwrap().stack.pop();
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, _: &Event<'_>) {}
}

/// What `run` gives; all that queries ask in it must stand in their rows. Every test of this crate that checks a fixture
/// runs it so.
#[track_caller]
pub fn held_to_the_table<T>(run: impl FnOnce() -> T) -> T {
    let edges = Arc::new(Edges::default());
    let given = tracing::subscriber::with_default(edges.clone(), run);
    let traced = edges.0.lock().unwrap();
    let mut missing = String::new();
    for (name, asked) in &traced.edges {
        let reads = query(name).map_or(&[][..], |query| query.reads);
        for other in asked.iter().filter(|other| !reads.contains(&&***other)) {
            writeln!(missing, "{name} reads {other}").unwrap();
        }
    }
    assert_eq!(missing, "");
    given
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found
}

#[test]
fn what_a_query_asks_stands_in_its_row() {
    let edges = Arc::new(Edges::default());
    tracing::subscriber::with_default(edges.clone(), || open(PROJECT).check());
    let asked = |name: &str| edges.0.lock().unwrap().edges.get(name).cloned().unwrap_or_default();
    assert!(asked("check").contains("parse"), "the database traces what is asked");
    for page in pages() {
        held_to_the_table(|| [page.wrong, page.right].map(|text| open(text).check()));
    }
}

#[test]
fn every_tracked_query_has_a_row_and_every_row_a_query() {
    let mut tracked = BTreeSet::new();
    for source in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let text = std::fs::read_to_string(source).unwrap();
        for rest in text.split("\n#[salsa::tracked").skip(1) {
            let item: String = rest.lines().skip(1).take(3).collect::<Vec<_>>().join(" ");
            if let Some(name) = item.split("fn ").nth(1).filter(|_| !item.contains("struct ")) {
                tracked.insert(name.split(['<', '(']).next().unwrap().to_owned());
            }
        }
    }
    let rows: Vec<&str> = QUERIES.iter().copied().flatten().map(|query| query.name).collect();
    let names: BTreeSet<String> = rows.iter().map(|name| (*name).to_owned()).collect();
    assert_eq!(tracked, names);
    assert_eq!(rows.len(), names.len(), "each has one row");
}

#[test]
fn what_an_edit_makes_of_each_query_is_promised() {
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    let texts = sources.iter().map(|path| std::fs::read_to_string(path).unwrap());
    let promises: String = texts.filter(|text| text.contains("Logged")).collect();
    let promised: BTreeSet<&str> = promises
        .split("@\"")
        .skip(1)
        .filter_map(|rest| rest.split('"').next())
        .flat_map(|snapshot| snapshot.split([' ', ',']))
        .collect();
    let rows = QUERIES.iter().copied().flatten().map(|query| query.name);
    let unpromised: Vec<&str> = rows.filter(|name| !promised.contains(name)).collect();
    // A check never asks how long a store keeps: what is generated does.
    assert_eq!(unpromised, ["store_keep"]);
}

const PROJECT: &str = r#"
//- /app.jadpo
app trading { }

store main { engine: sqlite("data/trading.db") }

store quotes { engine: sqlite("data/quotes.db")  keep: 7d }
"#;

/// What ran after an edit, a line each.
fn reasons(from: &str, to: &str) -> String {
    let mut recorded = Recorded::open(Arc::new(fixture::parse(PROJECT)), Path::new("/"));
    let text = recorded.workspace.text("app.jadpo").unwrap();
    assert_eq!(text.matches(from).count(), 1);
    recorded.workspace.set_text(Path::new("/app.jadpo"), &*text);
    recorded.check();
    recorded.workspace.set_text(Path::new("/app.jadpo"), text.replace(from, to));
    let (_, recomputed) = recorded.check();
    let asked = |asked: &Asked| format!("{} of {}", asked.name, asked.of.as_deref().unwrap_or("-"));
    let mut out = String::new();
    for run in &recomputed.runs {
        let why = match &run.why {
            Why::Since(read) => format!("since {}", read.iter().map(asked).collect::<Vec<_>>().join(", ")),
            other => format!("{other:?}"),
        };
        writeln!(out, "{}: {why}", asked(&run.query)).unwrap();
    }
    write!(out, "{} of {}", recomputed.runs.len(), recomputed.all).unwrap();
    out
}

#[test]
fn an_edit_of_one_declaration_is_followed_to_its_rules() {
    insta::assert_snapshot!(reasons("7d", "8d"), @"
file_items of app.jadpo: Text
parse of store `quotes` (app.jadpo): Text
store_signature of store `quotes` (app.jadpo): since parse of store `quotes` (app.jadpo)
is_broken of store `quotes` (app.jadpo): since parse of store `quotes` (app.jadpo)
check of store `quotes` (app.jadpo): since parse of store `quotes` (app.jadpo), store_signature of store `quotes` (app.jadpo), is_broken of store `quotes` (app.jadpo)
5 of 21
");
}

#[test]
fn what_is_new_is_told_from_what_runs_again() {
    insta::assert_snapshot!(reasons("store quotes", "store prices"), @"
file_items of app.jadpo: Text
file_diagnostics of app.jadpo: since file_items of app.jadpo
file_decls of app.jadpo: since file_items of app.jadpo
clashes of app `trading`: since file_decls of app.jadpo
owner of app `trading`: since file_decls of app.jadpo
databases of app `trading`: since file_decls of app.jadpo
store_signature of store `prices` (app.jadpo): New
parse of store `prices` (app.jadpo): New
is_broken of store `prices` (app.jadpo): New
first_in of -: since databases of app `trading`
check of store `prices` (app.jadpo): New
first_in of -: since databases of app `trading`
on_workers of app `trading`: since file_decls of app.jadpo
13 of 25
");
}
