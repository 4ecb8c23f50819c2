//! Redirects: only within one scheme, host and port, at most five, and no secret to anybody else.

use super::server::{Seen, Server, answer};
use super::{get, send};
use crate::host::HttpError;

fn redirect(status: &str, location: &str) -> Vec<u8> {
    answer(status, &format!("location: {location}\r\n"), b"")
}

#[track_caller]
fn check_refused(location: &'static str, why: &str) {
    let server = Server::answering(move |_| redirect("302 Found", location));
    assert_eq!(send(get(&server.url("/"))), Err(HttpError::Redirect(why.to_owned())), "{location}");
    assert_eq!(server.seen().len(), 1);
}

#[test]
fn none_leads_to_another_place() {
    check_refused("https://127.0.0.1/x", "to another scheme");
    check_refused("http://localhost/x", "to another host");
    check_refused("http://files.example.org/x", "to another host");
    check_refused("http://127.0.0.1:1/x", "to another port");
    check_refused("//files.example.org/x", "to another host");
}

#[test]
fn another_server_hears_nothing_of_a_redirect_to_it() {
    let other = Server::answering(|_| answer("200 OK", "", b"gotcha"));
    let to = other.url("/x");
    let server = Server::answering(move |_| redirect("307 Temporary Redirect", &to));
    assert_eq!(send(get(&server.url("/"))), Err(HttpError::Redirect("to another port".to_owned())));
    assert_eq!(other.seen().len(), 0);
}

/// A server that counts its path down to `/0`.
fn counting_down(request: &Seen) -> Vec<u8> {
    let number: u32 = request.line.split(['/', ' ']).nth(2).unwrap().parse().unwrap();
    if number == 0 {
        answer("200 OK", "", b"there")
    } else {
        redirect("302 Found", &format!("/{}", number - 1))
    }
}

#[test]
fn five_are_followed_with_their_headers_and_a_sixth_is_not() {
    let server = Server::answering(counting_down);
    assert_eq!(send(get(&server.url("/5"))).unwrap().body, b"there");
    let seen = server.seen();
    assert_eq!(seen.len(), 6);
    assert!(seen.iter().all(|request| request.header("x-api-key") == Some("hush")));
    assert!(seen.iter().all(|request| request.header("referer").is_none()));
    assert_eq!(send(get(&server.url("/6"))), Err(HttpError::Redirect("more than five in a row".to_owned())));
    let looping = Server::answering(|_| redirect("302 Found", "/"));
    assert!(matches!(send(get(&looping.url("/"))), Err(HttpError::Redirect(_))));
    assert_eq!(looping.seen().len(), 6);
}

#[test]
fn a_303_after_a_post_is_read_without_its_body() {
    let server = Server::answering(|request| match request.line.as_str() {
        "POST / HTTP/1.1" => redirect("303 See Other", "/result"),
        _ => answer("200 OK", "", b"done"),
    });
    let mut request = get(&server.url("/"));
    request.method = "POST".to_owned();
    request.body = Some(b"{}".to_vec());
    assert_eq!(send(request).unwrap().body, b"done");
    let seen = server.seen();
    assert_eq!((seen[1].line.as_str(), seen[1].body.as_str()), ("GET /result HTTP/1.1", ""));
}

#[test]
fn a_status_that_only_looks_like_a_redirect_is_an_answer() {
    let server = Server::answering(|_| answer("304 Not Modified", "", b""));
    assert_eq!(send(get(&server.url("/"))).unwrap().status, 304);
}
