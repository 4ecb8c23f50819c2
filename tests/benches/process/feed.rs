//! A provider whose one price never changes.

use std::io::{Read, Write};
use std::net::TcpListener;

const ANSWER: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 11\r\nconnection: close\r\n\r\n{\"price\":1}";

/// Starts one; its port.
pub fn start() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("a bound address").port();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().filter_map(Result::ok) {
            // A request of this size comes in one piece.
            let _ = stream.read(&mut [0; 4_096]);
            let _ = stream.write_all(ANSWER);
        }
    });
    port
}
