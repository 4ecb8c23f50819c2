//! What is let go of after `keep`, and what never is.

use super::{Value, backlog, states};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::limits;
use crate::plan::Plan;
use crate::trial::{Trial, fine};

const SECOND_MS: u64 = 1_000;
const DAY_MS: u64 = 86_400 * SECOND_MS;

/// No polls, and everything is kept two days unless `change` says otherwise.
fn quiet(change: impl FnOnce(&mut Plan)) -> Trial {
    Trial::new(|plan| {
        plan.deployables.get_mut("server").unwrap().polls.clear();
        plan.stores.get_mut("main").unwrap().keep_ms = 2 * DAY_MS;
        plan.connections.get_mut("feed").unwrap().keep_ms = 2 * DAY_MS;
        change(plan);
    })
}

#[test]
fn an_event_that_is_done_is_purged_after_keep_and_a_failed_one_stays() {
    fn fails_on_two<'a>(_: &'a str, _: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        let bad = event.payload.contains("\"btc\":\"2\"");
        Box::pin(async move { if bad { Err(Failure::undecodable("never")) } else { Ok(()) } })
    }
    let trial = quiet(|_| {});
    let _instance = trial.serve(1, fails_on_two);
    trial.pass(SECOND_MS);
    backlog(&trial, 3);
    trial.pass(DAY_MS);
    assert_eq!(states(&trial), "done 2, failed 1");
    trial.pass(DAY_MS + DAY_MS / 2);
    assert_eq!(states(&trial), "failed 1");
    assert_eq!(trial.rows("SELECT payload ->> 'btc' FROM jadpo_events"), ["2"]);
}

#[test]
fn a_connections_keep_stands_before_the_stores() {
    let trial = quiet(|plan| plan.connections.get_mut("feed").unwrap().keep_ms = DAY_MS);
    let _instance = trial.serve(1, |subscriber, cx, _| {
        if subscriber == "update_quotes" {
            cx.emit("QuoteKept", r#"{"btc":"60"}"#.to_owned());
        }
        Box::pin(async { Ok(()) })
    });
    backlog(&trial, 1);
    trial.pass(DAY_MS / 2);
    assert_eq!(trial.rows("SELECT name FROM jadpo_events"), ["coinfeed.PricesChanged", "QuoteKept"]);
    trial.pass(DAY_MS);
    assert_eq!(trial.rows("SELECT name FROM jadpo_events"), ["QuoteKept"], "the app's own are the store's");
    assert_eq!(states(&trial), "done 1");
}

#[test]
fn many_go_in_bounded_steps_and_none_behind_a_newer_one_is_looked_at() {
    let trial = quiet(|_| {});
    drop(trial.start(1, fine));
    let most = limits::PURGE_STEP_EVENTS_MAX;
    backlog(&trial, 3 * most + 1);
    trial.execute("UPDATE jadpo_deliveries SET state = 'done', finished_at_ms = due_ms");
    trial.pass(3 * DAY_MS);
    backlog(&trial, 2 * most);
    trial.execute(
        "UPDATE jadpo_deliveries SET state = 'done', finished_at_ms = due_ms WHERE state = 'pending'",
    );
    let instance = trial.serve(1, fine);
    trial.pass(SECOND_MS);
    assert_eq!(trial.rows("SELECT count(*) FROM jadpo_events"), [(2 * most).to_string()]);
    assert_eq!(states(&trial), format!("done {}", 2 * most));
    // Four steps, the last of which meets a newer one; the rest is the start's own.
    let statements = instance.open().store.operations();
    assert!(statements <= 4 + 6, "{statements} statements");
}

#[test]
fn a_poll_that_left_the_plan_is_forgotten_after_keep_and_one_that_is_in_it_never() {
    let trial = quiet(|_| {});
    drop(trial.start(1, fine));
    trial.execute(&format!(
        "INSERT INTO jadpo_polls (name, next_due_ms, claim_no)
         SELECT value, {} + 600000, 1 FROM json_each('[\"poll feed.prices\", \"poll feed.gone\"]')",
        crate::trial::START_MS
    ));
    let _instance = trial.serve(1, fine);
    let names = || trial.rows("SELECT name FROM jadpo_polls ORDER BY name");
    trial.pass(2 * DAY_MS);
    assert_eq!(names(), ["poll feed.gone", "poll feed.prices"]);
    trial.pass(DAY_MS);
    assert_eq!(names(), ["poll feed.prices"]);
}

#[test]
fn a_within_that_is_longer_than_keep_holds_and_ends_at_its_time() {
    fn fails<'a>(_: &'a str, _: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async { Err(Failure::new("not yet")) })
    }
    /// What became of the first delivery where its program is down from the first minute until that day.
    fn after(days: u64) -> (Trial, String) {
        let trial = Trial::new(|plan| {
            let subscriber = plan.subscribers.get_mut("update_quotes").unwrap();
            (subscriber.within_ms, subscriber.retry.attempts) = (40 * DAY_MS, 1_000);
        });
        super::steady(&trial);
        let down = trial.serve(1, fails);
        trial.pass(60 * SECOND_MS);
        down.stop(&trial);
        trial.pass(days * DAY_MS - 60 * SECOND_MS);
        let up = trial.serve(2, super::writes);
        trial.pass(130 * SECOND_MS);
        up.stop(&trial);
        let first = "SELECT state FROM jadpo_deliveries ORDER BY id LIMIT 1";
        let state = trial.rows(first).remove(0);
        (trial, state)
    }
    // Longer than the thirty days of `keep`, and the purge of each start has let nothing go that waits or failed.
    assert_eq!(after(35).1, "done");
    let (trial, state) = after(41);
    assert_eq!(state, "failed");
    let error = "SELECT last_error FROM jadpo_deliveries WHERE state = 'failed'";
    assert_eq!(trial.rows(error), ["not yet"], "the last attempt's, and no other");
}
