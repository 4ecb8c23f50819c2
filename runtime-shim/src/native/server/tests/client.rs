//! A client that says exactly what it is told, byte for byte.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

/// A test that waits longer for a byte has failed; nothing that passes waits so long.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    pub fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        Client { stream: BufReader::new(stream) }
    }

    pub fn send(&mut self, text: &str) -> &mut Client {
        self.stream.get_mut().write_all(text.as_bytes()).unwrap();
        self
    }

    /// A request without a body.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(&format!("{line} HTTP/1.1\r\nhost: desk\r\n\r\n")).answer()
    }

    /// Sends nothing more, and still listens.
    pub fn ends_sending(&mut self) {
        self.stream.get_ref().shutdown(Shutdown::Write).unwrap();
    }

    /// The next answer: its status, `close` where the connection ends with it, and its body.
    pub fn answer(&mut self) -> String {
        self.answer_to(true)
    }

    pub fn answer_to(&mut self, has_body: bool) -> String {
        let line = self.line();
        let status = line.split(' ').nth(1).unwrap_or_else(|| panic!("no status in {line:?}")).to_owned();
        let (mut length, mut words) = (0, vec![status]);
        loop {
            let line = self.line();
            match line.split_once(": ") {
                Some(("content-length", value)) => length = value.parse().unwrap(),
                Some(("connection", "close")) => words.push("close".to_owned()),
                Some(("allow" | "www-authenticate", value)) => words.push(value.to_owned()),
                Some(_) => {}
                None => break,
            }
        }
        let mut body = vec![0; if has_body { length } else { 0 }];
        self.stream.read_exact(&mut body).unwrap();
        words.push(String::from_utf8(body).unwrap());
        words.join(" ").trim_end().to_owned()
    }

    /// How many bytes come before the connection is closed.
    pub fn rest(&mut self) -> usize {
        let mut rest = Vec::new();
        // A reset drops what was on its way; what came before it is there.
        drop(self.stream.read_to_end(&mut rest));
        rest.len()
    }

    /// Waits until the connection is closed; whether nothing came before.
    pub fn is_closed_unanswered(&mut self) -> bool {
        let mut rest = Vec::new();
        match self.stream.read_to_end(&mut rest) {
            Ok(_) => rest.is_empty(),
            Err(error) => error.kind() == std::io::ErrorKind::ConnectionReset && rest.is_empty(),
        }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }
}
