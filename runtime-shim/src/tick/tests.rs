//! What a tick starts: each piece once, so many at once, and none behind what is not its own.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod purge;

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde_json::json;

use super::pieces::{Line, Pieces};
use crate::context::Context;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::limits;
use crate::plan::Plan;
use crate::sim::Reply;
use crate::trial::{Acts, Instance, START_MS, Trial, fine};

const SECOND_MS: u64 = 1_000;
const MINUTE_MS: u64 = 60_000;

/// More than run at once.
const MANY: usize = 300;

const PRICES: &str = r#"{"btc":60,"eth":2}"#;

/// So many polls of ten minutes through `feed`, and one of a minute through `small`.
fn polls(plan: &mut Plan, through_feed: usize) {
    let package = plan.packages.get_mut("coinfeed").unwrap();
    let mut operation = package.operations["fetch_prices"].clone();
    operation.path = serde_json::from_value(json!([{ "text": "/v1/small" }])).unwrap();
    package.operations.insert("fetch_small".to_owned(), operation);
    let feed = plan.connections.get_mut("feed").unwrap();
    let prices = feed.polls.remove("prices").unwrap();
    feed.polls = (0..through_feed).map(|number| (format!("p{number:03}"), prices.clone())).collect();
    let mut each_minute = prices;
    (each_minute.operation, each_minute.every_ms) = ("fetch_small".to_owned(), MINUTE_MS);
    let small = plan.connections.get_mut("small").unwrap();
    small.polls.insert("prices".to_owned(), each_minute);
    small.events_store = Some("main".to_owned());
    let of = |name: &'static str| {
        plan.connections[name].polls.keys().map(move |poll| (name.to_owned(), poll.clone()))
    };
    let polls = of("feed").chain(of("small")).collect();
    plan.deployables.get_mut("server").unwrap().polls = polls;
}

/// So many schedules, each minute, of an action that uses these connections.
fn schedules(plan: &mut Plan, action: &str, uses: &[&str], count: usize) {
    let declared = json!({ "store": "main", "emits": [], "uses": uses, "starts": [] });
    plan.actions.insert(action.to_owned(), serde_json::from_value(declared).unwrap());
    for number in 0..count {
        let name = format!("{action}{number:03}");
        let schedule = json!({ "when": { "every_ms": MINUTE_MS }, "action": action });
        plan.schedules.insert(name.clone(), serde_json::from_value(schedule).unwrap());
        plan.deployables.get_mut("server").unwrap().schedules.push(name);
    }
}

/// The action `calls` calls through `feed`; each writes that it ran.
fn acts<'a>(
    action: &'a str,
    cx: &'a mut Context,
    _: Option<&'a str>,
) -> BoxFuture<'a, Result<Option<String>, Failure>> {
    Box::pin(async move {
        if action == "calls" {
            cx.connection("feed").call("ping", None).await?;
        }
        cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (action,));
        Ok(None)
    })
}

/// When requests for this path were sent, in seconds since the start.
fn called_s(trial: &Trial, path: &str) -> Vec<i64> {
    let sent = trial.script.sent();
    let these = sent.iter().filter(|sent| sent.request.url.ends_with(path));
    these.map(|sent| (sent.at_ms - START_MS) / 1_000).collect()
}

/// A world with many polls through `feed`, whose provider answers so, and a schedule that calls nothing.
fn behind(cap: Option<u64>, reply: &Reply) -> (Trial, Instance) {
    let trial = Trial::new(|plan| {
        polls(plan, MANY);
        schedules(plan, "sweep", &[], 1);
        plan.connections.get_mut("feed").unwrap().max_concurrent = cap;
    });
    let reply = reply.clone();
    trial.script.set("/v1/prices", move |_, _| reply.clone());
    trial.script.set("/v1/small", |_, _| Reply::json(PRICES));
    let instance = trial.serve_app(1, Acts(fine, acts));
    (trial, instance)
}

#[test]
fn polls_behind_a_full_or_hung_connection_hold_up_nothing_else() {
    let slow = Reply::json(PRICES).after_ms(2 * SECOND_MS);
    for (cap, reply) in [(Some(1), &slow), (Some(1), &Reply::never()), (None, &Reply::never())] {
        let (trial, _instance) = behind(cap, reply);
        // The schedule is first seen by the first tick, and due at the next.
        trial.pass(MINUTE_MS + SECOND_MS);
        assert_eq!(called_s(&trial, "/v1/small"), [0, 60], "{cap:?}");
        assert_eq!(trial.rows("SELECT count(*) FROM quotes WHERE btc = 'sweep'"), ["1"], "{cap:?}");
    }
}

#[test]
fn what_waits_behind_a_full_connection_is_claimed_when_its_call_starts_and_in_its_order() {
    let (trial, instance) = behind(Some(1), &Reply::json(PRICES).after_ms(2 * SECOND_MS));
    trial.pass(MINUTE_MS + SECOND_MS);
    let claimed = "SELECT count(*), max(name) FROM jadpo_polls WHERE name LIKE 'poll feed.%'";
    assert_eq!(trial.rows(claimed), ["31 | poll feed.p030"]);
    assert_eq!(instance.engine.connections["feed"].slots().waiting, 0);
    trial.pass(9 * MINUTE_MS - 2 * SECOND_MS);
    let every_two: Vec<i64> = (0..MANY).map(|number| 2 * i64::try_from(number).unwrap()).collect();
    assert_eq!(called_s(&trial, "/v1/prices"), every_two);
}

#[test]
fn so_many_of_a_line_run_at_once_and_the_rest_follow() {
    let (trial, instance) = behind(None, &Reply::json(PRICES).after_ms(2 * SECOND_MS));
    trial.pass(SECOND_MS);
    assert_eq!(instance.engine.connections["feed"].slots().out, limits::PIECES_AT_ONCE_MAX);
    trial.pass(2 * SECOND_MS);
    assert_eq!(called_s(&trial, "/v1/prices").len(), MANY);
}

#[test]
fn schedules_behind_a_hung_connection_hold_up_none_that_does_not_use_it() {
    let trial = Trial::new(|plan| {
        plan.deployables.get_mut("server").unwrap().polls.clear();
        schedules(plan, "calls", &["feed"], MANY);
        schedules(plan, "sweep", &["small"], 1);
    });
    trial.script.set("/v1/ping", |_, _| Reply::never());
    let _instance = trial.serve_app(1, Acts(fine, acts));
    trial.pass(MINUTE_MS + SECOND_MS);
    assert_eq!(trial.rows("SELECT btc FROM quotes"), ["sweep"]);
}

#[test]
fn a_piece_that_still_runs_is_skipped_and_nothing_else_is() {
    let trial = Trial::new(|plan| {
        polls(plan, 1);
        schedules(plan, "sweep", &[], 1);
        plan.connections.get_mut("feed").unwrap().polls.get_mut("p000").unwrap().every_ms = MINUTE_MS;
        let package = plan.packages.get_mut("coinfeed").unwrap();
        package.operations.get_mut("fetch_prices").unwrap().timeout_ms = 10 * MINUTE_MS;
    });
    // Over four ticks and most of the next minute.
    trial.script.set("/v1/prices", |_, _| Reply::json(PRICES).after_ms(4 * MINUTE_MS + 50 * SECOND_MS));
    trial.script.set("/v1/small", |_, _| Reply::json(PRICES));
    let _instance = trial.serve_app(1, Acts(fine, acts));
    trial.pass(5 * MINUTE_MS + SECOND_MS);
    assert_eq!(called_s(&trial, "/v1/prices"), [0, 300]);
    assert_eq!(called_s(&trial, "/v1/small"), [0, 60, 120, 180, 240, 300]);
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["5"]);
}

#[test]
fn a_piece_that_panics_frees_its_name_and_its_turn() {
    let trial = Trial::new(|_| {});
    let engine = trial.start(1, fine).engine;
    let pieces = Pieces::default();
    let line = || Line::Store("main".to_owned());
    for number in 0..=limits::PIECES_AT_ONCE_MAX {
        assert!(pieces.start(&engine, line(), "one", async { panic!("amid the piece") }), "start {number}");
        assert!(!pieces.start(&engine, line(), "one", async {}), "it still runs");
        let ended = catch_unwind(AssertUnwindSafe(|| trial.pass(1)));
        assert!(ended.is_err(), "start {number} ran");
    }
}
