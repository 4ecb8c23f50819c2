//! What waiting comes to at worst: the sums behind the warnings about intervals, caps and deadlines.
//!
//! The runtime waits by the same sums (`runtime-shim/src/call/retry.rs`), which this crate may not import; a test that
//! sees both compares them.

use crate::model::Retry;

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

#[cfg(test)]
mod tests {
    use super::{Retry, longest_wait_ms, worst_call_ms};

    const RETRY: Retry = Retry { attempts: 5, initial_ms: 200, max_ms: 1_000 };

    #[test]
    fn waits_double_up_to_the_longest() {
        let waits: Vec<u64> = (1..=5).map(|failed| longest_wait_ms(&RETRY, failed)).collect();
        assert_eq!(waits, [200, 400, 800, 1_000, 1_000]);
    }

    #[test]
    fn the_worst_case_sums_attempts_and_the_waits_between() {
        assert_eq!(worst_call_ms(&RETRY, 10_000), 50_000 + 200 + 400 + 800 + 1_000);
        assert_eq!(worst_call_ms(&Retry { attempts: 1, ..RETRY }, 10_000), 10_000);
    }
}
