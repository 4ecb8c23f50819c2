//! The provider: levels that change quickly, and a count of who asks at once, each attempt counted from when it has come
//! until it is answered or its connection is closed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::chance::Chance;

/// How many attempts a process may have under way at once, as its manifest says.
pub const CAP: usize = 2;

/// How long after its slot is free the connection of an attempt that was dropped may still be open: the client closes it in a
/// task of its own.
const CLOSED_MAX: Duration = Duration::from_secs(1);

/// How long a level stays what it is.
const LEVEL: Duration = Duration::from_millis(300);

/// How often one that is kept waiting looks whether it still is, and whether connections are closed.
const LOOK: Duration = Duration::from_millis(5);

/// A server that ends with the test's process.
pub struct Gauge {
    pub port: u16,
    seen: Arc<Seen>,
}

struct Seen {
    began: Instant,
    is_still: AtomicBool,
    /// Whether who asks for an explanation is kept waiting.
    holds: AtomicBool,
    calls: AtomicU64,
    asking: Mutex<Asking>,
    chance: Mutex<Chance>,
}

#[derive(Default)]
struct Asking {
    by_path: BTreeMap<String, u64>,
    under_way: BTreeMap<u64, (String, TcpStream)>,
    /// Those that ended with an answer, and not because whoever asked closed its connection.
    answered: BTreeSet<u64>,
    /// The most at once of one process.
    most: usize,
    still_at: Option<u64>,
}

impl Gauge {
    pub fn start(seed: u64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let seen = Arc::new(Seen {
            began: Instant::now(),
            is_still: AtomicBool::new(false),
            holds: AtomicBool::new(false),
            calls: AtomicU64::new(0),
            asking: Mutex::default(),
            chance: Mutex::new(Chance::of(seed)),
        });
        let serving = Arc::clone(&seen);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let seen = Arc::clone(&serving);
                thread::spawn(move || serve(&seen, &stream));
            }
        });
        Self { port, seen }
    }

    /// From now on nothing changes.
    pub fn be_still(&self) {
        self.seen.is_still.store(true, Ordering::SeqCst);
    }

    /// Whoever asks for an explanation is kept waiting until this is called with `false`.
    pub fn hold(&self, holds: bool) {
        self.seen.holds.store(holds, Ordering::SeqCst);
    }

    /// Attempts that have come at a path.
    pub fn attempts(&self, path: &str) -> u64 {
        self.seen.asking.lock().unwrap().by_path.get(path).copied().unwrap_or(0)
    }

    /// Attempts that have come at all.
    pub fn all_attempts(&self) -> u64 {
        self.seen.calls.load(Ordering::SeqCst)
    }

    /// The most attempts of one process that were under way at once.
    pub fn most_at_once(&self) -> usize {
        self.seen.asking.lock().unwrap().most
    }
}

/// Requests of one connection, one after the other.
fn serve(seen: &Seen, stream: &TcpStream) {
    let _ = stream.set_nodelay(true);
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    while let Some((path, instance)) = read(&mut reader) {
        let attempt = seen.calls.fetch_add(1, Ordering::SeqCst);
        let number = seen.begin(attempt, &path, &instance, stream);
        let answer = seen.answer(&path, number);
        while path.starts_with("/explain") && seen.holds.load(Ordering::SeqCst) && stays(stream, LOOK) {}
        let (wait, answer) = match answer {
            Some((wait, answer)) => (wait, Some(answer)),
            // It is never answered: whoever asked gives up or dies.
            None => (Duration::from_mins(1), None),
        };
        let stayed = stays(stream, wait);
        // Before the answer is out, which lets the next attempt begin.
        seen.end(attempt, stayed);
        // Nobody looks at it any more, so this stands until the next request.
        let _ = stream.set_read_timeout(None);
        if !stayed || answer.is_some_and(|answer| (&*stream).write_all(answer.as_bytes()).is_err()) {
            return;
        }
    }
}

impl Seen {
    /// Counts an attempt, and says what the level is.
    fn begin(&self, attempt: u64, path: &str, instance: &str, stream: &TcpStream) -> u64 {
        let mut asking = self.asking.lock().unwrap();
        let path = path.split('/').nth(1).unwrap_or_default().to_owned();
        *asking.by_path.entry(path).or_default() += 1;
        asking.under_way.insert(attempt, (instance.to_owned(), stream.try_clone().unwrap()));
        let now = u64::try_from(self.began.elapsed().as_millis() / LEVEL.as_millis()).unwrap();
        let number =
            if self.is_still.load(Ordering::SeqCst) { *asking.still_at.get_or_insert(now) } else { now };
        let of_it = asking.under_way.iter().filter(|(_, (whose, _))| whose == instance);
        let together: Vec<u64> = of_it.map(|(attempt, _)| *attempt).collect();
        drop(asking);
        self.count(together);
        number
    }

    /// Counts attempts of one process that are under way at once. Those whose connection is closed by now are over, whether
    /// or not their thread has noticed.
    fn count(&self, mut together: Vec<u64>) {
        let end = Instant::now() + CLOSED_MAX;
        loop {
            let mut asking = self.asking.lock().unwrap();
            together.retain(|attempt| asking.is_counted(*attempt));
            if together.len() <= CAP || Instant::now() > end {
                asking.most = asking.most.max(together.len());
                return;
            }
            drop(asking);
            thread::park_timeout(LOOK);
        }
    }

    /// An attempt is over.
    fn end(&self, attempt: u64, is_answered: bool) {
        let mut asking = self.asking.lock().unwrap();
        asking.under_way.remove(&attempt);
        if is_answered {
            asking.answered.insert(attempt);
        }
    }

    /// How long the answer takes, and the answer; `None` where there is none.
    fn answer(&self, path: &str, number: u64) -> Option<(Duration, String)> {
        let mut chance = self.chance.lock().unwrap();
        let wait = Duration::from_millis(chance.below(30));
        if !path.starts_with("/explain") {
            return Some((wait, answer("200 OK", &format!(r#"{{"number":{number}}}"#))));
        }
        // What explains is worse than what is polled; it is asked again.
        match chance.below(20) {
            0 if !self.is_still.load(Ordering::SeqCst) => None,
            1 => Some((wait, answer("503 Service Unavailable", "{}"))),
            _ => Some((wait, answer("200 OK", r#"{"text":"the moon"}"#))),
        }
    }
}

impl Asking {
    /// Whether an attempt was under way until it was answered, or still is.
    fn is_counted(&self, attempt: u64) -> bool {
        self.answered.contains(&attempt)
            || self.under_way.get(&attempt).is_some_and(|(_, stream)| is_open(stream))
    }
}

fn answer(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Path, and which process asks; `None` at the connection's end.
fn read(reader: &mut BufReader<TcpStream>) -> Option<(String, String)> {
    let mut line = String::new();
    if reader.read_line(&mut line).ok()? == 0 {
        return None;
    }
    let path = line.split(' ').nth(1)?.to_owned();
    let mut instance = String::new();
    loop {
        let mut header = String::new();
        reader.read_line(&mut header).ok()?;
        match header.trim_end().split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("x-instance") => {
                value.trim().clone_into(&mut instance);
            }
            Some(_) => {}
            None => return Some((path, instance)),
        }
    }
}

/// Waits as long as the other side keeps the connection; whether it did to the end.
fn stays(stream: &TcpStream, wait: Duration) -> bool {
    let end = Instant::now() + wait;
    loop {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        stream.set_read_timeout(Some(left)).unwrap();
        match stream.peek(&mut [0]) {
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            _ => return false,
        }
    }
}

/// Whether the other side has not closed it, asked without waiting.
fn is_open(stream: &TcpStream) -> bool {
    let _ = stream.set_read_timeout(Some(Duration::from_micros(50)));
    let peeked = stream.peek(&mut [0]);
    !matches!(peeked, Ok(0)) && !peeked.is_err_and(|error| error.kind() == ErrorKind::ConnectionReset)
}
