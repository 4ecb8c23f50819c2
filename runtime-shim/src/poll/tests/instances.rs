//! Whole instances on one file: each due time is called once, whatever starts, stops or shifts its clock.

use crate::host::Host;
use crate::plan::Plan;
use crate::sim::Reply;
use crate::trial::{Trial, fine};

pub(super) const MINUTE_MS: u64 = 60_000;

fn every(minutes: u64) -> impl FnOnce(&mut Plan) {
    move |plan| {
        let polls = &mut plan.connections.get_mut("feed").unwrap().polls;
        polls.get_mut("prices").unwrap().every_ms = minutes * MINUTE_MS;
    }
}

pub(super) fn world(minutes: u64) -> Trial {
    let trial = Trial::new(every(minutes));
    trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":1,"eth":2}"#).after_ms(700));
    trial
}

pub(super) fn minutes_called(trial: &Trial) -> Vec<i64> {
    trial.calls_s().iter().map(|second| second / 60).collect()
}

#[test]
fn two_instances_and_a_redeploy_call_once_for_each_due_time() {
    let trial = world(10);
    let first = trial.serve(1, fine);
    let _second = trial.serve(2, fine);
    trial.pass(9 * MINUTE_MS + 59_000);
    assert!(first.stop(&trial) < 1_000);
    let _redeployed = trial.serve(3, fine);
    trial.pass(30 * MINUTE_MS);
    assert_eq!(minutes_called(&trial), [0, 10, 20, 30]);
    assert_eq!(trial.rows("SELECT count(*) FROM jadpo_polls"), ["1"]);
    assert_eq!(trial.rows("SELECT count(*) FROM jadpo_events"), ["1"]);
}

#[test]
fn a_deployment_that_shortens_or_lengthens_the_interval() {
    let mut trial = world(12 * 60);
    let old = trial.serve(1, fine);
    trial.pass(5 * 60 * MINUTE_MS);
    old.stop(&trial);
    every(5)(&mut trial.plan);
    let shorter = trial.serve(2, fine);
    trial.pass(11 * MINUTE_MS);
    assert_eq!(minutes_called(&trial), [0, 300, 305, 310]);
    shorter.stop(&trial);
    every(12 * 60)(&mut trial.plan);
    let _longer = trial.serve(3, fine);
    trial.pass(13 * 60 * MINUTE_MS);
    assert_eq!(minutes_called(&trial), [0, 300, 305, 310, 315, 315 + 720]);
}

#[test]
fn instances_whose_clocks_differ_call_once_an_interval() {
    let trial = world(1);
    let ahead = trial.start(1, fine);
    ahead.machine.step_wall(4 * 60_000);
    let behind = trial.start(2, fine);
    behind.machine.step_wall(-4 * 60_000);
    // Instances of one file share their machine's clock; should they not, the one that is ahead leads.
    ahead.go();
    trial.pass(1_000);
    behind.go();
    trial.pass(30 * MINUTE_MS);
    let called = minutes_called(&trial);
    let mut once = called.clone();
    once.dedup();
    assert_eq!(called, once, "never twice within an interval");
    assert!((30..=31).contains(&called.len()), "{called:?}");
    ahead.machine.step_wall(-3_600_000);
    trial.pass(10 * MINUTE_MS);
    let later = minutes_called(&trial).split_off(called.len());
    let mut once = later.clone();
    once.dedup();
    assert_eq!(later, once, "a clock stepped back calls nothing twice");
}

#[test]
fn ticks_with_jitter_for_a_thousand_minutes_call_every_minute_once() {
    let trial = world(1);
    let instance = trial.serve(1, fine);
    let mut ahead_ms = 0;
    for step in 0..1_000_u64 {
        // A clock that is disciplined by up to half a second either way, now and then.
        let to_ms = i64::try_from(instance.machine.random() % 1_000).unwrap() - 500;
        if step % 7 == 0 {
            instance.machine.step_wall(to_ms - ahead_ms);
            ahead_ms = to_ms;
        }
        trial.pass(MINUTE_MS);
    }
    let calls = trial.script.calls();
    assert!((999..=1_001).contains(&calls), "{calls} calls in a thousand minutes");
}

#[test]
fn a_poll_that_hangs_holds_up_no_other_and_ends() {
    let mut trial = Trial::new(every(1));
    let mut other = trial.plan.connections["feed"].clone();
    other.polls.get_mut("prices").unwrap().every_ms = MINUTE_MS;
    trial.plan.connections.insert("other".to_owned(), other);
    let deployable = trial.plan.deployables.get_mut("server").unwrap();
    deployable.polls.push(("other".to_owned(), "prices".to_owned()));
    trial.script.set("/v1/prices", |_, call| match call {
        0 => Reply::never(),
        _ => Reply::json(r#"{"btc":1,"eth":2}"#),
    });
    let _instance = trial.serve(1, fine);
    trial.pass(59_000);
    assert_eq!(minutes_called(&trial), [0, 0]);
    trial.pass(2 * MINUTE_MS);
    // The hung call ended at its timeout of a minute; it is due again a minute after its tick.
    assert_eq!(trial.script.at_once(), 0);
    assert!(minutes_called(&trial).len() >= 5, "{:?}", minutes_called(&trial));
}

#[test]
fn a_drifted_answer_leaves_each_place_with_what_was_wanted_and_what_came() {
    let trial = Trial::new(every(1));
    trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":[1],"fetched_at":"soon"}"#));
    let _instance = trial.serve(1, fine);
    trial.pass(MINUTE_MS);
    let places = "SELECT value ->> 'place', value ->> 'wanted', value ->> 'got'
                  FROM jadpo_polls, json_each(last_error -> 'places')";
    insta::assert_snapshot!(trial.rows(places).join("\n"), @r#"
    /btc | a decimal of at most 28 digits | [1]
    /fetched_at | an instant as RFC 3339 with an offset | "soon"
    /eth | a decimal of at most 28 digits | nothing
    "#);
    assert_eq!(trial.rows("SELECT last_error ->> 'kind' FROM jadpo_polls"), ["decode"]);
    assert_eq!(trial.rows("SELECT count(*) FROM jadpo_events"), ["0"]);
    trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":1,"eth":2}"#));
    trial.pass(MINUTE_MS);
    assert_eq!(trial.rows("SELECT last_error, failed_at_ms FROM jadpo_polls"), ["- | -"]);
}

#[test]
fn a_stopped_call_keeps_nothing_and_is_due_at_the_next_tick() {
    let trial = Trial::new(every(10));
    trial.script.set("/v1/prices", |_, _| Reply::never());
    let stopped = trial.serve(1, fine);
    trial.pass(30_000);
    assert!(stopped.stop(&trial) < 1_000);
    assert_eq!(trial.script.at_once(), 0);
    assert_eq!(trial.rows("SELECT last_error, digest FROM jadpo_polls"), ["- | -"]);
    trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":1,"eth":2}"#));
    let _next = trial.serve(2, fine);
    trial.pass(1_000);
    assert_eq!(trial.rows("SELECT count(*) FROM jadpo_events"), ["1"]);
}
