//! An app in which nothing happens costs next to nothing, whatever it declares.

use std::sync::Arc;

use serde_json::json;

use super::steady;
use crate::plan::Plan;
use crate::status::Count;
use crate::store::Store;
use crate::store::memory::MemoryStore;
use crate::trial::{Instance, Trial, fine};

const MINUTE_MS: u64 = 60_000;

/// A poll, a schedule and a batch, none of which is due for half a day, beside the base plan's subscribers.
fn everything(plan: &mut Plan) {
    let half_a_day_ms = 12 * 60 * MINUTE_MS;
    plan.connections.get_mut("feed").unwrap().polls.get_mut("prices").unwrap().every_ms = half_a_day_ms;
    let action = json!({ "store": "main", "emits": [], "uses": [], "starts": ["recount"] });
    plan.actions.insert("sweep".to_owned(), serde_json::from_value(action).unwrap());
    let schedule = json!({ "when": { "every_ms": half_a_day_ms }, "action": "sweep" });
    plan.schedules.insert("nightly".to_owned(), serde_json::from_value(schedule).unwrap());
    let batch = json!({ "store": "main", "size": 100 });
    plan.batches.insert("recount".to_owned(), serde_json::from_value(batch).unwrap());
    let server = plan.deployables.get_mut("server").unwrap();
    server.schedules.push("nightly".to_owned());
    server.batches.push("recount".to_owned());
}

/// Holds ten idle minutes to so many statements, and to a look for each tick and one besides.
#[track_caller]
fn idles(trial: &Trial, instance: &Instance, statements_of: impl Fn() -> u64, a_minute: u64) {
    trial.pass(90_000);
    let (looks, statements) = (instance.engine.tally.get(Count::Looks), statements_of());
    trial.pass(10 * MINUTE_MS);
    let looks = instance.engine.tally.get(Count::Looks) - looks;
    let statements = statements_of() - statements;
    assert!(looks <= 2 * 10, "{looks} looks in ten idle minutes");
    assert!(statements <= 10 * a_minute, "{statements} statements in ten idle minutes");
    assert!(statements >= 10, "{statements} statements in ten minutes: it did not tick");
}

#[test]
fn four_statements_a_minute_over_sqlite() {
    let trial = Trial::new(everything);
    steady(&trial);
    let instance = trial.serve(1, fine);
    idles(&trial, &instance, || instance.open().store.operations(), 4);
}

#[test]
fn six_statements_a_minute_over_a_store_that_instances_share() {
    // Beside what is asked of a file: the store's time.
    let (trial, memory): (Trial, Arc<MemoryStore>) = Trial::new(everything).sharing_memory();
    steady(&trial);
    let instance = trial.serve(1, fine);
    idles(&trial, &instance, || memory.operations(), 6);
}

#[test]
fn an_hour_brings_one_purge_and_nothing_else() {
    let trial = Trial::new(everything);
    steady(&trial);
    let instance = trial.serve(1, fine);
    trial.pass(90_000);
    let before = instance.open().store.operations();
    trial.pass(60 * MINUTE_MS);
    let statements = instance.open().store.operations() - before;
    assert!(statements <= 4 * 60 + 1, "{statements} statements in an idle hour");
}

#[test]
fn two_statements_a_minute_without_schedules_and_batches() {
    let trial = Trial::new(|plan| {
        let polls = &mut plan.connections.get_mut("feed").unwrap().polls;
        polls.get_mut("prices").unwrap().every_ms = 12 * 60 * MINUTE_MS;
    });
    steady(&trial);
    let instance = trial.serve(1, fine);
    // One asks which polls are due, one what the deliveries' outlook is.
    idles(&trial, &instance, || instance.open().store.operations(), 2);
}
