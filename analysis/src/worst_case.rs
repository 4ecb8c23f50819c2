//! What waiting comes to at worst: the sums behind the warnings about intervals, caps and deadlines.
//!
//! The runtime waits by the same sums (`runtime-shim/src/call/retry.rs`), which this crate may not import; a test that
//! sees both compares them.

use crate::model::Retry;
use crate::prose::exact_time_text;

/// The time that one invocation of a Worker has after a response, or for work that is handed on.
pub const WORKERS_BUDGET_MS: u64 = 30_000;

/// How much of an invocation's time can be used: a tenth, at most five seconds, is kept back for giving claims back.
pub const fn usable_ms(budget_ms: u64) -> u64 {
    let tenth_ms = budget_ms / 10;
    budget_ms - if tenth_ms < 5_000 { tenth_ms } else { 5_000 }
}

/// The longest wait after this many failed attempts, at least one: doubled each time, up to `max`.
pub fn longest_wait_ms(retry: &Retry, failed: u32) -> u64 {
    let doubled = 1_u64.checked_shl(failed.saturating_sub(1)).unwrap_or(u64::MAX);
    retry.initial_ms.saturating_mul(doubled).min(retry.max_ms)
}

/// The longest waits between all attempts, together.
pub fn longest_waits_ms(retry: &Retry) -> u64 {
    (1..retry.attempts).fold(0, |sum, failed| longest_wait_ms(retry, failed).saturating_add(sum))
}

/// All attempts at their timeout and the longest waits between them: what a call takes at worst.
pub fn worst_call_ms(retry: &Retry, timeout_ms: u64) -> u64 {
    longest_waits_ms(retry).saturating_add(timeout_ms.saturating_mul(u64::from(retry.attempts)))
}

/// A call at its worst: all attempts at their timeout and the longest waits between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorstCall {
    /// How it is retried.
    pub retry: Retry,
    /// Of each attempt.
    pub timeout_ms: u64,
}

impl WorstCall {
    /// How long it takes.
    pub fn ms(self) -> u64 {
        worst_call_ms(&self.retry, self.timeout_ms)
    }

    /// The sum in words: "3 attempts of 1m and waits of 0.2s + 0.4s make 3m 0.6s".
    pub fn sum_text(self) -> String {
        let Self { retry, timeout_ms } = self;
        let timeout = exact_time_text(timeout_ms);
        if retry.attempts == 1 {
            return format!("its one attempt may take {timeout}");
        }
        let waits: Vec<_> =
            (1..retry.attempts).map(|failed| exact_time_text(longest_wait_ms(&retry, failed))).collect();
        let waits = match &waits[..] {
            [wait] => format!("a wait of {wait}"),
            waits => format!("waits of {}", waits.join(" + ")),
        };
        format!("{} attempts of {timeout} and {waits} make {}", retry.attempts, exact_time_text(self.ms()))
    }
}

#[cfg(test)]
mod tests {
    use super::{Retry, WorstCall, longest_wait_ms};

    const RETRY: Retry = Retry { attempts: 5, initial_ms: 200, max_ms: 1_000 };

    #[test]
    fn waits_double_up_to_the_longest() {
        let waits: Vec<u64> = (1..=5).map(|failed| longest_wait_ms(&RETRY, failed)).collect();
        assert_eq!(waits, [200, 400, 800, 1_000, 1_000]);
    }

    #[test]
    fn the_worst_case_sums_attempts_and_the_waits_between() {
        let call = WorstCall { retry: RETRY, timeout_ms: 10_000 };
        assert_eq!(call.ms(), 50_000 + 200 + 400 + 800 + 1_000);
        let once = WorstCall { retry: Retry { attempts: 1, ..RETRY }, ..call };
        assert_eq!(once.ms(), 10_000);
    }
}
