//! A stop in each state that a connection can be in.

use std::net::TcpStream;
use std::sync::atomic::Ordering;

use super::{Client, DRAIN_MS, Running, wait_until};
use crate::limits::READ_MS_MAX;

#[test]
fn an_idle_connection_closes_at_once() {
    let server = Running::start(3);
    let (mut fresh, mut used) = (server.client(), server.client());
    assert_eq!(used.ask("GET /"), "200 \"pong\"");
    server.wait_for(1, "Idle");
    server.stop.ask();
    // No time passes on the server's clock: it waits for nothing.
    assert!(fresh.is_closed_unanswered());
    assert!(used.is_closed_unanswered());
    server.has_ended();
}

#[test]
fn nobody_is_accepted_any_more() {
    let server = Running::start(3);
    let mut busy = server.client();
    busy.send("GET /tickets/7 HTTP/1.1\r\n\r\n");
    server.wait_for(0, "Answering");
    server.stop.ask();
    wait_until("a refusal", || TcpStream::connect(server.address).is_err());
    server.desk.go.ask();
    assert!(busy.answer().starts_with("200 close"));
    server.has_ended();
}

#[test]
fn a_request_in_the_middle_gets_its_answer_and_then_the_close() {
    let server = Running::start(3);
    let (mut answering, mut in_head, mut in_body) = (server.client(), server.client(), server.client());
    answering.send("GET /tickets/7 HTTP/1.1\r\n\r\n");
    in_head.send("GET / HTTP/1.1\r\nx: ");
    in_body.send("POST /tickets/7 HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{");
    server.wait_for(0, "Answering");
    server.wait_for(1, "Head");
    server.wait_for(2, "Body");
    server.stop.ask();
    in_head.send("y\r\n\r\n");
    assert_eq!(in_head.answer(), "200 close \"pong\"");
    in_body.send(r#""Title":"t"}"#);
    assert!(in_body.answer().starts_with("200 close"));
    server.desk.go.ask();
    assert!(answering.answer().starts_with("200 close"));
    assert!([in_head, in_body, answering].iter_mut().all(Client::is_closed_unanswered));
    server.has_ended();
}

#[test]
fn an_answer_on_its_way_leaves_whole() {
    const LENGTH: usize = 64 * 1_024 * 1_024;
    let server = Running::start(1);
    server.desk.length.store(LENGTH, Ordering::SeqCst);
    let mut client = server.client();
    client.send("GET / HTTP/1.1\r\nhost: desk\r\n\r\n");
    server.wait_for(0, "Writing");
    server.stop.ask();
    assert!(client.rest() > LENGTH);
    server.has_ended();
}

#[test]
fn a_half_sent_head_still_ends_at_its_deadline() {
    let server = Running::start(1);
    let mut client = server.client();
    client.send("GET / HT");
    server.wait_for(0, "Head");
    server.clock.advance(READ_MS_MAX - 1);
    server.stop.ask();
    server.clock.wait_for_sleep(DRAIN_MS);
    server.clock.advance(1);
    assert!(client.is_closed_unanswered());
    server.has_ended();
}

#[test]
fn who_is_busy_after_the_drain_is_dropped() {
    let server = Running::start(1);
    let mut client = server.client();
    client.send("GET /tickets/7 HTTP/1.1\r\n\r\n");
    server.wait_for(0, "Answering");
    server.stop.ask();
    server.clock.wait_for_sleep(DRAIN_MS);
    server.clock.advance(DRAIN_MS - 1);
    assert_eq!(server.desk.dropped.load(Ordering::SeqCst), 0);
    server.clock.advance(1);
    assert!(client.is_closed_unanswered());
    wait_until("the drop", || server.desk.dropped.load(Ordering::SeqCst) == 1);
    assert_eq!(server.desk.ended.load(Ordering::SeqCst), 0);
    server.has_ended();
}
