//! How long the loop sleeps: never less than the least distance of two looks, unless it is woken.

use super::Runner;
use super::lane::slots_of;
use crate::limits;
use crate::plan;

/// Keeps two looks apart that nothing woke.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pace {
    last_us: Option<u64>,
}

impl Pace {
    /// A look begins. One that nothing woke comes late enough after the last.
    pub fn look(&mut self, now_us: u64, woken: bool) {
        // A timer may round a millisecond down.
        let least_us = (limits::LOOKS_APART_MS_MIN - 1) * 1_000;
        debug_assert!(
            woken || self.last_us.is_none_or(|last_us| now_us.saturating_sub(last_us) >= least_us),
            "two looks with no wake between are {} ms apart",
            limits::LOOKS_APART_MS_MIN
        );
        self.last_us = Some(now_us);
    }

    /// A pause that is long enough for the next look.
    pub fn at_least(&self, pause_ms: u64, now_us: u64) -> u64 {
        let since_ms = self.last_us.map_or(u64::MAX, |last_us| now_us.saturating_sub(last_us) / 1_000);
        pause_ms.max(limits::LOOKS_APART_MS_MIN.saturating_sub(since_ms))
    }

    /// How long to sleep after a look, unless something wakes the loop: until what comes next, and no longer than a loop
    /// sleeps that has this many workers free.
    pub fn pause_ms(&self, runner: &plan::Runner, free: u32, next_ms: Option<u64>, now_us: u64) -> u64 {
        let idle_ms = if free == 0 { at_capacity_ms(runner) } else { limits::LOOP_PAUSE_MS_MAX };
        self.at_least(next_ms.unwrap_or(u64::MAX).min(idle_ms), now_us)
    }
}

/// How long the loop sleeps when no worker is free: the shorter of the two sleeps that are on. Starting refuses a plan that
/// turned both off.
pub fn at_capacity_ms(runner: &plan::Runner) -> u64 {
    let sleeps = [runner.at_capacity_poll_interval_ms, runner.at_capacity_heartbeat_ms];
    sleeps.into_iter().filter(|sleep_ms| *sleep_ms > 0).min().unwrap_or(limits::LOOP_PAUSE_MS_MAX)
}

impl Runner {
    /// How long to sleep now, unless something wakes the loop.
    pub(super) fn pause_ms(&self) -> u64 {
        let (now_ms, now_us) = (self.engine.now_ms(), self.engine.host.monotonic_us());
        let (free, slots) = (self.posts.free(&self.engine), slots_of(&self.engine));
        let next = self.posts.here().filter_map(|lane| lane.next_in_ms(now_ms, now_us, free, &slots));
        let next = next.chain(self.posts.allowed_for_ms(&self.engine)).min();
        self.pace.pause_ms(&self.engine.deployable.runner, free, next, now_us)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runner(poll_interval_ms: u64, heartbeat_ms: u64) -> plan::Runner {
        plan::Runner {
            workers: 1,
            at_capacity_poll_interval_ms: poll_interval_ms,
            at_capacity_heartbeat_ms: heartbeat_ms,
            backoff_initial_ms: 1_000,
            backoff_max_ms: 60_000,
            sleep_detection_ms: 180_000,
        }
    }

    #[test]
    fn the_shorter_sleep_that_is_on() {
        assert_eq!(at_capacity_ms(&runner(1_000, 10_000)), 1_000);
        assert_eq!(at_capacity_ms(&runner(0, 10_000)), 10_000);
        assert_eq!(at_capacity_ms(&runner(60_000, 0)), 60_000);
        assert_eq!(at_capacity_ms(&runner(0, 0)), limits::LOOP_PAUSE_MS_MAX);
    }

    #[test]
    fn two_looks_that_nothing_woke_are_apart() {
        let mut pace = Pace::default();
        assert_eq!(pace.at_least(0, 0), 0);
        pace.look(0, true);
        assert_eq!(pace.at_least(0, 0), 100);
        assert_eq!(pace.at_least(0, 60_000), 40);
        assert_eq!(pace.at_least(70, 60_000), 70);
        pace.look(100_000, false);
    }

    #[test]
    #[should_panic(expected = "two looks with no wake between")]
    fn a_spinning_loop_is_noticed() {
        let mut pace = Pace::default();
        pace.look(0, true);
        pace.look(50_000, false);
    }
}
