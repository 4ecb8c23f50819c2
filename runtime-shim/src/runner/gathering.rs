//! When the loop looks after deliveries ended: at once when half of those that ran have, else a little later, so that many
//! are written with the next claim in one transaction.

use crate::limits;

/// What ended since the last look.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gathering {
    /// Deliveries that ran after the last look.
    ran: u32,
    /// How many of them ended.
    ended: u32,
    /// Whether there is something else to look for, which must not wait.
    other: bool,
    /// When the first of them was seen, by the monotonic clock.
    since_us: Option<u64>,
}

impl Gathering {
    /// A look has left so many running.
    pub fn begin(&mut self, running: u32) {
        *self = Gathering { ran: running, ..Gathering::default() };
    }

    /// A note came; whether it only says that a delivery ended, and whether it may wait for others of that kind.
    pub fn hear(&mut self, ended: bool, may_wait: bool) {
        self.ended += u32::from(ended);
        self.other |= !may_wait;
    }

    /// For how many more to wait, and how long at most, ms; `None` when it is time to look.
    pub fn waits(&mut self, now_us: u64) -> Option<(usize, u64)> {
        let enough = self.ran.div_ceil(2);
        if self.other || self.ended == 0 || self.ended >= enough {
            return None;
        }
        let since_us = *self.since_us.get_or_insert(now_us);
        let left_ms = limits::GATHER_MS_MAX.checked_sub(now_us.saturating_sub(since_us) / 1_000)?;
        let more = usize::try_from(enough - self.ended).unwrap_or(usize::MAX);
        (left_ms > 0).then_some((more, left_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(running: u32, ended: u32) -> Gathering {
        let mut gathering = Gathering::default();
        gathering.begin(running);
        (0..ended).for_each(|_| gathering.hear(true, true));
        gathering
    }

    #[test]
    fn one_of_few_waits_for_nobody() {
        assert_eq!(after(1, 1).waits(0), None);
        assert_eq!(after(2, 1).waits(0), None);
        assert_eq!(after(8, 0).waits(0), None);
    }

    #[test]
    fn one_of_many_waits_for_half_of_them_and_not_for_long() {
        let mut gathering = after(8, 1);
        assert_eq!(gathering.waits(1_000), Some((3, 5)));
        assert_eq!(gathering.waits(3_000), Some((3, 3)));
        assert_eq!(gathering.waits(6_000), None);
        assert_eq!(after(8, 4).waits(0), None);
    }

    #[test]
    fn anything_else_waits_for_nothing() {
        let mut gathering = after(8, 1);
        gathering.hear(false, true);
        assert_eq!(gathering.waits(0), Some((3, 5)), "what is written as done may wait with them");
        gathering.hear(false, false);
        assert_eq!(gathering.waits(0), None);
    }
}
