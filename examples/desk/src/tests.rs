//! The desk's own tests: its routes as a client sees them, and its audit wherever the process ends.

use jadpo_runtime::testing::{self, TestApp, crash_everywhere, json, seconds};

use crate::app;
use crate::handlers::{AUDIT, Desk, TICKETS};

fn desk() -> jadpo_runtime::App {
    app::server(Desk)
        .prepare("main", TICKETS)
        .prepare("audit", AUDIT)
        .env("DESK_LISTEN", "127.0.0.1:0")
        .env("DESK_TOKEN", "a-token")
}

#[test]
fn a_ticket_is_taken_in_and_closed() {
    let mut app = testing::app(desk());
    let opened = app.request("POST /tickets").bearer("a-token").json(json!({ "title": "No heat" })).send();
    assert_eq!(opened.expect_status(202).json()["status"], "open");
    let closing = json!({ "reason": "mended" });
    let closed = app.request("PUT /tickets/1/closing").bearer("a-token").json(closing).send();
    let closed: app::Ticket = closed.expect_status(200).get();
    assert_eq!(closed.status, app::Status::Closed);
    // The second request waited until the audit was written.
    assert_eq!(app.rows("audit", "SELECT what FROM audit"), ["1 opened: No heat", "1 closed: mended"]);
}

#[test]
fn whoever_has_no_token_is_told_what_is_missing() {
    let mut app = testing::app(desk());
    app.request("GET /readyz").send().expect_status(200);
    for token in ["", "another"] {
        let answer = app.request("GET /tickets/1").bearer(token).send().expect_status(401);
        assert_eq!(answer.header("www-authenticate"), Some("Bearer"));
    }
}

#[test]
fn what_does_not_fit_is_answered_with_its_place() {
    let mut app = testing::app(desk());
    let answer = app.request("POST /tickets").bearer("a-token").json(json!({ "title": "" })).send();
    assert_eq!(answer.expect_status(400).json()["error"]["problems"][0]["place"], "/title");
    app.request("GET /tickets/0").bearer("a-token").send().expect_status(400);
    app.request("GET /tickets/7").bearer("a-token").send().expect_status(404);
    app.expect_event("TicketOpened", 0);
}

#[test]
fn a_ticket_that_is_closed_is_not_closed_again() {
    let mut app = testing::app(desk());
    app.call("open_ticket", json!({ "title": "No heat" }));
    let mut close = || {
        let request = app.request("PUT /tickets/1/closing").bearer("a-token");
        request.json(json!({ "reason": "mended" })).send().status
    };
    assert_eq!([close(), close()], [200, 409]);
    app.expect_event("TicketClosed", 1);
}

#[test]
fn the_audit_has_each_ticket_wherever_the_process_ends() {
    let scenario = |app: &mut TestApp| {
        app.request("POST /tickets").bearer("a-token").json(json!({ "title": "No heat" })).send();
        app.advance(seconds(1));
        app.request("PUT /tickets/1/closing").bearer("a-token").json(json!({ "reason": "mended" })).send();
    };
    crash_everywhere(desk, scenario, |app| {
        app.expect_delivered("write_audit", 2);
        let audit = app.rows("audit", "SELECT what FROM audit ORDER BY what");
        assert_eq!(audit, ["1 closed: mended", "1 opened: No heat"]);
    });
}
