//! Requests over the wire: their answers, their bounds, and what is no request at all.

use std::sync::atomic::Ordering;

use super::Running;
use crate::limits;

fn post(target: &str, headers: &str, body: &str) -> String {
    format!("POST {target} HTTP/1.1\r\nhost: desk\r\n{headers}content-length: {}\r\n\r\n{body}", body.len())
}

const JSON: &str = "content-type: application/json\r\n";

#[test]
fn requests_follow_each_other_on_one_connection() {
    let server = Running::start(1);
    let mut client = server.client();
    assert_eq!(client.ask("GET /"), "200 \"pong\"");
    assert_eq!(
        client.send(&post("/tickets/7", JSON, r#"{"Title":"t"}"#)).answer(),
        r#"200 {"id":7,"note":null,"Title":"t"}"#
    );
    assert_eq!(
        client.ask("GET /nowhere"),
        r#"404 {"error":{"code":"not_found","message":"there is nothing at this path"}}"#
    );
    assert!(client.ask("PATCH /tickets/7").starts_with("405 DELETE, GET, HEAD, POST {"));
    assert!(client.ask("DELETE /tickets/7").starts_with("401 Bearer {"));
    assert_eq!(
        client
            .send("DELETE /tickets/7 HTTP/1.1\r\nhost: desk\r\nauthorization: Bearer s3cret-token\r\n\r\n")
            .answer(),
        "200"
    );
    assert_eq!(client.ask("GET /"), "200 \"pong\"");
}

#[test]
fn pipelined_requests_are_answered_in_order() {
    let server = Running::start(1);
    let mut client = server.client();
    let mut sent = "GET / HTTP/1.1\r\nhost: desk\r\n\r\n".to_owned();
    sent += &post("/tickets/1", JSON, r#"{"Title":"a"}"#);
    sent += &post("/tickets/2", JSON, r#"{"Title":"b"}"#);
    sent += "GET /healthz HTTP/1.1\r\nhost: desk\r\n\r\n";
    client.send(&sent);
    assert_eq!(client.answer(), "200 \"pong\"");
    assert_eq!(client.answer(), r#"200 {"id":1,"note":null,"Title":"a"}"#);
    assert_eq!(client.answer(), r#"200 {"id":2,"note":null,"Title":"b"}"#);
    assert_eq!(client.answer(), r#"200 {"alive":true}"#);
}

#[test]
fn head_has_the_headers_of_get_and_no_body() {
    let server = Running::start(1);
    let mut client = server.client();
    for path in ["/", "/healthz", "/readyz"] {
        client.send(&format!("HEAD {path} HTTP/1.1\r\nhost: desk\r\n\r\n"));
        assert_eq!(client.answer_to(false), "200", "{path}");
    }
    assert_eq!(client.ask("GET /"), "200 \"pong\"", "nothing of a body was left behind");
}

#[test]
fn health_is_answered_whatever_the_routes_are() {
    let server = Running::start(1);
    let mut client = server.client();
    assert_eq!(client.ask("GET /healthz"), r#"200 {"alive":true}"#);
    assert_eq!(client.ask("GET /readyz"), r#"200 {"ready":true}"#);
    server.desk.is_unready.store(true, Ordering::SeqCst);
    assert_eq!(client.ask("GET /readyz?full"), r#"503 {"ready":false}"#);
    assert_eq!(client.ask("GET /healthz"), r#"200 {"alive":true}"#);
    assert!(client.ask("POST /healthz").starts_with("405 GET, HEAD {"));
}

#[test]
fn a_trace_goes_on_and_one_given_twice_does_not() {
    let server = Running::start(1);
    let mut client = server.client();
    let trace = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01\r\n";
    client.send(&format!("GET / HTTP/1.1\r\nhost: desk\r\n{trace}\r\n")).answer();
    client.send(&format!("GET / HTTP/1.1\r\nhost: desk\r\n{trace}{trace}\r\n")).answer();
    let calls = server.desk.calls.lock().unwrap();
    assert_eq!(calls[0].trace.as_deref(), Some("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));
    assert_eq!(calls[1].trace, None);
}

#[test]
fn what_is_no_request_is_refused_and_closed() {
    let long = format!("GET / HTTP/1.1\r\nx: {}\r\n\r\n", "x".repeat(limits::HEAD_BYTES_MAX));
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "x: y\r\n".repeat(200));
    let target = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(100_000));
    for (sent, status) in [
        (long.as_str(), "431"),
        (&many, "431"),
        (&target, "431"),
        ("GET / HTTP/1.1\r\nno colon\r\n\r\n", "400"),
        ("\u{1}\u{2}\u{3} / HTTP/1.1\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n", "400"),
        ("GET / HTTP/1.1\r\ncontent-length: -1\r\n\r\n", "400"),
        (
            "POST /tickets/7 HTTP/1.1\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
            "400",
        ),
    ] {
        let server = Running::start(1);
        let mut client = server.client();
        let shown = &sent[..sent.len().min(60)];
        let answer = client.send(sent).answer();
        assert!(answer.starts_with(status), "{shown:?} was answered {answer}");
        assert!(client.is_closed_unanswered(), "{shown:?} left the connection open");
    }
}

#[test]
fn a_body_past_the_bound_is_refused_however_it_comes() {
    let server = Running::start(4);
    let told = "POST /tickets/7 HTTP/1.1\r\nhost: desk\r\ncontent-type: application/json\r\n";
    let length = limits::BODY_BYTES_MAX + 1;
    let mut client = server.client();
    assert!(client.send(&format!("{told}content-length: {length}\r\n\r\n")).answer().starts_with("413"));
    let mut client = server.client();
    client.send(&format!("{told}transfer-encoding: chunked\r\n\r\n{length:x}\r\n{}", " ".repeat(length)));
    assert!(client.answer().starts_with("413"));
    let mut client = server.client();
    let body = format!(r#"{{"Title":"t"{}}}"#, " ".repeat(limits::BODY_BYTES_MAX - 13));
    assert_eq!(body.len(), limits::BODY_BYTES_MAX);
    assert!(client.send(&post("/tickets/7", JSON, &body)).answer().starts_with("200"));
}

#[test]
fn a_client_that_asks_first_is_told_to_go_on_only_where_the_body_is_wanted() {
    let server = Running::start(1);
    let mut client = server.client();
    client.send("POST /tickets/7 HTTP/1.1\r\nhost: desk\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n");
    assert_eq!(client.answer(), "100");
    assert!(client.send(r#"{"Title":"t"}"#).answer().starts_with("200"));
    client.send("POST /tickets/7 HTTP/1.1\r\nhost: desk\r\nexpect: 100-continue\r\ncontent-type: text/plain\r\ncontent-length: 13\r\n\r\n");
    assert!(client.answer().starts_with("415"));
}

#[test]
fn a_client_that_stops_sending_still_gets_its_answer() {
    let server = Running::start(1);
    let mut client = server.client();
    client.send("GET /tickets/7 HTTP/1.1\r\nhost: desk\r\n\r\n").ends_sending();
    server.wait_for(0, "Answering");
    server.desk.go.ask();
    assert!(client.answer().starts_with("200"));
    assert!(client.is_closed_unanswered());
}

#[test]
fn what_a_vanished_client_asked_for_runs_to_its_end() {
    let server = Running::start(1);
    let mut client = server.client();
    client.send("GET /tickets/7 HTTP/1.1\r\nhost: desk\r\n\r\n");
    server.wait_for(0, "Answering");
    drop(client);
    server.desk.go.ask();
    super::wait_until("the end", || server.desk.ended.load(Ordering::SeqCst) == 1);
    assert_eq!(server.desk.dropped.load(Ordering::SeqCst), 0);
}

#[test]
fn a_body_that_breaks_off_runs_nothing() {
    let server = Running::start(1);
    let mut client = server.client();
    client.send("POST /tickets/7 HTTP/1.1\r\nhost: desk\r\ncontent-type: application/json\r\ncontent-length: 13\r\n\r\n{");
    server.wait_for(0, "Body");
    client.ends_sending();
    client.rest();
    assert_eq!(server.desk.begun.load(Ordering::SeqCst), 0);
}
