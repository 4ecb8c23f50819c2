//! The market's own tests: the jobs over an exchange that answers what it is told, and the web's routes.

use jadpo_runtime::App;
use jadpo_runtime::testing::{self, TestApp, crash_everywhere, hours, json, minutes};

use crate::{Market, app, handlers};

const ID: &str = "6f0c1f70-6d7d-4b52-a4c9-1f2f3a4b5c6d";

fn prepared(app: App) -> App {
    let app = app.prepare("main", handlers::TABLES).env("MARKET_LISTEN", "127.0.0.1:0");
    app.env("MARKET_EXCHANGE_PORT", "1").env("MARKET_EXCHANGE_KEY", "k")
}

fn jobs() -> App {
    prepared(app::jobs(Market))
}

fn exchange(app: &mut TestApp) {
    let at = "2027-01-01T00:00:00Z";
    app.answers("GET /v1/quotes", json!({ "base": "EUR", "prices": { "USD": "1.08" }, "fetched_at": at }));
    app.answers("GET /v1/metals", json!({ "gold": "2400", "silver": "28.5", "fetched_at": at }));
    app.answers("GET /v1/notes/EUR", json!({ "text": "a quiet day" }));
}

fn order(what: &str) -> testing::Value {
    json!({ "id": ID, "what": what, "amount": "2" })
}

#[test]
fn an_order_is_filled_at_the_price_that_was_heard_last() {
    let mut app = testing::app(jobs());
    exchange(&mut app);
    app.advance(minutes(1));
    app.call("place_order", order("EUR/USD"));
    app.settle();
    assert_eq!(app.rows("main", "SELECT state, price, note FROM orders"), ["filled | 1.08 | a quiet day"]);
}

#[test]
fn an_order_waits_for_a_price_and_is_given_up_after_an_hour() {
    let mut app = testing::app(jobs());
    exchange(&mut app);
    app.call("place_order", order("platinum"));
    app.advance(minutes(59));
    assert_eq!(app.rows("main", "SELECT state FROM orders"), ["placed"]);
    app.advance(hours(1));
    assert_eq!(app.rows("main", "SELECT state FROM orders"), ["expired"]);
    app.expect_failed("fill_order", 1);
}

#[test]
fn an_order_that_is_placed_twice_is_one() {
    let mut app = testing::app(prepared(app::web(Market)));
    let mut put = |id: &str, body| app.request(&format!("PUT /orders/{id}")).json(body).send();
    let body = json!({ "what": "gold", "amount": "2" });
    let placed: app::Order = put(ID, body.clone()).expect_status(202).get();
    assert_eq!(placed.state, app::OrderState::Placed);
    put(ID, body).expect_status(409);
    put("one", json!({ "what": "gold", "amount": "2" })).expect_status(400);
    // The web delivers nothing: that is the jobs' work.
    app.expect_event("OrderPlaced", 1);
    let seen = app.request(&format!("GET /orders/{ID}")).send().expect_status(200);
    assert_eq!(seen.json()["state"], "placed");
}

#[test]
fn an_order_is_filled_wherever_the_process_ends() {
    let scenario = |app: &mut TestApp| {
        exchange(app);
        app.advance(minutes(3));
        app.call("place_order", order("gold"));
        app.advance(minutes(1));
    };
    crash_everywhere(jobs, scenario, |app| {
        app.expect_delivered("fill_order", 1);
        assert_eq!(app.rows("main", "SELECT state, price FROM orders"), ["filled | 2400"]);
    });
}
