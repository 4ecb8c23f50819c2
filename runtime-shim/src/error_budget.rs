//! Store errors in a row: they set how long the runner sleeps, and when it counts as not ready.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::limits;
use crate::plan::Runner;

/// The errors in a row of one store; clones count together.
#[derive(Clone, Debug, Default)]
pub struct ErrorBudget {
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    in_a_row: u32,
    /// Until when the last counted error is slept over, by the monotonic clock.
    asleep_until_us: u64,
    /// What was told last.
    told: Option<String>,
}

/// What an error means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// How long to sleep before the next try, ms.
    pub sleep_ms: u64,
    /// Errors in a row, this one included.
    pub in_a_row: u32,
    /// Whether its text is another than the last one's.
    pub is_news: bool,
    /// Whether it is the one after which the program counts as not ready.
    pub ends_readiness: bool,
}

impl ErrorBudget {
    /// Counts an error and says how long to sleep after it: doubling from `backoff.initial` to `backoff.max`, the upper
    /// half of it left to chance so that instances do not come back together.
    ///
    /// Errors that come while an earlier one is still slept over are of the same trouble and count once: commits share
    /// transactions, and eight that fail with one of them say no more than one.
    pub fn failed(&self, runner: &Runner, text: &str, now_us: u64, random: u64) -> Trouble {
        let mut state = self.lock();
        let counts = now_us >= state.asleep_until_us || state.in_a_row == 0;
        state.in_a_row = state.in_a_row.saturating_add(u32::from(counts));
        let doubled = 1_u64.checked_shl(state.in_a_row - 1).unwrap_or(u64::MAX);
        let longest_ms = runner.backoff_initial_ms.saturating_mul(doubled).min(runner.backoff_max_ms);
        let sleep_ms = longest_ms - random % (longest_ms / 2 + 1);
        if counts {
            state.asleep_until_us = now_us.saturating_add(sleep_ms.saturating_mul(1_000));
        }
        let is_news = state.told.as_deref() != Some(text);
        if is_news {
            state.told = Some(text.to_owned());
        }
        let in_a_row = state.in_a_row;
        Trouble {
            sleep_ms,
            in_a_row,
            is_news,
            ends_readiness: counts && in_a_row == limits::STORE_ERRORS_READY_MAX,
        }
    }

    /// How much longer the last error is slept over, ms; `None` where none is.
    pub fn asleep_ms(&self, now_us: u64) -> Option<u64> {
        let state = self.lock();
        let left_us = state.asleep_until_us.saturating_sub(now_us);
        (state.in_a_row > 0 && left_us > 0).then(|| left_us.div_ceil(1_000))
    }

    /// A success: begins anew, and says how many errors it ended, if any.
    pub fn succeeded(&self) -> Option<u32> {
        let ended = std::mem::take(&mut *self.lock());
        Some(ended.in_a_row).filter(|errors| *errors > 0)
    }

    /// A sleep of the machine, which says nothing about the store: begins anew.
    pub fn reset(&self) {
        self.lock().in_a_row = 0;
    }

    /// Errors in a row.
    pub fn in_a_row(&self) -> u32 {
        self.lock().in_a_row
    }

    /// Whether so few that work goes on.
    pub fn is_ready(&self) -> bool {
        self.in_a_row() < limits::STORE_ERRORS_READY_MAX
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether the machine slept between asking for a sleep of `asked_ms` and waking, by the clock that counts while it does.
pub fn machine_slept(runner: &Runner, asked_ms: u64, passed_ms: u64) -> bool {
    passed_ms.saturating_sub(asked_ms) > runner.sleep_detection_ms
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUNNER: Runner = Runner {
        workers: 8,
        at_capacity_poll_interval_ms: 1_000,
        at_capacity_heartbeat_ms: 10_000,
        backoff_initial_ms: 1_000,
        backoff_max_ms: 60_000,
        sleep_detection_ms: 180_000,
    };

    /// Errors of one text, each after the last one's sleep.
    fn sleeps(errors: &ErrorBudget, count: usize, random: u64) -> Vec<u64> {
        let mut now_us = 0;
        let mut next = || {
            let trouble = errors.failed(&RUNNER, "locked", now_us, random);
            now_us += trouble.sleep_ms * 1_000;
            trouble.sleep_ms
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn errors_in_a_row_double_the_sleep_up_to_the_longest() {
        let errors = ErrorBudget::default();
        assert_eq!(sleeps(&errors, 8, 0), [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
        assert!(errors.is_ready());
        assert_eq!(errors.succeeded(), Some(8));
        assert_eq!(errors.succeeded(), None);
        assert_eq!(sleeps(&errors, 10, 500)[0], 500);
        assert!(!errors.is_ready(), "ten in a row");
        errors.reset();
        assert!(errors.is_ready());
    }

    #[test]
    fn errors_of_one_trouble_count_once() {
        let errors = ErrorBudget::default();
        for at_us in [0, 0, 10, 999_999] {
            assert_eq!(errors.failed(&RUNNER, "locked", at_us, 0).in_a_row, 1);
        }
        let later = errors.failed(&RUNNER, "locked", 1_000_000, 0);
        assert_eq!((later.in_a_row, later.sleep_ms), (2, 2_000));
    }

    #[test]
    fn a_text_is_news_once() {
        let errors = ErrorBudget::default();
        let mut news = |text: &str| errors.failed(&RUNNER, text, 0, 0).is_news;
        assert_eq!(["locked", "locked", "full", "locked"].map(&mut news), [true, false, true, true]);
        errors.succeeded();
        assert!(errors.failed(&RUNNER, "locked", 0, 0).is_news, "trouble after a success is new");
    }

    #[test]
    fn chance_takes_at_most_half() {
        for random in [0, 1, 499, 500, 501, u64::MAX] {
            let sleep = sleeps(&ErrorBudget::default(), 1, random)[0];
            assert!((500..=1_000).contains(&sleep), "{sleep}");
        }
    }

    #[test]
    fn a_full_backoff_is_no_sleep_of_the_machine() {
        assert!(!machine_slept(&RUNNER, 60_000, 60_000));
        assert!(!machine_slept(&RUNNER, 60_000, 240_000));
        assert!(machine_slept(&RUNNER, 60_000, 240_001));
        assert!(!machine_slept(&RUNNER, 60_000, 5));
    }
}
