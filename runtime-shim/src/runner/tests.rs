//! Deliveries through the whole loop: what a body does, and what is left of it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod blocking;
mod boundary;
mod capacity;
mod chaos;
mod failures;
mod idle;
mod leases;
mod purge;
mod rollout;
mod settling;
mod slots;
mod stopping;
mod store_trouble;
#[cfg(feature = "native")]
mod told;

use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::sim::Reply;
use crate::trial::{START_MS, Trial};

/// What a body gives.
type Value<'a> = BoxFuture<'a, Result<(), Failure>>;

/// A provider of one unchanging price.
fn steady(trial: &Trial) {
    trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":60,"eth":2}"#));
}

/// Keeps `count` events of the feed with a delivery each to `update_quotes`, due now.
fn backlog(trial: &Trial, count: u32) {
    let now_ms = START_MS + trial.now_ms();
    let give_up_ms = now_ms + 1_800_000;
    trial.execute(&format!(
        "BEGIN;
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
         INSERT INTO jadpo_events (name, source, occurred_at_ms, payload, created_at_ms)
         SELECT 'coinfeed.PricesChanged', 'feed', {now_ms}, json_object('btc', '' || i, 'eth', '2'), {now_ms} FROM n;
         INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
         SELECT id, 'update_quotes', 'pending', 0, {now_ms}, {give_up_ms} FROM jadpo_events
         WHERE id > (SELECT coalesce(max(event_id), 0) FROM jadpo_deliveries);
         COMMIT;"
    ));
}

/// Deliveries by state, and the attempts of each state.
fn states(trial: &Trial) -> String {
    trial
        .rows("SELECT state || ' ' || count(*) FROM jadpo_deliveries GROUP BY state ORDER BY state")
        .join(", ")
}

fn errors(trial: &Trial) -> Vec<String> {
    trial.rows("SELECT DISTINCT coalesce(last_error, '-') FROM jadpo_deliveries ORDER BY 1")
}

/// Writes the quote that came.
fn writes<'a>(_: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
    Box::pin(async move {
        let quote: serde_json::Value = serde_json::from_str(&event.payload)?;
        let text = |name: &str| quote[name].as_str().map(str::to_owned);
        cx.store().write("INSERT INTO quotes (btc, eth) VALUES (?1, ?2)", (text("btc"), text("eth")));
        Ok(())
    })
}

#[test]
fn a_change_is_delivered_at_once_and_its_writes_are_kept_with_it() {
    let trial = Trial::new(|_| {});
    steady(&trial);
    let _instance = trial.serve(1, writes);
    trial.pass(5);
    assert_eq!(states(&trial), "done 1");
    assert_eq!(trial.rows("SELECT btc, eth FROM quotes"), ["60 | 2"]);
    trial.pass(60 * 60_000);
    assert_eq!(states(&trial), "done 1", "the same answer delivers nothing");
}

#[test]
fn a_subscriber_that_is_added_later_hears_the_next_change() {
    let mut trial = Trial::new(|_| {});
    steady(&trial);
    let before = trial.serve(1, writes);
    trial.pass(1_000);
    before.stop(&trial);
    let mut added = trial.plan.subscribers["update_quotes"].clone();
    added.emits.clear();
    trial.plan.subscribers.insert("watch".to_owned(), added);
    trial.plan.deployables.get_mut("server").unwrap().subscribers.push("watch".to_owned());
    let heard = || trial.rows("SELECT subscriber FROM jadpo_deliveries WHERE state = 'done' ORDER BY id");
    let _after = trial.serve(2, writes);
    trial.pass(25 * 60_000);
    assert_eq!(heard(), ["update_quotes"], "the same answers tell it nothing");
    trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":61,"eth":2}"#));
    trial.pass(10 * 60_000);
    assert_eq!(heard(), ["update_quotes", "update_quotes", "watch"]);
}

#[test]
fn what_another_process_commits_is_found_by_the_next_tick() {
    let trial = Trial::new(|_| {});
    steady(&trial);
    let _instance = trial.serve(1, writes);
    trial.pass(30_000);
    backlog(&trial, 20);
    trial.pass(29_000);
    assert_eq!(states(&trial), "done 1, pending 20");
    trial.pass(2_000);
    assert_eq!(states(&trial), "done 21");
}
