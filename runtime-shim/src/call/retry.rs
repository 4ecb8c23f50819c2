//! When a failed attempt is made again, and how long to wait before it.
//!
//! **Which failures.** Only of an operation that may be sent again ([`Operation::retriable`](crate::plan::Operation)):
//! - no answer: the transport broke, or the attempt's time was up;
//! - status 408, 425, 429, and 5xx but for 501 and 505, which say that the request itself will never be understood.
//!
//! Never: any other status, a redirect that was refused, an answer that is too long, is no JSON or does not fit its type.
//! The same request would get the same again.
//!
//! **How long.** Full jitter: anything from nothing to [`longest_wait_ms`], which doubles from `initial` to `max`. Where the
//! answer asked for a wait, that wait and a little more ([`spread_ms`]), so that what waited for one provider does not come
//! back in one instant.

use crate::plan::Retry;

/// The longest that calls of a connection fail because its provider asked to be left alone, in milliseconds.
pub const ASKED_WAIT_MS_MAX: u64 = 3_600_000;

/// The most that is added to a wait that was asked for, in milliseconds.
const SPREAD_MS_MAX: u64 = 60_000;

/// Whether an answer of this status may be another when asked again.
pub fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 425 | 429) || ((500..600).contains(&status) && status != 501 && status != 505)
}

/// The longest ordinary wait after this many failed attempts, at least one.
pub fn longest_wait_ms(retry: &Retry, failed: u32) -> u64 {
    let doubled = 1_u64.checked_shl(failed.saturating_sub(1)).unwrap_or(u64::MAX);
    retry.initial_ms.saturating_mul(doubled).min(retry.max_ms)
}

/// All attempts at their timeout and the longest ordinary waits between them: what a call takes at worst, slots and waits
/// that the provider asks for apart.
pub fn worst_case_ms(retry: &Retry, timeout_ms: u64) -> u64 {
    let waits = longest_waits_ms(retry);
    waits.saturating_add(timeout_ms.saturating_mul(u64::from(retry.attempts)))
}

/// The longest ordinary waits between all attempts, together.
pub fn longest_waits_ms(retry: &Retry) -> u64 {
    (1..retry.attempts).fold(0, |sum, failed| longest_wait_ms(retry, failed).saturating_add(sum))
}

/// The ordinary wait after this many failed attempts.
pub fn backoff_ms(retry: &Retry, failed: u32, random: u64) -> u64 {
    up_to(longest_wait_ms(retry, failed), random)
}

/// What is added to a wait that was asked for.
pub fn spread_ms(asked_ms: u64, retry: &Retry, random: u64) -> u64 {
    up_to((asked_ms / 4).max(retry.initial_ms).min(SPREAD_MS_MAX), random)
}

/// An even choice from 0 to `most`, both included.
fn up_to(most: u64, random: u64) -> u64 {
    // The high half of the product is even enough for waits and takes no division.
    let scaled = (u128::from(random) * (u128::from(most) + 1)) >> 64;
    u64::try_from(scaled).expect("the high half of a product of 64 bits fits")
}

#[cfg(test)]
mod tests {
    use super::*;

    const RETRY: Retry = Retry { attempts: 5, initial_ms: 200, max_ms: 1_000 };

    #[test]
    fn waits_double_up_to_the_longest() {
        let waits: Vec<u64> = (1..=5).map(|failed| longest_wait_ms(&RETRY, failed)).collect();
        assert_eq!(waits, [200, 400, 800, 1_000, 1_000]);
        assert_eq!(longest_wait_ms(&Retry { max_ms: u64::MAX, ..RETRY }, u32::MAX), u64::MAX);
    }

    #[test]
    fn the_worst_case_sums_attempts_and_the_waits_between() {
        assert_eq!(worst_case_ms(&RETRY, 10_000), 50_000 + 200 + 400 + 800 + 1_000);
        assert_eq!(worst_case_ms(&Retry { attempts: 1, ..RETRY }, 10_000), 10_000);
    }

    #[test]
    fn jitter_is_full_and_never_more() {
        assert_eq!(backoff_ms(&RETRY, 2, 0), 0);
        assert_eq!(backoff_ms(&RETRY, 2, u64::MAX / 2), 200);
        assert_eq!(backoff_ms(&RETRY, 2, u64::MAX), 400);
        assert_eq!(
            backoff_ms(&Retry { initial_ms: u64::MAX, max_ms: u64::MAX, ..RETRY }, 1, u64::MAX),
            u64::MAX
        );
    }

    #[test]
    fn an_asked_wait_spreads_by_a_quarter_within_a_minute() {
        assert_eq!(spread_ms(0, &RETRY, u64::MAX), 200);
        assert_eq!(spread_ms(120_000, &RETRY, u64::MAX), 30_000);
        assert_eq!(spread_ms(3_000_000, &RETRY, u64::MAX), 60_000);
        assert_eq!(spread_ms(120_000, &RETRY, 0), 0);
    }

    #[test]
    fn statuses_that_pass() {
        let passing: Vec<u16> = (100..600).filter(|status| is_passing(*status)).collect();
        assert_eq!(passing.len(), 3 + 98);
        assert!([408, 425, 429, 500, 502, 503, 504, 520].iter().all(|status| passing.contains(status)));
        assert!([200, 304, 400, 401, 404, 409, 501, 505].iter().all(|status| !passing.contains(status)));
    }
}
