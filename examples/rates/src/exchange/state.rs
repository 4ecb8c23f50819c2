//! What the exchange counts and how it was told to behave.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Deserialize;
use serde_json::{Value, json};

use super::clock::Clock;

/// The state behind the routes.
pub struct Exchange {
    /// The exchange's time, which prices and slow answers follow.
    pub clock: Clock,
    mode: Mutex<Mode>,
    calls: AtomicU64,
    at_once: AtomicU64,
    at_once_max: AtomicU64,
}

/// How calls are answered, until told otherwise.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(tag = "mode", rename_all = "snake_case")]
pub enum Mode {
    /// With prices.
    Ok,
    /// With prices, after this many milliseconds.
    Slow {
        /// How long.
        ms: u64,
    },
    /// With 500.
    Fail,
    /// With 429 and `Retry-After`.
    Busy {
        /// How long the caller should wait.
        seconds: u64,
    },
    /// With 200 and a page for people.
    Html,
}

impl Exchange {
    /// An exchange that answers at once.
    pub fn new(virtual_time: bool) -> Self {
        Self {
            clock: Clock::new(virtual_time),
            mode: Mutex::new(Mode::Ok),
            calls: AtomicU64::new(0),
            at_once: AtomicU64::new(0),
            at_once_max: AtomicU64::new(0),
        }
    }

    /// Counts a call as under way until the guard is dropped.
    pub fn count_call(&self) -> AtOnce<'_> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        let now = self.at_once.fetch_add(1, Ordering::SeqCst) + 1;
        self.at_once_max.fetch_max(now, Ordering::SeqCst);
        AtOnce(self)
    }

    /// How calls are answered now.
    pub fn mode(&self) -> Mode {
        *self.mode.lock().expect("no holder of the mode panics")
    }

    /// Answers calls so from now on.
    pub fn set_mode(&self, mode: Mode) {
        *self.mode.lock().expect("no holder of the mode panics") = mode;
    }

    /// The counters.
    pub fn stats(&self) -> Value {
        json!({
            "calls": self.calls.load(Ordering::SeqCst),
            "at_once": self.at_once.load(Ordering::SeqCst),
            "at_once_max": self.at_once_max.load(Ordering::SeqCst),
        })
    }
}

/// A call under way.
pub struct AtOnce<'a>(&'a Exchange);

impl Drop for AtOnce<'_> {
    fn drop(&mut self) {
        self.0.at_once.fetch_sub(1, Ordering::SeqCst);
    }
}
