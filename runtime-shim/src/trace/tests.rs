//! What is told in the log is what docs/runtime.md says: each span, its level, its fields.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod secrets;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::json;

use crate::action::{self, Ask};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::dispatch::Dispatch;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::plan::Plan;
use crate::sim::Reply;
use crate::step::RunStep;
use crate::store::Fence;
use crate::trial::Trial;
use crate::trial::spans::{Told, told_by};

const MINUTE_MS: u64 = 60_000;

/// The manual.
const PAGE: &str = include_str!("../../../docs/runtime.md");

/// An app that does everything once, and fails some of it.
struct Everything;

impl Dispatch for Everything {
    fn deliver<'a>(
        &'a self,
        subscriber: &'a str,
        cx: &'a mut Context,
        _: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            if subscriber == "update_quotes" && cx.attempt() == 1 {
                return Err(Failure::new("not yet"));
            }
            cx.connection("small").call("ping", None).await?;
            Ok(())
        })
    }

    fn act<'a>(
        &'a self,
        _: &'a str,
        cx: &'a mut Context,
        _: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            cx.start("count", None);
            Ok(None)
        })
    }

    fn step<'a>(
        &'a self,
        _: &'a str,
        cx: &'a mut Context,
        step: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            match (cx.attempt(), &step.cursor) {
                (1, None) => Err(Failure::new("not yet")),
                (_, None) => Ok(Some("1".to_owned())),
                _ => Ok(None),
            }
        })
    }
}

fn with_everything(plan: &mut Plan) {
    let action = json!({ "store": "main", "emits": [], "uses": [], "starts": ["count"] });
    plan.actions.insert("sweep".to_owned(), serde_json::from_value(action).unwrap());
    let schedule = json!({ "when": { "every_ms": 120_000 }, "action": "sweep" });
    plan.schedules.insert("often".to_owned(), serde_json::from_value(schedule).unwrap());
    let batch = json!({ "store": "main", "size": 10 });
    plan.batches.insert("count".to_owned(), serde_json::from_value(batch).unwrap());
    let server = plan.deployables.get_mut("server").unwrap();
    server.schedules.push("often".to_owned());
    server.batches.push("count".to_owned());
    plan.connections.get_mut("feed").unwrap().polls.get_mut("prices").unwrap().every_ms = MINUTE_MS;
}

/// Each row of a table of the manual, by its first cell: the other cells.
fn rows(heading: &str) -> BTreeMap<String, Vec<String>> {
    let (_, after) = PAGE.split_once(heading).unwrap();
    let lines = after.lines().skip(1).take_while(|line| line.starts_with('|'));
    let cells = |line: &str| line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
    lines
        .map(|line| {
            let mut cells: Vec<String> = cells(line);
            let first = cells.remove(0).trim_matches('`').to_owned();
            (first, cells)
        })
        .collect()
}

/// What stands in backticks in a cell.
fn names(cell: &str) -> BTreeSet<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Compares what was told with the manual's rows, of which these need not come in it.
#[track_caller]
fn check(told: &Told, without: &[&str]) {
    let mut documented = rows("| span | level | fields |\n");
    documented.retain(|name, _| !without.contains(&name.as_str()));
    let documented: BTreeMap<String, (String, BTreeSet<String>)> = documented
        .into_iter()
        .map(|(name, cells)| (name, (cells[0].trim_matches('`').to_owned(), names(&cells[1]))))
        .collect();
    let told_spans: BTreeMap<_, _> =
        told.spans.iter().filter(|(name, _)| !without.contains(&name.as_str())).collect();
    assert_eq!(told_spans, documented.iter().collect(), "the manual's table of spans");
    let fields: BTreeSet<String> = rows("| field of a line | what it is |\n")
        .keys()
        .flat_map(|cell| names(&format!("`{cell}`")))
        .collect();
    let unknown: Vec<&String> = told.lines.difference(&fields).collect();
    assert!(unknown.is_empty(), "lines have fields that the manual lacks: {unknown:?}");
}

#[test]
fn a_run_tells_the_spans_and_fields_that_the_manual_names() {
    let told = told_by(|| {
        let trial = Trial::new(with_everything);
        trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":60,"eth":2}"#));
        trial.script.set("/v1/ping", |_, _| Reply::status(204));
        let instance = trial.serve_app(1, Everything);
        trial.pass(MINUTE_MS);
        trial.script.set("/v1/prices", |_, _| Reply::json("{}"));
        trial.pass(10 * MINUTE_MS);
        let ask = Ask {
            action: "sweep".to_owned(),
            input: None,
            fence: Fence::Free,
            limit_ms: 1_000,
            claim: None,
            trace: None,
        };
        trial.sim.run(action::run(&instance.engine, ask));
        trial.pass(MINUTE_MS);
        instance.stop(&trial);
    });
    check(&told, &["request"]);
}

/// What the server's own test tells.
#[track_caller]
pub fn check_request(told: &Told) {
    let all = rows("| span | level | fields |\n");
    let others: Vec<&str> = all.keys().map(String::as_str).filter(|name| *name != "request").collect();
    check(told, &others);
}
