//! The desk over HTTP: who may ask, what an answer waits for, and what is written down.

use jadpo_tests::scratch::Scratch;
use serde_json::{Value, json};

use super::{SOON, Serving, program};
use crate::stored;

const TOKEN: [(&str, &str); 1] = [("authorization", "Bearer a-token-for-the-example")];
const AUDIT: &str = "SELECT group_concat(what, '; ') AS it FROM (SELECT what FROM audit ORDER BY rowid)";

fn code(answer: &(u16, Value)) -> (u16, &str) {
    (answer.0, answer.1["error"]["code"].as_str().unwrap())
}

#[test]
fn a_ticket_comes_in_is_closed_and_is_written_down() {
    let scratch = Scratch::empty();
    let desk = Serving::start(program("desk", "desk", scratch.path()), "DESK_LISTEN");
    let audit = scratch.at("audit.db");
    assert_eq!(desk.ask("GET", "/readyz", &[], "").0, 200);

    let opened = desk.ask("POST", "/tickets", &TOKEN, r#"{"title":"The bell is broken"}"#);
    let ticket = json!({ "id": 1, "title": "The bell is broken", "urgent": false, "status": "open" });
    assert_eq!(opened, (202, ticket.clone()), "the audit is written afterwards");
    assert_eq!(desk.ask("GET", "/tickets/1", &TOKEN, ""), (200, ticket));
    stored::until(SOON, &audit, "SELECT 1 AS it FROM audit");

    let closed = desk.ask("PUT", "/tickets/1/closing", &TOKEN, r#"{"reason":"mended"}"#);
    assert_eq!(
        (closed.0, &closed.1["status"]),
        (200, &json!("closed")),
        "the audit is written: {}",
        closed.1
    );
    assert_eq!(stored::value(&audit, AUDIT).unwrap(), "1 opened: The bell is broken; 1 closed: mended");
    let again = desk.ask("PUT", "/tickets/1/closing", &TOKEN, r#"{"reason":"mended"}"#);
    assert_eq!(code(&again), (409, "conflict"));
    desk.stop();
    assert_eq!(stored::value(&audit, AUDIT).unwrap(), "1 opened: The bell is broken; 1 closed: mended");
}

#[test]
fn what_cannot_be_is_refused_and_nothing_is_kept() {
    let scratch = Scratch::empty();
    let desk = Serving::start(program("desk", "desk", scratch.path()), "DESK_LISTEN");
    let ticket = r#"{"title":"The bell is broken"}"#;
    assert_eq!(code(&desk.ask("POST", "/tickets", &[], ticket)), (401, "unauthorized"));
    let wrong = [("authorization", "Bearer a-token-for-the-exampl")];
    assert_eq!(code(&desk.ask("POST", "/tickets", &wrong, ticket)), (401, "unauthorized"));
    let empty = desk.ask("POST", "/tickets", &TOKEN, r#"{"title":"","urgent":"very"}"#);
    assert_eq!(code(&empty), (400, "invalid_input"));
    let places: Vec<&Value> =
        empty.1["error"]["problems"].as_array().unwrap().iter().map(|problem| &problem["place"]).collect();
    assert_eq!(places, [&json!("/title"), &json!("/urgent")]);
    assert_eq!(code(&desk.ask("GET", "/tickets/seven", &TOKEN, "")), (400, "invalid_input"));
    assert_eq!(code(&desk.ask("GET", "/tickets/7", &TOKEN, "")), (404, "not_found"));
    assert_eq!(code(&desk.ask("DELETE", "/tickets/7", &TOKEN, "")), (405, "method_not_allowed"));
    desk.stop();
    assert_eq!(stored::count(&scratch.at("desk.db"), "SELECT count(*) AS it FROM tickets"), 0);
    assert_eq!(stored::count(&scratch.at("desk.db"), "SELECT count(*) AS it FROM jadpo_events"), 0);
}
