//! The time of a store that instances share: read at each tick, and from there on counted by the monotonic clock, so that
//! instances whose own clocks differ agree.

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::host::Host;

/// What was last read of such a store's time, if there is one.
#[derive(Debug, Default)]
pub struct SharedClock {
    reading: Mutex<Option<Reading>>,
}

/// A time of the store and when it was read.
#[derive(Clone, Copy, Debug)]
struct Reading {
    /// Milliseconds since the epoch.
    ms: i64,
    /// By the monotonic clock.
    at_us: u64,
    /// By the clock that counts while the machine sleeps.
    at_boot_ms: u64,
}

impl SharedClock {
    /// The store's time now, in milliseconds since the epoch; `None` before it was ever read.
    pub fn now_ms(&self, host: &dyn Host) -> Option<i64> {
        let reading = (*self.lock())?;
        let passed_ms = host.monotonic_us().saturating_sub(reading.at_us) / 1_000;
        Some(reading.ms.saturating_add_unsigned(passed_ms))
    }

    /// It was `ms` at some moment since `asked_us` of the monotonic clock, most likely in the middle.
    pub fn read(&self, host: &dyn Host, asked_us: u64, ms: i64) {
        let now_us = host.monotonic_us();
        let at_us = now_us - now_us.saturating_sub(asked_us) / 2;
        *self.lock() = Some(Reading { ms, at_us, at_boot_ms: host.boot_ms() });
    }

    /// The machine slept, which the monotonic clock did not count. Until the store is read again, the other clock is
    /// believed for the time that has passed.
    pub fn machine_slept(&self, host: &dyn Host) {
        let mut reading = self.lock();
        if let Some(reading) = &mut *reading {
            let (at_us, at_boot_ms) = (host.monotonic_us(), host.boot_ms());
            let passed_ms = at_boot_ms.saturating_sub(reading.at_boot_ms);
            *reading = Reading { ms: reading.ms.saturating_add_unsigned(passed_ms), at_us, at_boot_ms };
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Reading>> {
        // Nothing panics while it is held, so a poisoned lock still holds a whole reading.
        self.reading.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
