//! The market: one program takes an order while the other isn't there, and the other fills it.

use std::process::Command;

use jadpo_tests::binaries::binary;
use jadpo_tests::process::{Running, Stream};
use jadpo_tests::scratch::Scratch;
use jadpo_tests::wait;
use serde_json::json;

use super::{SOON, Serving, program};
use crate::stored;

const ORDER: &str = "/orders/0192d0d4-7f6e-7bb8-9d0e-0f4b7a3c2d10";

#[test]
fn what_one_program_takes_the_other_does() {
    let scratch = Scratch::empty();
    let web = Serving::start(program("market", "market-web", scratch.path()), "MARKET_LISTEN");
    assert_eq!(web.ask("GET", "/prices", &[], ""), (200, json!([])), "nobody polls yet");
    let order = r#"{"what":"EUR/USD","amount":"250"}"#;
    let (status, placed) = web.ask("PUT", ORDER, &[], order);
    assert_eq!((status, &placed["state"]), (202, &json!("placed")), "{placed}");
    assert_eq!(web.ask("PUT", ORDER, &[], order).0, 409, "an order is placed once");
    let polls = "SELECT count(*) AS it FROM jadpo_polls";
    assert_eq!(stored::count(&scratch.at("market.db"), polls), 0, "web makes none");

    let mut exchange = Running::start(&mut Command::new(binary("rates", "exchange")));
    let port = exchange.line(SOON, "a port", |stream, _| stream == Stream::Out);
    let mut jobs = program("market", "market-jobs", scratch.path());
    let mut jobs = Running::start(jobs.env("MARKET_EXCHANGE_PORT", port));
    let filled = wait::until(SOON, "a filled order", || {
        let order = web.ask("GET", ORDER, &[], "").1;
        (order["state"] == "filled").then_some(order)
    });
    assert!(filled["price"].as_str().unwrap().starts_with("1."), "{filled}");
    let prices = web.ask("GET", "/prices", &[], "").1;
    assert!(prices.as_array().unwrap().iter().any(|price| price["what"] == "EUR/USD"), "{prices}");
    let note = "SELECT note AS it FROM orders";
    assert!(stored::value(&scratch.at("market.db"), note).unwrap().starts_with("EUR moved"));
    let schedules = "SELECT count(*) AS it FROM jadpo_schedules";
    assert_eq!(stored::count(&scratch.at("market.db"), schedules), 1, "jobs knows when the next one is due");

    jobs.signal("TERM");
    assert_eq!(jobs.exit(SOON).code(), Some(0), "{}", jobs.written());
    web.stop();
}
