//! Runs of schedules: when they come, what stops them, and what is made up for.

use std::future::pending;

use serde_json::json;

use crate::context::Context;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::plan::Plan;
use crate::trial::{Acts, START_MS, Trial};

type Acted<'a> = BoxFuture<'a, Result<Option<String>, Failure>>;

fn with_schedule(when: serde_json::Value) -> impl FnOnce(&mut Plan) {
    move |plan| {
        let action = json!({ "store": "main", "emits": [], "uses": [], "starts": [] });
        plan.actions.insert("sweep".to_owned(), serde_json::from_value(action).unwrap());
        let schedule = json!({ "when": when, "action": "sweep" });
        plan.schedules.insert("nightly".to_owned(), serde_json::from_value(schedule).unwrap());
        let server = plan.deployables.get_mut("server").unwrap();
        server.schedules.push("nightly".to_owned());
        server.polls.clear();
    }
}

fn hourly() -> Trial {
    Trial::new(with_schedule(json!({ "every_ms": 3_600_000 })))
}

/// Writes a row for each run.
fn sweeps<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Acted<'a> {
    Box::pin(async move {
        let at = cx.now().to_string();
        cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (at,));
        Ok(None)
    })
}

fn hangs<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Acted<'a> {
    Box::pin(async move {
        cx.store().write("INSERT INTO quotes (btc) VALUES ('half')", ());
        pending().await
    })
}

fn fails<'a>(_: &'a str, _: &'a mut Context, _: Option<&'a str>) -> Acted<'a> {
    Box::pin(async { Err(Failure::new("no")) })
}

fn deliver<'a>(
    _: &'a str,
    _: &'a mut Context,
    _: &'a crate::delivered::Delivered,
) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async { Ok(()) })
}

fn runs(trial: &Trial) -> Vec<String> {
    trial.rows("SELECT substr(btc, 12, 5) FROM quotes ORDER BY btc")
}

fn state(trial: &Trial) -> Vec<String> {
    trial.rows("SELECT claim_token IS NOT NULL, coalesce(last_error, '-') FROM jadpo_schedules")
}

const HOUR_MS: u64 = 3_600_000;

#[test]
fn an_interval_counts_from_the_tick_that_first_saw_it() {
    let trial = hourly();
    let _instance = trial.serve_app(1, Acts(deliver, sweeps));
    trial.pass(HOUR_MS - 1_000);
    assert!(runs(&trial).is_empty(), "it isn't run when it is first seen");
    trial.pass(2 * HOUR_MS);
    assert_eq!(runs(&trial), ["11:00", "12:00"]);
}

#[test]
fn a_local_time_runs_once_a_day() {
    let trial =
        Trial::new(with_schedule(json!({ "daily": { "hour": 3, "minute": 0, "zone": "Europe/London" } })));
    let _instance = trial.serve_app(1, Acts(deliver, sweeps));
    trial.pass(48 * HOUR_MS);
    assert_eq!(runs(&trial), ["03:00", "03:00"]);
}

#[test]
fn over_a_night_in_which_clocks_change_it_runs_once_and_a_poll_of_a_minute_goes_on() {
    for (eve, wanted) in [("2027-03-27T22:00:00Z", "01:00"), ("2027-10-30T22:00:00Z", "00:30")] {
        let trial = Trial::new(|plan| {
            let berlin = json!({ "daily": { "hour": 2, "minute": 30, "zone": "Europe/Berlin" } });
            with_schedule(berlin)(plan);
            plan.connections.get_mut("feed").unwrap().polls.get_mut("prices").unwrap().every_ms = 60_000;
            let polls = &mut plan.deployables.get_mut("server").unwrap().polls;
            polls.push(("feed".to_owned(), "prices".to_owned()));
        });
        trial.script.set("/v1/prices", |_, _| crate::sim::Reply::json(r#"{"btc":60,"eth":2}"#));
        let eve: jiff::Timestamp = eve.parse().unwrap();
        trial.pass(u64::try_from(eve.as_millisecond() - START_MS).unwrap());
        let _instance = trial.serve_app(1, Acts(deliver, sweeps));
        trial.pass(5 * HOUR_MS + 1_000);
        assert_eq!(runs(&trial), [wanted]);
        let called = trial.calls_s();
        assert_eq!(called.len(), 5 * 60 + 1);
        assert!(called.windows(2).all(|two| two[1] - two[0] == 60), "once a minute: {called:?}");
    }
}

#[test]
fn missed_times_are_one_run() {
    let trial = hourly();
    let before = trial.serve_app(1, Acts(deliver, sweeps));
    trial.pass(1_000);
    before.stop(&trial);
    trial.pass(5 * HOUR_MS);
    let _after = trial.serve_app(2, Acts(deliver, sweeps));
    trial.pass(1_000);
    assert_eq!(runs(&trial).len(), 1);
    trial.pass(HOUR_MS);
    assert_eq!(runs(&trial).len(), 2);
}

#[test]
fn local_times_that_were_missed_are_one_run_whatever_the_clocks_did_meanwhile() {
    for (down_at, down_h, wanted) in [
        // Over the gap in which its time would lie, over both of the half past twos of autumn, and over three of its times.
        ("2027-03-27T22:00:00Z", 10, ["08:00", "00:30"]),
        ("2027-10-30T22:00:00Z", 10, ["08:00", "01:30"]),
        ("2027-06-01T22:00:00Z", 3 * 24, ["22:00", "00:30"]),
    ] {
        let berlin = json!({ "daily": { "hour": 2, "minute": 30, "zone": "Europe/Berlin" } });
        let trial = Trial::new(with_schedule(berlin));
        let down_at_ms = down_at.parse::<jiff::Timestamp>().unwrap().as_millisecond();
        trial.pass(u64::try_from(down_at_ms - START_MS).unwrap() - 60_000);
        let before = trial.serve_app(1, Acts(deliver, sweeps));
        trial.pass(60_000);
        before.stop(&trial);
        trial.pass(down_h * HOUR_MS);
        let _after = trial.serve_app(2, Acts(deliver, sweeps));
        trial.pass(1_000);
        assert_eq!(runs(&trial), wanted[..1], "{down_at}");
        trial.pass(24 * HOUR_MS);
        assert_eq!(runs(&trial), wanted, "{down_at}");
    }
}

#[test]
fn of_two_instances_one_runs_it() {
    let trial = hourly();
    let _one = trial.serve_app(1, Acts(deliver, sweeps));
    let _two = trial.serve_app(2, Acts(deliver, sweeps));
    trial.pass(3 * HOUR_MS + 1_000);
    assert_eq!(runs(&trial), ["11:00", "12:00", "13:00"]);
}

#[test]
fn another_interval_holds_anew_and_runs_nothing() {
    let mut trial = hourly();
    let before = trial.serve_app(1, Acts(deliver, sweeps));
    trial.pass(30 * 60_000);
    before.stop(&trial);
    with_schedule(json!({ "every_ms": 600_000 }))(&mut trial.plan);
    let _after = trial.serve_app(2, Acts(deliver, sweeps));
    trial.pass(1_000);
    assert!(runs(&trial).is_empty());
    trial.pass(10 * 60_000);
    assert_eq!(runs(&trial), ["10:40"]);
}

#[test]
fn a_failed_run_waits_for_its_next_time() {
    let trial = hourly();
    let instance = trial.serve_app(1, Acts(deliver, fails));
    trial.pass(HOUR_MS + 60_000);
    assert_eq!(state(&trial), ["0 | no"]);
    assert_eq!(instance.engine.tally.get(crate::status::Count::SchedulesRun), 1);
    trial.pass(HOUR_MS);
    assert_eq!(instance.engine.tally.get(crate::status::Count::SchedulesRun), 2);
}

#[test]
fn trouble_of_the_store_under_a_run_is_no_failure_and_the_run_comes_again() {
    /// Meets trouble before an hour and ten minutes have passed.
    fn troubled<'a>(name: &'a str, cx: &'a mut Context, input: Option<&'a str>) -> Acted<'a> {
        Box::pin(async move {
            if cx.now().as_millisecond() < START_MS + 70 * 60_000 {
                crate::trial::meets_trouble(cx).await?;
            }
            sweeps(name, cx, input).await
        })
    }
    let trial = hourly();
    let instance = trial.serve_app(1, Acts(deliver, troubled));
    trial.pass(HOUR_MS + 9 * 60_000 + 30_000);
    assert_eq!((runs(&trial), state(&trial)), (Vec::new(), vec!["0 | -".to_owned()]));
    assert_eq!(instance.engine.tally.get(crate::status::Count::SchedulesRun), 10, "once a tick");
    trial.pass(40 * 60_000);
    assert_eq!((runs(&trial), state(&trial)), (vec!["11:10".to_owned()], vec!["0 | -".to_owned()]));
}

#[test]
fn a_stop_records_the_run_as_past_its_deadline_and_gives_its_lease_back() {
    let trial = hourly();
    let instance = trial.serve_app(1, Acts(deliver, hangs));
    trial.pass(HOUR_MS + 1_000);
    assert_eq!(state(&trial), ["1 | -"]);
    instance.stop(&trial);
    assert_eq!(state(&trial), ["0 | deadline_exceeded: the program stopped"]);
    assert!(runs(&trial).is_empty(), "nothing of it is kept");
}

#[test]
fn a_run_lost_to_a_crash_runs_again_once_its_process_is_not_heard_from() {
    let trial = hourly();
    let instance = trial.serve_app(1, Acts(deliver, hangs));
    trial.pass(HOUR_MS + 1_000);
    instance.crash();
    let _next = trial.serve_app(2, Acts(deliver, sweeps));
    trial.pass(3 * 60_000);
    assert_eq!(runs(&trial).len(), 1, "well before its next time");
}

#[test]
fn a_run_past_its_limit_keeps_nothing() {
    let trial = hourly();
    let _instance = trial.serve_app(1, Acts(deliver, hangs));
    trial.pass(HOUR_MS + 15 * 60_000);
    assert_eq!(state(&trial), ["0 | deadline_exceeded: the action ran longer than a run may"]);
    assert!(runs(&trial).is_empty());
}
