//! The exchange's time: the machine's, or a virtual one that its caller moves.

use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

/// The time that prices and slow answers follow.
pub struct Clock {
    virtual_time: bool,
    state: Mutex<Held>,
}

/// The virtual moment, and the answers that wait for a later one.
#[derive(Default)]
struct Held {
    now_ms: i64,
    waiting: Vec<Waiting>,
}

/// An answer that waits.
struct Waiting {
    /// The number of its request, where the caller gave one.
    request: u64,
    due_ms: i64,
    wake: oneshot::Sender<()>,
}

/// The moment that the virtual clock moves to.
#[derive(Clone, Copy, Deserialize)]
pub struct Now {
    now_ms: i64,
}

/// The requests that are held until a later moment.
#[derive(Serialize)]
pub struct State {
    held: Vec<HeldRequest>,
}

/// A request by its number, and when it is answered.
#[derive(Serialize)]
struct HeldRequest {
    request: u64,
    due_ms: i64,
}

impl Clock {
    /// A clock at the machine's time, or one that stands until it is moved.
    pub fn new(virtual_time: bool) -> Self {
        Self { virtual_time, state: Mutex::default() }
    }

    /// The whole minutes since the epoch.
    pub fn minute(&self) -> i64 {
        self.now_ms().div_euclid(60_000)
    }

    /// Ends `ms` milliseconds from now, for the request of this number.
    pub async fn wait(&self, request: u64, ms: u64) {
        if !self.virtual_time {
            return tokio::time::sleep(Duration::from_millis(ms)).await;
        }
        let (wake, woken) = oneshot::channel();
        {
            let mut held = self.held();
            let due_ms = held.now_ms.saturating_add_unsigned(ms);
            held.waiting.push(Waiting { request, due_ms, wake });
        }
        let _ = woken.await;
    }

    /// Moves the virtual clock and lets go of what is due.
    pub fn advance(&self, now: Now) -> State {
        let mut held = self.held();
        held.now_ms = held.now_ms.max(now.now_ms);
        let moment = held.now_ms;
        let (due, later) = std::mem::take(&mut held.waiting)
            .into_iter()
            // A caller that has given up no longer holds anything.
            .filter(|waiting| !waiting.wake.is_closed())
            .partition(|waiting| waiting.due_ms <= moment);
        held.waiting = later;
        for waiting in due {
            let _ = waiting.wake.send(());
        }
        let requests = held.waiting.iter();
        let requests = requests.map(|held| HeldRequest { request: held.request, due_ms: held.due_ms });
        State { held: requests.collect() }
    }

    fn now_ms(&self) -> i64 {
        if self.virtual_time {
            return self.held().now_ms;
        }
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    }

    fn held(&self) -> std::sync::MutexGuard<'_, Held> {
        self.state.lock().expect("no holder of the clock panics")
    }
}
