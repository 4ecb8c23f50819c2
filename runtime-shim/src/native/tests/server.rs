//! A server of one page of code, which answers with the very bytes it is told to.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A request as it came.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    pub(super) line: String,
    /// Names in lower case.
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: String,
}

impl Seen {
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A server, which ends with the test's process.
pub(super) struct Server {
    pub(super) port: u16,
    seen: Arc<Mutex<Vec<Seen>>>,
}

impl Server {
    /// Answers each request with what `answer` writes; the connection is closed after one that returns `false`.
    pub(super) fn start(answer: impl Fn(&Seen, &mut TcpStream) -> bool + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Mutex::new(Vec::new()));
        let (record, answer) = (Arc::clone(&seen), Arc::new(answer));
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (record, answer) = (Arc::clone(&record), Arc::clone(&answer));
                std::thread::spawn(move || serve(stream.unwrap(), &record, &*answer));
            }
        });
        Self { port, seen }
    }

    /// A server of whole answers.
    pub(super) fn answering(answer: impl Fn(&Seen) -> Vec<u8> + Send + Sync + 'static) -> Self {
        Self::start(move |request, stream| stream.write_all(&answer(request)).is_ok())
    }

    pub(super) fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    pub(super) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

/// A whole answer of these header lines and this body.
pub(super) fn answer(status: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes =
        format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\n{headers}\r\n", body.len()).into_bytes();
    bytes.extend_from_slice(body);
    bytes
}

fn serve(mut stream: TcpStream, record: &Mutex<Vec<Seen>>, answer: &dyn Fn(&Seen, &mut TcpStream) -> bool) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some(request) = read(&mut reader) {
        record.lock().unwrap().push(request.clone());
        if !answer(&request, &mut stream) {
            break;
        }
    }
    let _ = stream.shutdown(std::net::Shutdown::Both);
}

fn read(reader: &mut BufReader<TcpStream>) -> Option<Seen> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let mut headers = Vec::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        let Some((name, value)) = header.trim_end().split_once(':') else { break };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers
        .iter()
        .find(|(name, _)| name == "content-length")
        .map_or(0, |(_, value)| value.parse().unwrap());
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Seen { line: line.trim_end().to_owned(), headers, body: String::from_utf8(body).unwrap() })
}
