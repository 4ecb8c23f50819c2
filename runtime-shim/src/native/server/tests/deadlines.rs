//! How long a client may take.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::{Clock, Life, Running};
use crate::limits::{IDLE_MS_MAX, LINGER_MS_MAX, READ_MS_MAX};
use crate::stop::Stop;

#[test]
fn a_head_that_trickles_is_ended_by_its_own_deadline() {
    let server = Running::start(2);
    let (mut slow, mut other) = (server.client(), server.client());
    server.clock.advance(50_000);
    slow.send("GET / HT");
    server.wait_for(0, "Head");
    assert_eq!(other.ask("GET /"), "200 \"pong\"");
    server.clock.advance(READ_MS_MAX - 1);
    slow.send("TP/1.1\r\nx: ");
    assert_eq!(server.shown(0).unwrap(), ("Head".to_owned(), 1), "more bytes don't begin it anew");
    server.clock.advance(1);
    assert!(slow.is_closed_unanswered());
}

#[test]
fn a_body_that_trickles_is_ended_by_the_same() {
    let server = Running::start(1);
    let mut slow = server.client();
    slow.send("POST /tickets/7 HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{");
    server.wait_for(0, "Body");
    server.clock.advance(READ_MS_MAX);
    assert!(slow.is_closed_unanswered());
}

#[test]
fn an_idle_connection_gives_its_place_back() {
    let server = Running::start(1);
    let mut silent = server.client();
    assert_eq!(silent.ask("GET /"), "200 \"pong\"");
    server.wait_for(0, "Idle");
    server.clock.advance(IDLE_MS_MAX);
    assert!(silent.is_closed_unanswered());
}

#[test]
fn no_time_runs_while_the_answer_is_made() {
    let server = Running::start(1);
    let mut client = server.client();
    client.send("GET /tickets/7 HTTP/1.1\r\nhost: desk\r\n\r\n");
    server.wait_for(0, "Answering");
    for _ in 0..5 {
        server.clock.advance(READ_MS_MAX);
    }
    server.desk.go.ask();
    assert!(client.answer().starts_with("200"));
}

#[test]
fn an_answer_that_nobody_takes_is_given_up() {
    // Far more than the sockets hold.
    const LENGTH: usize = 64 * 1_024 * 1_024;
    let server = Running::start(1);
    server.desk.length.store(LENGTH, Ordering::SeqCst);
    let mut client = server.client();
    client.send("GET / HTTP/1.1\r\nhost: desk\r\n\r\n");
    server.wait_for(0, "Writing");
    server.clock.advance(READ_MS_MAX);
    assert!(client.rest() < LENGTH, "it was ended before all had left");
}

#[test]
fn each_phase_has_its_time() {
    let clock = Clock::default();
    let life = Life::begin(Arc::new(clock.clone()), Stop::default());
    let shown = |phase: &str, left_ms| assert_eq!(life.shown(), (phase.to_owned(), left_ms));
    shown("Idle", IDLE_MS_MAX);
    clock.advance(10);
    life.received();
    clock.advance(1_000);
    life.received();
    shown("Head", READ_MS_MAX - 1_000);
    life.head_is_whole();
    shown("Body", READ_MS_MAX - 1_000);
    life.is_answering(true);
    life.received();
    clock.advance(500);
    shown("Answering", READ_MS_MAX);
    life.answers();
    shown("Writing", READ_MS_MAX);
    life.flushed();
    shown("Head", READ_MS_MAX - 500);
    life.head_is_whole();
    life.is_answering(true);
    life.answers();
    life.flushed();
    shown("Idle", IDLE_MS_MAX);
    clock.advance(7);
    life.head_is_whole();
    shown("Body", READ_MS_MAX);
}

#[test]
fn a_client_that_sends_on_after_its_refusal_reads_it_and_is_left_in_the_end() {
    let server = Running::start(1);
    let mut client = server.client();
    client.send("POST /tickets/7 HTTP/1.1\r\ncontent-type: text/plain\r\ncontent-length: 300000\r\n\r\n");
    client.send(&"x".repeat(200_000));
    assert!(client.answer().starts_with("415"));
    server.clock.wait_for_sleep(LINGER_MS_MAX);
    client.send(&"x".repeat(50_000));
    server.clock.advance(LINGER_MS_MAX);
    assert!(client.is_closed_unanswered());
}
