//! Scenarios whose process ends at every write: what the runtime keeps, and what is found where an app does not.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::desk::{Desk, app, price};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::dispatch::Dispatch;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::step::RunStep;
use crate::testing::{Reply, TestApp, crash_everywhere, json, minutes};

fn exchange(app: &mut TestApp, btc: &str) {
    price(app, btc);
    app.answers("GET /v1/ping", Reply::from(json!({})).after_ms(100));
}

/// Each of the app's own events is one row in the other store, and one more in its total.
fn heard_each_once(app: &mut TestApp) {
    let kept = app.events("QuoteKept").len().to_string();
    assert_eq!(app.rows("desk", "SELECT count(*) FROM quotes WHERE eth IS NULL"), [kept.as_str()]);
    assert_eq!(app.rows("desk", "SELECT n FROM total"), [kept]);
}

#[test]
fn a_poll_its_subscriber_and_a_subscriber_in_another_store() {
    let scenario = |app: &mut TestApp| {
        exchange(app, "60");
        app.advance(minutes(3));
        exchange(app, "61");
        app.advance(minutes(4));
    };
    let writes = crash_everywhere(
        || app(Desk),
        scenario,
        |app| {
            heard_each_once(app);
            let prices = app.events("coinfeed.PricesChanged").len();
            app.expect_delivered("update_quotes", prices);
            assert_eq!(
                app.rows("desk", "SELECT btc FROM quotes WHERE btc <> '7' ORDER BY rowid DESC LIMIT 1"),
                ["61"]
            );
        },
    );
    assert!(writes > 10, "{writes}");
}

#[test]
fn an_action_its_event_and_its_batch() {
    let scenario = |app: &mut TestApp| {
        let output = app.call("keep", json!({ "btc": "60" }));
        assert_eq!(output.json(), json!({ "btc": "60" }));
        app.call("add", ());
        app.call("add", ());
    };
    crash_everywhere(
        || app(Desk),
        scenario,
        |app| {
            heard_each_once(app);
            app.expect_event("QuoteKept", 1).expect_batch_done("count", 1);
            let rows = app.rows("main", "SELECT btc FROM quotes ORDER BY btc");
            assert_eq!(rows, ["0", "1", "2", "60"]);
            assert_eq!(app.rows("main", "SELECT n FROM total"), ["2"]);
        },
    );
}

#[test]
fn a_schedule_and_a_backfill() {
    let scenario = |app: &mut TestApp| {
        app.run_schedule("often");
        app.start_batch("fill", ());
        app.advance(minutes(1));
    };
    crash_everywhere(
        || app(Desk),
        scenario,
        |app| {
            heard_each_once(app);
            app.expect_batch_done("fill", 1);
            assert_eq!(
                app.rows("desk", "SELECT btc FROM quotes WHERE eth = 'fill' ORDER BY btc"),
                ["0", "2"]
            );
            assert_eq!(app.rows("main", "SELECT btc FROM quotes"), ["swept"]);
            assert_eq!(app.runs("fill")[0].skipped, 1);
        },
    );
}

#[test]
fn a_failing_provider_and_a_delivery_that_is_given_up() {
    let scenario = |app: &mut TestApp| {
        price(app, "60");
        app.fails("GET /v1/ping", 503);
        app.settle();
    };
    crash_everywhere(
        || app(Desk),
        scenario,
        |app| {
            app.expect_event("coinfeed.PricesChanged", 1).expect_failed("update_quotes", 1);
            app.expect_event("QuoteKept", 0);
        },
    );
}

/// Writes only on the first attempt, which a crash may have taken.
struct Forgetful;

impl Dispatch for Forgetful {
    fn deliver<'a>(
        &'a self,
        subscriber: &'a str,
        cx: &'a mut Context,
        event: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        if cx.attempt() > 1 {
            return Box::pin(async { Ok(()) });
        }
        Desk.deliver(subscriber, cx, event)
    }

    fn act<'a>(
        &'a self,
        action: &'a str,
        cx: &'a mut Context,
        input: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Desk.act(action, cx, input)
    }

    fn step<'a>(
        &'a self,
        batch: &'a str,
        cx: &'a mut Context,
        step: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Desk.step(batch, cx, step)
    }
}

#[test]
fn an_app_that_loses_something_is_told_where() {
    let scenario = |app: &mut TestApp| {
        exchange(app, "60");
        app.advance(minutes(1));
    };
    let failed = catch_unwind(AssertUnwindSafe(|| {
        crash_everywhere(|| app(Forgetful), scenario, heard_each_once);
    }));
    let text = *failed.unwrap_err().downcast::<String>().unwrap();
    assert!(text.starts_with("the process ended "), "{text}");
    assert!(text.contains("(store main: the claim of deliveries)"), "{text}");
}

#[test]
fn a_scenario_that_fails_without_a_crash_says_so() {
    let failed = catch_unwind(|| crash_everywhere(|| app(Desk), TestApp::tick, |_| panic!("no rows")));
    let text = *failed.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(text, "the scenario fails without any end of its process:\nno rows");
}
