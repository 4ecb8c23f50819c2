//! Answers that are too much, break off, or are packed.

use std::io::{ErrorKind, Read, Write};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;

use super::server::{Server, answer};
use super::{HEARD_MAX, get, runtime, send};
use crate::call::{CallErrorKind, Connection, Turn};
use crate::host::{ERROR_BODY_BYTES_MAX, HttpError};
use crate::native::NativeHost;

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn packed(body: &[u8]) -> Vec<u8> {
    answer("200 OK", "content-encoding: gzip\r\n", &gzip(body))
}

#[test]
fn a_packed_answer_is_unpacked() {
    let server = Server::answering(|_| packed(b"{\"btc\":1}"));
    let answer = send(get(&server.url("/"))).unwrap();
    assert_eq!(answer.body, b"{\"btc\":1}");
    assert_eq!(server.seen()[0].header("accept-encoding"), Some("gzip"));
}

#[test]
fn what_unpacks_to_too_much_is_refused_once_it_does() {
    let bomb = packed(&vec![b' '; 64 << 20]);
    assert!(bomb.len() < 70_000);
    let server = Server::answering(move |_| bomb.clone());
    assert_eq!(send(get(&server.url("/"))), Err(HttpError::TooLarge));
}

#[test]
fn the_bound_counts_the_body_to_the_byte() {
    let server = Server::answering(|_| answer("200 OK", "", b"0123456789"));
    let mut request = get(&server.url("/"));
    request.max_response_bytes = 10;
    assert_eq!(send(request.clone()).unwrap().body, b"0123456789");
    request.max_response_bytes = 9;
    assert_eq!(send(request), Err(HttpError::TooLarge));
}

#[test]
fn an_answer_without_end_is_refused_at_the_bound() {
    let server = Server::start(|_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n").unwrap();
        while stream.write_all(b"1000\r\n").is_ok() && stream.write_all(&[b'x'; 0x1000]).is_ok() {
            if stream.write_all(b"\r\n").is_err() {
                break;
            }
        }
        false
    });
    assert_eq!(send(get(&server.url("/"))), Err(HttpError::TooLarge));
}

#[test]
fn headers_without_measure_are_refused() {
    let long =
        Server::answering(|_| answer("200 OK", &format!("x-long: {}\r\n", "x".repeat(1 << 20)), b"{}"));
    assert!(matches!(send(get(&long.url("/"))), Err(HttpError::Transport(_))));
    let many = Server::answering(|_| answer("200 OK", &"x-many: 1\r\n".repeat(200), b"{}"));
    assert!(matches!(send(get(&many.url("/"))), Err(HttpError::Transport(_))));
}

#[test]
fn an_answer_that_breaks_off_is_no_answer() {
    let cut = |bytes: &'static [u8]| {
        Server::start(move |_, stream| {
            stream.write_all(bytes).unwrap();
            false
        })
    };
    for bytes in [
        &b""[..],
        b"HTTP/1.1 200",
        b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"btc\"",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\n{\"btc\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 3\r\n\r\nabc",
        b"not http at all\r\n\r\n",
    ] {
        let outcome = send(get(&cut(bytes).url("/")));
        assert!(matches!(outcome, Err(HttpError::Transport(_))), "{bytes:?}: {outcome:?}");
    }
}

#[test]
fn nobody_there_is_no_answer() {
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = send(get(&format!("http://127.0.0.1:{port}/?key=hush"))).unwrap_err();
    let HttpError::Transport(why) = error else { panic!("{error:?}") };
    assert!(why.starts_with("can't connect: Connection refused"), "{why}");
}

#[test]
fn the_beginning_of_a_failure_is_read_whatever_it_is() {
    let server = Server::answering(|_| answer("500 Internal Server Error", "", &vec![b'x'; 100_000]));
    let mut long = get(&server.url("/"));
    (long.read_body, long.max_response_bytes) = (false, 10);
    let answer = send(long).unwrap();
    assert_eq!((answer.status, answer.body.len()), (500, ERROR_BODY_BYTES_MAX));
    // One that breaks off, and one that stays open and says no more: what its headers ask for is heard all the same.
    for stays_open in [false, true] {
        let busy = Server::start(move |_, stream| {
            let head = b"HTTP/1.1 503 Busy\r\nretry-after: 7\r\ncontent-length: 100\r\n\r\nbusy";
            stream.write_all(head).unwrap();
            stays_open
        });
        let answer = send(get(&busy.url("/"))).unwrap();
        assert_eq!((answer.status, answer.body.as_slice()), (503, &b"busy"[..]));
        assert_eq!(answer.header("retry-after"), Some("7"));
    }
}

#[test]
fn a_body_that_nobody_wants_is_not_waited_for() {
    let server = Server::start(|_, stream| {
        stream
            .write_all(
                b"HTTP/1.1 200 OK\r\ncontent-length: 100\r\nx-text: caff\xc3\xa8\r\nx-bytes: \xff\r\n\r\n",
            )
            .unwrap();
        true
    });
    let mut request = get(&server.url("/"));
    request.read_body = false;
    let answer = send(request).unwrap();
    assert_eq!(
        (answer.status, answer.header("x-text"), answer.header("x-bytes")),
        (200, Some("caffè"), None)
    );
}

#[test]
fn a_call_whose_answer_trickles_in_ends_at_its_timeout() {
    const TIMEOUT_MS: u64 = 2_000;
    let (closed, heard) = mpsc::channel();
    let server = Server::start(move |_, stream| {
        stream.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n").unwrap();
        // One byte now and then until the other side has closed the connection.
        let mut bytes = 0;
        while matches!(stream.read(&mut [0]), Err(error) if error.kind() == ErrorKind::WouldBlock)
            && stream.write_all(b" ").is_ok()
        {
            bytes += 1;
        }
        closed.send(bytes).unwrap();
        false
    });
    let mut plan = crate::trial::base_plan();
    let package = plan.packages.get_mut("coinfeed").unwrap();
    package.base_url.parts = vec![crate::plan::Part::Text(server.url(""))];
    package.operations.get_mut("fetch_prices").unwrap().timeout_ms = TIMEOUT_MS;
    let runtime = runtime();
    let host = Arc::new(NativeHost::new(runtime.handle().clone()).unwrap());
    let settings = crate::settings::resolve(&plan, &["feed"], &|_| None).unwrap().remove("feed").unwrap();
    let feed = Connection::open("feed", &Arc::new(plan), settings, host).unwrap();
    let begun = Instant::now();
    let error = runtime.block_on(feed.call("fetch_prices", None, Turn::Wait)).unwrap_err();
    assert!(matches!(error.kind, CallErrorKind::Timeout(TIMEOUT_MS)), "{error}");
    assert_eq!(error.to_string(), "feed.fetch_prices: no whole answer within 2000 ms");
    assert!(begun.elapsed() >= Duration::from_millis(TIMEOUT_MS));
    assert_eq!(feed.slots().out, 0);
    assert!(heard.recv_timeout(HEARD_MAX).unwrap() > 1, "it went on until then, and was left");
}
