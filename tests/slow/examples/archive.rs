//! The archive: runs that a signal and a kill stop in the middle, and that go on after the last committed step.

use std::path::Path;
use std::thread;
use std::time::Duration;

use jadpo_tests::scratch::Scratch;
use rusqlite::Connection;
use serde_json::Value;

use super::{SOON, Serving, program};
use crate::stored;

/// Twenty thousand letters in steps of ten, and one step that finds no more.
const STEPS: u64 = 2001;

const LEAST: &str = "SELECT min(steps) AS it FROM jadpo_batch_runs";

#[track_caller]
fn start(scratch: &Scratch) -> Serving {
    Serving::start(program("archive", "archive", scratch.path()), "ARCHIVE_LISTEN")
}

/// Waits until both runs have come further than `steps`.
#[track_caller]
fn further(store: &Path, steps: u64) -> u64 {
    let least = format!("SELECT it FROM ({LEAST}) WHERE it > {steps}");
    stored::until(SOON, store, &least).parse().unwrap()
}

/// Does something while no step can commit.
fn between_two_steps<T>(store: &Path, something: impl FnOnce() -> T) -> T {
    let mut other = Connection::open(store).unwrap();
    // The program commits one step after the other, so whoever looks seldom may wait for long.
    let looks_often: fn(i32) -> bool = |tries| {
        thread::park_timeout(Duration::from_millis(1));
        tries < 30_000
    };
    other.busy_handler(Some(looks_often)).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let done = something();
    other.execute_batch("ROLLBACK").unwrap();
    done
}

#[test]
fn a_run_goes_on_after_its_last_step_whatever_stops_it() {
    let scratch = Scratch::empty();
    let store = scratch.at("archive.db");

    let mut first = start(&scratch);
    assert_eq!(first.ask("POST", "/order", &[], ""), (202, Value::Null));
    further(&store, 3);
    between_two_steps(&store, || first.ask_to_stop());
    first.ends();
    let stopped = stored::count(&store, LEAST);
    let under_way = "SELECT count(*) AS it FROM jadpo_batch_runs WHERE state = 'pending'";
    assert_eq!(stored::count(&store, under_way), 2, "both were given back in the middle");

    let second = start(&scratch);
    let killed = further(&store, stopped + 3);
    between_two_steps(&store, move || drop(second));
    let left = "SELECT count(*) AS it FROM jadpo_batch_runs WHERE state = 'claimed'";
    assert_eq!(stored::count(&store, left), 2, "both were killed in the middle, after {killed} steps");
    // Instead of the half minute after which a process that is silent counts as dead.
    let other = Connection::open(&store).unwrap();
    other.busy_timeout(SOON).unwrap();
    other.execute("UPDATE jadpo_instances SET heard_at_ms = heard_at_ms - 30000", ()).unwrap();

    let third = start(&scratch);
    stored::until(
        SOON,
        &store,
        "SELECT 1 AS it WHERE NOT EXISTS (SELECT * FROM jadpo_batch_runs WHERE state <> 'done')",
    );
    third.stop();
    for run in ["archive_letters", "count_words"] {
        let steps = format!("SELECT steps AS it FROM jadpo_batch_runs WHERE batch = '{run}'");
        assert_eq!(stored::count(&store, &steps), STEPS, "no step of {run} was made twice");
    }
    let done = "SELECT count(*) AS it FROM letters WHERE archived IS NOT NULL AND (words = 3 OR text = '' AND words IS NULL)";
    assert_eq!(stored::count(&store, done), 20_000);
    let skipped = "SELECT skipped AS it FROM jadpo_batch_runs WHERE batch = 'count_words'";
    assert_eq!(stored::count(&store, skipped), 20, "an empty letter has fewer words than its field allows");
}
