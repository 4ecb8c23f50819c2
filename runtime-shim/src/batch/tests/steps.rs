//! Steps: what they keep, what they skip, and where a run goes on.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::json;

use crate::context::Context;
use crate::delivered::Delivered;
use crate::dispatch::Dispatch;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::plan::Plan;
use crate::step::RunStep;
use crate::store::NewRun;
use crate::trial::{START_MS, Trial, meets_trouble};

/// What step of a run, by its number, is to go wrong, and how.
type Trouble = fn(u32) -> Option<Wrong>;

#[derive(Clone, Copy)]
enum Wrong {
    Fail,
    Panic,
    Hang,
    SameCursor,
    Trouble,
}

/// Counts from 0 to 4, a step each, and writes each number; every call is counted.
struct Counting {
    calls: Arc<AtomicU32>,
    trouble: Trouble,
}

impl Dispatch for Counting {
    fn deliver<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
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
        batch: &'a str,
        cx: &'a mut Context,
        step: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            let call = self.calls.fetch_add(1, Ordering::SeqCst);
            let at: u32 = step.cursor.as_deref().map_or(0, |cursor| cursor.parse().unwrap());
            match (self.trouble)(call) {
                Some(Wrong::Fail) => return Err(Failure::new("no")),
                Some(Wrong::Panic) => panic!("no"),
                Some(Wrong::Hang) => pending().await,
                Some(Wrong::SameCursor) => return Ok(step.cursor.clone().or(Some("0".to_owned()))),
                Some(Wrong::Trouble) => meets_trouble(cx).await?,
                None => {}
            }
            let value = if batch == "fill" && at == 2 { "\"x\"".to_owned() } else { format!("\"{at}\"") };
            if batch != "fill" || cx.takes("QuoteKept", "btc", &at.to_string(), &value) {
                cx.store().write(
                    "INSERT INTO quotes (btc, eth) VALUES (?1, ?2)",
                    (at.to_string(), i64::from(step.size).to_string()),
                );
            }
            Ok((at < 4).then(|| (at + 1).to_string()))
        })
    }
}

fn with_batches(plan: &mut Plan) {
    let batch = json!({ "store": "main", "size": 50 });
    plan.batches.insert("count".to_owned(), serde_json::from_value(batch).unwrap());
    let backfill = json!({ "store": "main", "record": "QuoteKept", "field": "btc", "size": 7 });
    plan.backfills.insert("fill".to_owned(), serde_json::from_value(backfill).unwrap());
    let server = plan.deployables.get_mut("server").unwrap();
    server.batches = vec!["count".to_owned(), "fill".to_owned()];
    server.polls.clear();
}

struct Counted {
    trial: Trial,
    calls: Arc<AtomicU32>,
}

impl Counted {
    fn new() -> Counted {
        Counted { trial: Trial::new(with_batches), calls: Arc::default() }
    }

    fn serve(&self, machine: u64, trouble: Trouble) -> crate::trial::Instance {
        self.trial.serve_app(machine, Counting { calls: self.calls.clone(), trouble })
    }

    /// Starts a run as another process would: nobody here is told.
    fn start(&self, instance: &crate::trial::Instance, batch: &str) {
        let created_at_ms = START_MS + self.trial.now_ms();
        let run = NewRun { batch: batch.to_owned(), input: None, trace: None, created_at_ms };
        let store = instance.open().store;
        self.trial.sim.run(async move { store.start_run(run).await.map(drop) }).unwrap();
    }

    fn written(&self) -> Vec<String> {
        self.trial.rows("SELECT btc, eth FROM quotes ORDER BY rowid")
    }

    fn state(&self) -> Vec<String> {
        self.trial.rows(
            "SELECT batch, state, coalesce(cursor, '-'), steps, skipped, coalesce(last_error, '-') FROM jadpo_batch_runs",
        )
    }
}

const ALL: [&str; 5] = ["0 | 50", "1 | 50", "2 | 50", "3 | 50", "4 | 50"];

#[test]
fn a_run_goes_step_by_step_to_its_end() {
    let counted = Counted::new();
    let instance = counted.serve(1, |_| None);
    counted.trial.pass(1_000);
    counted.start(&instance, "count");
    assert!(counted.written().is_empty());
    counted.trial.pass(60_000);
    assert_eq!(counted.written(), ALL, "the next tick finds it");
    assert_eq!(counted.calls.load(Ordering::SeqCst), 5);
}

#[test]
fn a_run_that_an_action_starts_begins_at_once() {
    let counted = Counted::new();
    let mut trial = counted.trial;
    let action = json!({ "store": "main", "emits": [], "uses": [], "starts": ["count"] });
    trial.plan.actions.insert("recount".to_owned(), serde_json::from_value(action).unwrap());
    let schedule = json!({ "when": { "every_ms": 60_000 }, "action": "recount" });
    trial.plan.schedules.insert("often".to_owned(), serde_json::from_value(schedule).unwrap());
    trial.plan.deployables.get_mut("server").unwrap().schedules.push("often".to_owned());
    let counted = Counted { trial, ..counted };
    let _instance = counted.serve(1, |_| None);
    counted.trial.pass(60_500);
    assert_eq!(counted.written(), ALL);
}

#[test]
fn a_failed_step_comes_again_where_the_last_ended() {
    for trouble in
        [(|call| (call == 2).then_some(Wrong::Fail)) as Trouble, |call| (call == 2).then_some(Wrong::Panic)]
    {
        let counted = Counted::new();
        let instance = counted.serve(1, trouble);
        counted.start(&instance, "count");
        counted.trial.pass(3 * 60_000);
        assert_eq!(counted.written(), ALL);
        assert_eq!(counted.calls.load(Ordering::SeqCst), 6);
    }
}

#[test]
fn a_step_that_never_works_fails_its_run_and_shows_why() {
    let counted = Counted::new();
    let instance = counted.serve(1, |call| (call > 0).then_some(Wrong::Fail));
    counted.start(&instance, "count");
    counted.trial.pass(24 * 3_600_000);
    assert_eq!(counted.state(), ["count | failed | 1 | 1 | 0 | no"]);
    assert_eq!(counted.calls.load(Ordering::SeqCst), 9, "one step and eight attempts");
}

#[test]
fn trouble_of_the_store_fails_no_run_however_often() {
    let counted = Counted::new();
    let instance = counted.serve(1, |call| (1..31).contains(&call).then_some(Wrong::Trouble));
    counted.start(&instance, "count");
    counted.trial.pass(20 * 60_000);
    assert_eq!(counted.state(), ["count | pending | 1 | 1 | 0 | -"]);
    assert_eq!(counted.trial.rows("SELECT attempts FROM jadpo_batch_runs"), ["0"]);
    counted.trial.pass(20 * 60_000);
    assert_eq!(counted.written(), ALL);
    assert!(counted.calls.load(Ordering::SeqCst) == 35, "once a tick, and not more");
}

#[test]
fn a_step_that_does_not_get_on_is_a_failure() {
    let counted = Counted::new();
    let instance = counted.serve(1, |call| (call > 0).then_some(Wrong::SameCursor));
    counted.start(&instance, "count");
    counted.trial.pass(2 * 60_000);
    assert_eq!(
        counted.state(),
        ["count | pending | 1 | 1 | 0 | the step gave the cursor back that it began at"]
    );
}

#[test]
fn a_stop_gives_the_run_back_and_it_goes_on() {
    let counted = Counted::new();
    let before = counted.serve(1, |call| (call == 2).then_some(Wrong::Hang));
    counted.start(&before, "count");
    counted.trial.pass(60_000);
    before.stop(&counted.trial);
    assert_eq!(counted.state(), ["count | pending | 2 | 2 | 0 | -"]);
    let _after = counted.serve(2, |_| None);
    counted.trial.pass(1_000);
    assert_eq!(counted.written(), ALL);
}

#[test]
fn a_crash_resumes_after_the_last_committed_step() {
    let counted = Counted::new();
    let before = counted.serve(1, |call| (call == 2).then_some(Wrong::Hang));
    counted.start(&before, "count");
    counted.trial.pass(60_000);
    before.crash();
    let _after = counted.serve(2, |_| None);
    counted.trial.pass(3 * 60_000);
    assert_eq!(counted.written(), ALL);
    assert_eq!(counted.calls.load(Ordering::SeqCst), 6, "the step that hung, once more");
}

#[test]
fn a_long_step_keeps_its_claim() {
    let counted = Counted::new();
    let one = counted.serve(1, |call| (call == 2).then_some(Wrong::Hang));
    let _two = counted.serve(2, |_| None);
    counted.start(&one, "count");
    counted.trial.pass(10 * 60_000);
    assert_eq!(counted.written().len(), 2, "whoever works on it is heard from");
    counted.trial.pass(10 * 60_000);
    assert_eq!(counted.written(), ALL, "past a run's limit the step comes again");
}

#[test]
fn a_value_that_its_field_refuses_is_skipped_with_its_key() {
    let counted = Counted::new();
    let instance = counted.serve(1, |_| None);
    counted.start(&instance, "fill");
    counted.trial.pass(60_000);
    assert_eq!(counted.written(), ["0 | 7", "1 | 7", "3 | 7", "4 | 7"]);
    let skipped = counted.trial.rows("SELECT state, steps, skipped, last_skipped FROM jadpo_batch_runs");
    assert_eq!(skipped.len(), 1);
    assert!(skipped[0].starts_with("done | 5 | 1 | ") && skipped[0].contains('2'), "{skipped:?}");
}
