//! Virtual time and what waits for it.

use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The clock of a virtual world; clones share it.
#[derive(Clone, Debug)]
pub struct Timers {
    state: Arc<Mutex<State>>,
}

#[derive(Debug)]
struct State {
    start_ms: i64,
    /// Since the start.
    now_us: u64,
    next_number: u64,
    /// By due time, then in the order in which they were set, so that equal times end in one order.
    waiting: BTreeMap<(u64, u64), Waker>,
}

impl Timers {
    /// A clock that starts at `start_ms` since the epoch.
    pub(super) fn new(start_ms: i64) -> Self {
        let state = State { start_ms, now_us: 0, next_number: 0, waiting: BTreeMap::new() };
        Self { state: Arc::new(Mutex::new(state)) }
    }

    /// Microseconds since the start.
    pub fn now_us(&self) -> u64 {
        self.lock().now_us
    }

    /// Milliseconds since the epoch.
    pub fn wall_ms(&self) -> i64 {
        let state = self.lock();
        state.start_ms.saturating_add_unsigned(state.now_us / 1_000)
    }

    /// Ends `ms` virtual milliseconds from now.
    pub fn sleep(&self, ms: u64) -> Sleep {
        let mut state = self.lock();
        let due_us = state.now_us.saturating_add(ms.saturating_mul(1_000));
        let number = state.next_number;
        state.next_number += 1;
        Sleep { timers: self.clone(), key: (due_us, number) }
    }

    /// When the next of them is due, in microseconds since the start.
    pub(super) fn next_us(&self) -> Option<u64> {
        self.lock().waiting.first_key_value().map(|((due_us, _), _)| *due_us)
    }

    /// The moment, in microseconds since the start, that is `wall_ms`.
    pub(super) fn at_wall_ms(&self, wall_ms: i64) -> u64 {
        let since = wall_ms.saturating_sub(self.lock().start_ms);
        u64::try_from(since).unwrap_or(0).saturating_mul(1_000)
    }

    /// Moves the clock, never back, and wakes what is due.
    pub(super) fn move_to(&self, now_us: u64) {
        let mut state = self.lock();
        state.now_us = state.now_us.max(now_us);
        let first_later = (state.now_us.saturating_add(1), 0);
        let later = state.waiting.split_off(&first_later);
        let due = std::mem::replace(&mut state.waiting, later);
        drop(state);
        due.into_values().for_each(Waker::wake);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends when its time has come; dropping it forgets it.
#[derive(Debug)]
pub struct Sleep {
    timers: Timers,
    key: (u64, u64),
}

impl Future for Sleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let mut state = self.timers.lock();
        if state.now_us >= self.key.0 {
            return Poll::Ready(());
        }
        state.waiting.insert(self.key, context.waker().clone());
        Poll::Pending
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        self.timers.lock().waiting.remove(&self.key);
    }
}
