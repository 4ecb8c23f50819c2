//! What a failed assertion says.

use std::panic::{AssertUnwindSafe, catch_unwind};

use super::desk::{Desk, app, price};
use crate::plan::{Auth, Part, Setting, SettingSource, Shape, Template};
use crate::testing::{self, TestApp, minutes};

/// The text of the panic that `wrong` ends with.
fn said(app: &mut TestApp, wrong: impl FnOnce(&mut TestApp)) -> String {
    let cause = catch_unwind(AssertUnwindSafe(|| wrong(app))).unwrap_err();
    let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| cause.downcast_ref::<String>().cloned()).unwrap()
}

#[test]
fn everything_that_is_there_is_shown() {
    let mut app = testing::app(app(Desk));
    price(&mut app, "60");
    app.advance(minutes(1));
    let text = said(&mut app, |app| {
        app.expect_event("coinfeed.PricesChanged", 2);
    });
    insta::assert_snapshot!(text, @r#"
    wanted 2 events coinfeed.PricesChanged, found 1

    at 2027-01-01T00:01:00Z, 60s after the beginning
    events:
      2027-01-01T00:00:00Z coinfeed.PricesChanged through feed {"btc":"60","eth":"2"}
    deliveries:
      update_quotes of coinfeed.PricesChanged: failed, 3 attempts: small.ping: no answer: the test has no answer for this call
    batch runs: none
    errors of polls and schedules: none
    calls:
      3 × GET https://api.example.test/v1/ping  which the test has no answer for
      1 × GET https://api.example.test/v1/prices
    "#);
    let text = said(&mut app, |app| {
        app.expect_delivered("update_quotes", 1);
    });
    let first = "wanted 1 done delivery to update_quotes and no other, found 1 failed";
    assert_eq!(text.lines().next(), Some(first));
    let text = said(&mut app, |app| {
        app.expect_calls("GET /v1/prices", 3);
    });
    assert_eq!(text.lines().next(), Some("wanted 3 calls to GET /v1/prices, found 1"));
}

#[test]
fn no_value_of_a_query_or_a_header_is_shown() {
    let mut plan = crate::trial::base_plan();
    let package = plan.packages.get_mut("coinfeed").unwrap();
    let setting = Setting { shape: Shape::Secret, default_json: None };
    package.settings.insert("key".to_owned(), setting);
    package.auth = Auth::Query("key".to_owned(), Template { parts: vec![Part::Setting("key".to_owned())] });
    for connection in plan.connections.values_mut() {
        connection.settings.insert("key".to_owned(), SettingSource::Env("KEY".to_owned()));
    }
    let json = serde_json::to_string(&plan).unwrap();
    let mut app = testing::app(crate::App::new(&json, "server", Desk).env("KEY", "hush"));
    app.tick();
    let calls = app.calls("GET /v1/prices");
    assert!(calls[0].url.ends_with("?key=hush"), "the test itself may look");
    let text = said(&mut app, |app| {
        app.expect_calls("GET /v1/prices", 2);
    });
    assert!(text.contains("GET https://api.example.test/v1/prices?key=…"), "{text}");
    assert!(!text.contains("hush") && !format!("{calls:?}").contains("hush"), "{text}");
}

#[test]
fn a_name_that_the_app_has_not_is_told_with_those_that_it_has() {
    let mut app = testing::app(app(Desk));
    let told = [
        said(&mut app, |app| {
            app.expect_event("PricesChanged", 1);
        }),
        said(&mut app, |app| {
            app.expect_delivered("update_quote", 1);
        }),
        said(&mut app, |app| drop(app.call("kep", ()))),
        said(&mut app, |app| app.run_schedule("nightly")),
        said(&mut app, |app| app.start_batch("x", ())),
        said(&mut app, |app| drop(app.rows("man", "SELECT 1"))),
        said(&mut app, |app| {
            app.answers("prices", testing::json!(1));
        }),
        said(&mut app, |app| {
            app.seed(3);
        }),
        said(&mut app, |app| drop(app.request("/tickets").send())),
        said(&mut app, |app| drop(app.request("GET /tickets").send())),
    ];
    insta::assert_snapshot!(told.join("\n"), @r#"
    the app has no event PricesChanged; it has QuoteKept, coinfeed.PricesChanged
    the app has no subscriber update_quote; it has hear_kept, update_quotes
    the app has no action kep; it has add, keep, sweep
    the app has no schedule nightly; it has often
    the app has no batch or backfill x; it has count, fill
    the app opens no store man; it opens desk, main
    "prices" names no calls: write `GET /v1/prices` or `GET https://api.example/v1/prices`
    the app runs already: say so before any time passes
    "/tickets" is no request: write `GET /prices`
    the deployable of this test serves no routes
    "#);
    let refused = said(&mut app, |app| drop(app.rows("main", "SELECT x")));
    assert!(refused.starts_with("the store main refuses \"SELECT x\": no such column"), "{refused}");
}

#[test]
fn an_app_that_can_not_be_started_says_why() {
    let mut plan = crate::trial::base_plan();
    let json = serde_json::to_string(&plan).unwrap();
    let mut app = testing::app(crate::App::new(&json, "x", Desk));
    insta::assert_snapshot!(said(&mut app, TestApp::tick), @r#"
    the app does not start:
    the plan has no deployable "x"
    (a test gives each environment variable by `.env(name, value)`; the process's own are not read)
    "#);
    plan.stores.get_mut("main").unwrap().native = Some(crate::plan::StoreEngine::Postgres("URL".to_owned()));
    let json = serde_json::to_string(&plan).unwrap();
    let mut app = testing::app(crate::App::new(&json, "server", Desk));
    insta::assert_snapshot!(said(&mut app, TestApp::tick), @r#"the store main is kept in PostgreSQL, which does not follow virtual time; if its SQL is SQLite's too, say so by `.store_file("main", "")`, and the test keeps it in SQLite"#);
}
