//! Dropping a request ends it: the provider sees the connection close.

use std::io::{ErrorKind, Read, Write};
use std::pin::pin;
use std::sync::mpsc;
use std::time::Duration;

use futures_util::future::{Either, select};

use super::server::Server;
use super::{HEARD_MAX, get, runtime};
use crate::host::Host;
use crate::native::NativeHost;

#[test]
fn a_server_that_never_answers_is_left_when_the_time_is_up() {
    let (closed, heard) = mpsc::channel();
    let (entered, mut entries) = tokio::sync::mpsc::unbounded_channel();
    let server = Server::start(move |request, stream| {
        if request.line.contains("/body") {
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{").unwrap();
        }
        if request.line.contains("/dribble") {
            stream.set_read_timeout(Some(Duration::from_millis(10))).unwrap();
            stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n").unwrap();
        }
        entered.send(()).unwrap();
        // Ends when the other side has closed the connection; until then one byte follows another, if slowly.
        let end = loop {
            match stream.read(&mut [0]) {
                Err(error) if error.kind() == ErrorKind::WouldBlock && stream.write_all(b" ").is_ok() => {}
                end => break end,
            }
        };
        closed.send(end).unwrap();
        false
    });
    let runtime = runtime();
    let host = NativeHost::new(runtime.handle().clone()).unwrap();
    for path in ["/", "/body", "/dribble"] {
        runtime.block_on(async {
            // It is with the server before its time begins, however long the way there takes.
            let time_is_up = async {
                entries.recv().await.unwrap();
                host.sleep(100).await;
            };
            match select(host.http(get(&server.url(path))), pin!(time_is_up)).await {
                Either::Left((outcome, _)) => panic!("{outcome:?}"),
                Either::Right(((), request)) => drop(request),
            }
        });
        assert!(matches!(heard.recv_timeout(HEARD_MAX).unwrap(), Ok(0) | Err(_)));
    }
}
