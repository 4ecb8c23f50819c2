//! A provider of prices and a collector of telemetry, on one address.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

type Bodies = Arc<Mutex<BTreeMap<String, Vec<Vec<u8>>>>>;

pub struct Collector {
    address: SocketAddr,
    bodies: Bodies,
}

impl Collector {
    pub fn start() -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let collector = Collector { address: listener.local_addr().unwrap(), bodies: Bodies::default() };
        let bodies = collector.bodies.clone();
        // Both threads end with the test's process.
        std::thread::spawn(move || {
            for socket in listener.incoming().flatten() {
                let bodies = bodies.clone();
                std::thread::spawn(move || answer(socket, &bodies));
            }
        });
        collector
    }

    pub fn address(&self) -> String {
        self.address.to_string()
    }

    /// What was posted to a path.
    pub fn bodies(&self, path: &str) -> Vec<Vec<u8>> {
        self.bodies.lock().unwrap().get(path).cloned().unwrap_or_default()
    }

    /// Whether any body holds this text.
    pub fn tells(&self, text: &str) -> bool {
        let bodies = self.bodies.lock().unwrap();
        bodies.values().flatten().any(|body| body.windows(text.len()).any(|part| part == text.as_bytes()))
    }
}

/// Answers one connection's requests until it ends.
fn answer(socket: TcpStream, bodies: &Bodies) {
    let mut reader = BufReader::new(socket);
    loop {
        let (mut line, mut length) = (String::new(), 0);
        if reader.read_line(&mut line).unwrap_or(0) == 0 {
            return;
        }
        let path = line.split(' ').nth(1).unwrap().to_owned();
        loop {
            let mut header = String::new();
            reader.read_line(&mut header).unwrap();
            let Some((name, value)) = header.split_once(':') else { break };
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().unwrap();
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let says = if path == "/v1/prices" { r#"{"btc":60,"eth":2}"# } else { "" };
        bodies.lock().unwrap().entry(path).or_default().push(body);
        let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ";
        if write!(reader.get_mut(), "{head}{}\r\n\r\n{says}", says.len()).is_err() {
            return;
        }
    }
}
