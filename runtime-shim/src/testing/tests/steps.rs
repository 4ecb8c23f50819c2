//! What a test does with an app, and finds.

use super::desk::{Desk, app, price};
use crate::testing::{self, Reply, hours, json, minutes, seconds};

#[test]
fn a_subscriber_s_test_is_a_few_lines() {
    let mut app = testing::app(app(Desk));
    app.answers("GET /v1/prices", json!({ "btc": "60", "eth": "2" })).answers("GET /v1/ping", json!({}));
    app.tick();
    app.expect_event("coinfeed.PricesChanged", 1).expect_delivered("update_quotes", 1);
    app.expect_event("QuoteKept", 1).expect_delivered("hear_kept", 1);
    assert_eq!(app.rows("desk", "SELECT btc, eth FROM quotes"), ["60 | -"]);
    assert_eq!(app.events("QuoteKept")[0].payload, json!({ "btc": "60" }));
}

#[test]
fn each_tick_is_one_and_time_ends_with_what_is_due_then() {
    let mut app = testing::app(app(Desk));
    price(&mut app, "60");
    assert_eq!(app.now().to_string(), "2027-01-01T00:00:00Z");
    app.tick();
    app.tick();
    assert_eq!(app.now().to_string(), "2027-01-01T00:01:59.999Z");
    app.expect_calls("GET /v1/prices", 1);
    app.advance(testing::millis(1));
    app.expect_calls("GET /v1/prices", 2);
}

#[test]
fn it_begins_when_and_with_the_chance_it_is_told() {
    let mut app = testing::app(app(Desk));
    app.starts_at("2027-03-28T00:59:30Z".parse().unwrap()).seed(4);
    app.advance(seconds(30));
    assert_eq!(app.now().to_string(), "2027-03-28T01:00:00Z");
    assert_eq!(app.calls("/v1/prices")[0].at.to_string(), "2027-03-28T00:59:30Z");
}

#[test]
fn an_action_gives_its_output_and_what_it_set_off_runs() {
    let mut app = testing::app(app(Desk));
    let output = app.call("keep", json!({ "btc": "61" }));
    assert_eq!(output.json(), json!({ "btc": "61" }));
    app.expect_delivered("hear_kept", 1).expect_batch_done("count", 1);
    app.call("add", ());
    assert_eq!(app.rows("main", "SELECT n FROM total"), ["1"]);
    let refused = app.try_call("keep", json!({})).unwrap_err();
    assert_eq!((refused.status, refused.text.as_str()), (422, "no price"));
}

#[test]
fn schedules_batches_and_backfills_run_when_they_are_asked_for() {
    let mut app = testing::app(app(Desk));
    app.run_schedule("often");
    assert_eq!(app.now().to_string(), "2027-01-01T00:05:00Z");
    assert_eq!(app.rows("main", "SELECT btc FROM quotes"), ["swept"]);
    app.run_schedule("often");
    assert_eq!(app.rows("main", "SELECT count(*) FROM quotes"), ["2"]);
    app.start_batch("fill", ());
    app.expect_batch_done("fill", 1);
    let run = &app.runs("fill")[0];
    assert_eq!((run.steps, run.skipped), (3, 1));
}

#[test]
fn answers_come_in_turn_and_in_their_time() {
    let mut app = testing::app(app(Desk));
    let slow = Reply::from(json!({ "btc": "61", "eth": "2" })).after_ms(2_000);
    app.answers("GET /v1/prices", [Reply::status(500), slow]).fails("/v1/ping", 404);
    app.advance(minutes(1));
    app.expect_event("coinfeed.PricesChanged", 0);
    app.advance(seconds(2));
    app.expect_event("coinfeed.PricesChanged", 1);
    app.settle();
    app.expect_failed("update_quotes", 1);
    assert!(app.deliveries("update_quotes")[0].error.as_ref().unwrap().contains("404"));
}

#[test]
fn a_process_that_is_stopped_or_lost_is_followed_by_another() {
    let mut app = testing::app(app(Desk));
    price(&mut app, "60");
    app.answers("GET /v1/ping", Reply::never());
    app.tick();
    app.crash();
    app.answers("GET /v1/ping", json!({}));
    app.settle();
    app.expect_delivered("update_quotes", 1);
    assert_eq!(app.deliveries("update_quotes")[0].attempts, 2, "the one that was lost counts");
    app.stop();
    app.advance(hours(1));
    app.expect_event("coinfeed.PricesChanged", 1);
}
