//! Clients that ask one thing again and again, each over a connection that it keeps.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

const REQUEST: &[u8] = b"GET /tickets/7 HTTP/1.1\r\nhost: bench\r\n\r\n";

/// What came of one round.
pub struct Load {
    took: Duration,
    /// Of each request, ascending, µs.
    times_us: Vec<u32>,
}

impl Load {
    pub fn rate(&self) -> f64 {
        f64::from(u32::try_from(self.times_us.len()).unwrap_or(u32::MAX)) / self.took.as_secs_f64()
    }

    pub fn p50_us(&self) -> f64 {
        self.at(50)
    }

    pub fn p99_us(&self) -> f64 {
        self.at(99)
    }

    fn at(&self, of_100: usize) -> f64 {
        f64::from(self.times_us[self.times_us.len() * of_100 / 100])
    }
}

/// The body of one answer.
pub fn one(address: SocketAddr) -> String {
    let mut client = Client::connect(address);
    let length = client.ask();
    let answer = String::from_utf8_lossy(&client.buffer[..length]).into_owned();
    assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
    answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap_or_default()
}

/// Asks over so many connections at once for so long.
pub fn run(address: SocketAddr, connections: usize, length: Duration) -> Load {
    let begun = Instant::now();
    let asked = |_| {
        let mut client = Client::connect(address);
        let mut times_us = Vec::new();
        let mut now = Instant::now();
        while begun.elapsed() < length {
            client.ask();
            let then = Instant::now();
            times_us.push(u32::try_from((then - now).as_micros()).unwrap_or(u32::MAX));
            now = then;
        }
        times_us
    };
    let mut times_us: Vec<u32> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..connections).map(|number| scope.spawn(move || asked(number))).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a client never panics")).collect()
    });
    times_us.sort_unstable();
    Load { took: begun.elapsed(), times_us }
}

struct Client {
    stream: TcpStream,
    buffer: [u8; 1_024],
}

impl Client {
    fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).expect("the server accepts");
        stream.set_nodelay(true).expect("a socket takes its options");
        Client { stream, buffer: [0; 1_024] }
    }

    /// Asks once; how long the answer is, bytes. Both servers send an answer of this size in one piece.
    fn ask(&mut self) -> usize {
        self.stream.write_all(REQUEST).expect("the server reads");
        let length = self.stream.read(&mut self.buffer).expect("the server answers");
        assert!(self.buffer[..length].ends_with(b"}"), "an answer in pieces");
        length
    }
}
