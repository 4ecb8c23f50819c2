//! The least HTTP that a test needs to talk to a server on loopback.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// How long a server on this machine may take.
const ANSWER_MAX: Duration = Duration::from_mins(1);

/// Status and body of an answer; a body makes it a POST of JSON, else it is a GET.
///
/// # Panics
/// When there is no answer.
#[track_caller]
pub fn ask(port: u16, path: &str, body: Option<&str>) -> (u16, String) {
    let method = if body.is_some() { "POST" } else { "GET" };
    send(port, method, path, &[], body.unwrap_or_default())
}

/// Status and body of the answer to a request with these headers and, unless it is empty, a body of JSON.
///
/// # Panics
/// When there is no answer.
#[track_caller]
pub fn send(port: u16, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).expect("the server listens");
    stream.set_read_timeout(Some(ANSWER_MAX)).expect("a limit can be set");
    let headers: Vec<String> = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\n\
         {}content-length: {}\r\n\r\n{body}",
        headers.concat(),
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("the server reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("the server answers");
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    let body = answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned());
    (status.expect("an answer has a status"), body.expect("an answer has a head"))
}
