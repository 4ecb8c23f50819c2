//! This process among others: an id that no other start has, and when it must be heard from.

use crate::host::Host;
use crate::limits;

/// An id unique to each process start, also of the same program on the same machine.
pub fn new_id(host: &dyn Host) -> i64 {
    positive(host.random())
}

/// A claim's token, which no other claim has.
pub fn new_token(host: &dyn Host) -> i64 {
    positive(host.random())
}

/// When a process that holds claims was last heard from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heartbeat {
    last_us: Option<u64>,
}

impl Heartbeat {
    /// How long until it is due, ms.
    pub fn due_in_ms(&self, now_us: u64) -> u64 {
        let Some(last_us) = self.last_us else { return 0 };
        limits::HEARD_EVERY_MS.saturating_sub(now_us.saturating_sub(last_us) / 1_000)
    }

    /// Whether it is due.
    pub fn is_due(&self, now_us: u64) -> bool {
        self.due_in_ms(now_us) == 0
    }

    /// Written down now.
    pub fn heard(&mut self, now_us: u64) {
        self.last_us = Some(now_us);
    }
}

/// Whole numbers of SQL are signed; a positive one reads better.
fn positive(random: u64) -> i64 {
    i64::try_from(random >> 1).expect("63 bits fit")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_heard_from_at_once_and_then_every_ten_seconds() {
        let mut heartbeat = Heartbeat::default();
        assert!(heartbeat.is_due(5));
        heartbeat.heard(5);
        assert_eq!(heartbeat.due_in_ms(1_000_005), 9_000);
        assert!(heartbeat.is_due(10_000_005));
    }

    #[test]
    fn ids_are_positive() {
        assert_eq!(positive(u64::MAX), i64::MAX);
        assert_eq!(positive(3), 1);
    }
}
