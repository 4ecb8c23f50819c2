//! Clients that move money through whichever process answers, and remember what was promised to them.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::chance::Chance;

/// How long a client waits for its answer.
const ANSWER_MAX: Duration = Duration::from_secs(15);

/// Threads that ask one request after the other.
pub struct Clients {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<Vec<String>>>,
    told: Arc<Told>,
}

/// What all of them asked and were told.
#[derive(Default)]
struct Told {
    asked: AtomicU64,
    unavailable: AtomicU64,
}

impl Clients {
    pub fn start(count: u64, seed: u64, ports: &[u16]) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let told = Arc::<Told>::default();
        let threads = (0..count).map(|client| {
            let (stop, told, ports) = (Arc::clone(&stop), Arc::clone(&told), ports.to_vec());
            thread::spawn(move || ask_on(client, Chance::of(seed + client), &stop, &told, &ports))
        });
        Self { threads: threads.collect(), stop, told }
    }

    /// Ends them. The ids of the transfers that were answered as done.
    pub fn stop(mut self) -> Vec<String> {
        self.stop.store(true, Ordering::SeqCst);
        std::mem::take(&mut self.threads).into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    }

    /// Transfers that were asked for.
    pub fn asked(&self) -> u64 {
        self.told.asked.load(Ordering::SeqCst)
    }

    /// Answers that the store can't take it now.
    pub fn unavailable(&self) -> u64 {
        self.told.unavailable.load(Ordering::SeqCst)
    }
}

/// They end with a test that fails, too, rather than ask on beside the others.
impl Drop for Clients {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
    }
}

fn ask_on(client: u64, mut chance: Chance, stop: &AtomicBool, told: &Told, ports: &[u16]) -> Vec<String> {
    let mut promised = Vec::new();
    let mut number = 0;
    while !stop.load(Ordering::SeqCst) {
        number += 1;
        let id = format!("{client}-{number}");
        let port = ports[usize::try_from(chance.below(ports.len() as u64)).unwrap()];
        let path = if chance.in_a_hundred(20) { "/settled" } else { "/transfers" };
        told.asked.fetch_add(1, Ordering::SeqCst);
        match transfer(port, path, &id, &mut chance) {
            Some(200 | 202) => promised.push(id),
            // Nobody is there, or it has trouble.
            other => {
                told.unavailable.fetch_add(u64::from(other == Some(503)), Ordering::SeqCst);
                thread::park_timeout(Duration::from_millis(10));
            }
        }
        thread::park_timeout(Duration::from_millis(20));
    }
    promised
}

/// Asks for one transfer; the answer's status, if there is an answer.
pub fn transfer(port: u16, path: &str, id: &str, chance: &mut Chance) -> Option<u16> {
    let (from, to, cents) = (chance.below(5), chance.below(4), chance.below(1_000));
    // Never from an account to itself.
    let to = if to >= from { to + 1 } else { to };
    let body = format!(r#"{{"id":"{id}","from":{from},"to":{to},"cents":{cents}}}"#);
    let mut stream = TcpStream::connect(("127.0.0.1", port)).ok()?;
    stream.set_read_timeout(Some(ANSWER_MAX)).ok()?;
    let request = format!(
        "POST {path} HTTP/1.1\r\nhost: 127.0.0.1\r\nconnection: close\r\ncontent-type: application/json\r\n\
         content-length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    answer.split(' ').nth(1)?.parse().ok()
}
