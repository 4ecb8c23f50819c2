//! Store errors in a row: they set how long the runner sleeps, and when it counts as not ready.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::limits;
use crate::plan::Runner;

/// The errors in a row of one store; clones count together.
#[derive(Clone, Debug, Default)]
pub struct ErrorBudget {
    in_a_row: Arc<AtomicU32>,
}

impl ErrorBudget {
    /// Counts an error and says how long to sleep after it, ms: doubling from `backoff.initial` to `backoff.max`, the upper
    /// half of it left to chance so that instances do not come back together.
    pub fn failed(&self, runner: &Runner, random: u64) -> u64 {
        let errors = self.in_a_row.fetch_add(1, Ordering::SeqCst);
        let doubled = runner.backoff_initial_ms.saturating_mul(1_u64.checked_shl(errors).unwrap_or(u64::MAX));
        let longest_ms = doubled.min(runner.backoff_max_ms);
        longest_ms - random % (longest_ms / 2 + 1)
    }

    /// A success, or a sleep of the machine, which says nothing about the store: begins anew.
    pub fn reset(&self) {
        self.in_a_row.store(0, Ordering::SeqCst);
    }

    /// Errors in a row.
    pub fn in_a_row(&self) -> u32 {
        self.in_a_row.load(Ordering::SeqCst)
    }

    /// Whether so few that work goes on.
    pub fn is_ready(&self) -> bool {
        self.in_a_row() < limits::STORE_ERRORS_READY_MAX
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

    #[test]
    fn errors_in_a_row_double_the_sleep_up_to_the_longest() {
        let errors = ErrorBudget::default();
        let sleeps: Vec<u64> = (0..8).map(|_| errors.failed(&RUNNER, 0)).collect();
        assert_eq!(sleeps, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);
        assert!(errors.is_ready());
        errors.failed(&RUNNER, 0);
        errors.failed(&RUNNER, 0);
        assert!(!errors.is_ready(), "ten in a row");
        errors.reset();
        assert_eq!(errors.failed(&RUNNER, 500), 500);
        assert!(errors.is_ready());
    }

    #[test]
    fn chance_takes_at_most_half() {
        for random in [0, 1, 499, 500, 501, u64::MAX] {
            let sleep = ErrorBudget::default().failed(&RUNNER, random);
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
