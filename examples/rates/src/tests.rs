//! The app's own tests: what its subscribers make of the exchange's answers, and that no end of its process loses any.

use jadpo_runtime::testing::{self, Reply, TestApp, crash_everywhere, json, millis, minutes, seconds};

use crate::app;
use crate::handlers::{Keeper, TABLES};

fn rates() -> jadpo_runtime::App {
    app::server(Keeper { loud: false })
        .prepare("main", TABLES)
        .env("RATES_API_KEY", "k")
        .env("RATES_PORT", "1")
}

/// The app over an exchange that answers.
fn over_an_exchange() -> TestApp {
    let mut app = testing::app(rates());
    exchange(&mut app, "1.08");
    app
}

fn exchange(app: &mut TestApp, usd: &str) {
    let at = "2027-01-01T00:00:00Z";
    app.answers("GET /v1/quotes", json!({ "base": "EUR", "prices": { "USD": usd }, "fetched_at": at }));
    app.answers("GET /v1/metals", json!({ "gold": "2400", "silver": "28.5", "fetched_at": at }));
    app.answers("GET /v1/notes/*", json!({ "text": "a quiet day" }));
}

#[test]
fn a_quote_is_kept_when_it_changes() {
    let mut app = over_an_exchange();
    app.advance(minutes(5));
    app.expect_event("exchange.QuotesChanged", 1);
    app.expect_delivered("keep_quotes", 2);
    let quotes = app.rows("main", "SELECT what, price FROM quotes ORDER BY what");
    assert_eq!(quotes, ["EUR/USD | 1.08", "gold | 2400", "silver | 28.5"]);
}

#[test]
fn a_quote_that_moves_is_kept_again() {
    let mut app = over_an_exchange();
    app.tick();
    exchange(&mut app, "1.09");
    app.tick();
    app.expect_event("exchange.QuotesChanged", 2).expect_event("exchange.MetalsChanged", 1);
    assert_eq!(app.rows("main", "SELECT price FROM quotes WHERE what = 'EUR/USD'"), ["1.08", "1.09"]);
}

#[test]
fn a_note_is_asked_for_until_the_exchange_has_one() {
    let mut app = over_an_exchange();
    let closed = Reply::status(404);
    app.answers("GET /v1/notes/EUR", [closed, Reply::from(json!({ "text": "late" })).after_ms(300)]);
    app.settle();
    app.expect_calls("GET /v1/notes/EUR", 2).expect_delivered("keep_note", 1);
    assert_eq!(app.deliveries("keep_note")[0].attempts, 2);
    assert_eq!(app.rows("main", "SELECT base, text FROM notes"), ["EUR | late"]);
}

#[test]
fn a_note_that_never_comes_ends_as_a_failed_delivery() {
    let mut app = over_an_exchange();
    app.fails("GET /v1/notes/EUR", 404);
    app.settle();
    app.expect_failed("keep_note", 1).expect_delivered("keep_quotes", 2);
}

#[test]
fn the_key_is_sent_and_a_second_call_waits_for_none() {
    let mut app = over_an_exchange();
    app.advance(seconds(1) + millis(500));
    let calls = app.calls("GET /v1/quotes");
    assert_eq!(calls[0].header("authorization"), Some("Bearer k"));
    assert_eq!(calls.len(), 1);
}

#[test]
fn nothing_is_lost_wherever_the_process_ends() {
    let scenario = |app: &mut TestApp| {
        exchange(app, "1.08");
        app.advance(minutes(2));
        exchange(app, "1.09");
        app.advance(minutes(3));
    };
    crash_everywhere(rates, scenario, |app| {
        let newest = "SELECT price FROM quotes WHERE what = 'EUR/USD' ORDER BY rowid DESC LIMIT 1";
        assert_eq!(app.rows("main", newest), ["1.09"]);
        let notes = app.events("exchange.QuotesChanged").len();
        app.expect_delivered("keep_note", notes);
        assert_eq!(app.rows("main", "SELECT DISTINCT text FROM notes"), ["a quiet day"]);
    });
}
