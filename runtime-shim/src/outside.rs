//! Counts real work that virtual time waits for, such as requests on a real network: the clock moves only while nothing
//! is pending here.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// The counter, shared by whatever does real work and by the executor that waits for it.
#[derive(Clone, Debug, Default)]
pub struct Outside {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    pending: usize,
    /// Moves with every change, so that none is missed between a look and a wait.
    version: u64,
}

impl Outside {
    /// Tells that a piece of real work has begun. Its result must be handed over, and whoever waits for it woken, before
    /// the guard is dropped: in between the executor could see neither and move its clock.
    #[must_use = "the work ends when the guard is dropped"]
    pub fn begin(&self) -> Guard {
        self.change(|state| state.pending += 1);
        Guard { outside: self.clone() }
    }

    /// How many pieces of real work are pending.
    pub fn pending(&self) -> usize {
        self.shared.lock().pending
    }

    /// Wakes whoever is in [`Outside::wait`].
    pub fn notify(&self) {
        self.change(|_| {});
    }

    /// What [`Outside::wait`] compares with.
    pub fn version(&self) -> u64 {
        self.shared.lock().version
    }

    /// Blocks the thread until something has changed since `version`, or `longest` has passed.
    pub fn wait(&self, version: u64, longest: Duration) {
        let unchanged = |state: &mut State| state.version == version;
        drop(self.shared.changed.wait_timeout_while(self.shared.lock(), longest, unchanged));
    }

    fn change(&self, how: impl FnOnce(&mut State)) {
        let mut state = self.shared.lock();
        how(&mut state);
        state.version += 1;
        drop(state);
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A piece of real work; dropping it says that the work has ended.
#[derive(Debug)]
pub struct Guard {
    outside: Outside,
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.outside.change(|state| state.pending -= 1);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that unwraps fails where it stands")]

    use super::*;

    #[test]
    fn a_guard_counts_until_it_is_dropped() {
        let outside = Outside::default();
        let (one, two) = (outside.begin(), outside.clone().begin());
        assert_eq!(outside.pending(), 2);
        drop(one);
        assert_eq!(outside.pending(), 1);
        drop(two);
        assert_eq!(outside.pending(), 0);
    }

    #[test]
    fn a_change_between_look_and_wait_is_not_missed() {
        let outside = Outside::default();
        let seen = outside.version();
        let other = outside.clone();
        std::thread::spawn(move || drop(other.begin())).join().unwrap();
        outside.wait(seen, Duration::from_hours(1));
        assert_eq!(outside.version(), seen + 2);
    }
}
