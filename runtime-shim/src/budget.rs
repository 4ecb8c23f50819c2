//! The time that one invocation has, and what of it is kept back for giving claims back.

use crate::clock;
use crate::host::Host;
use crate::limits;

/// The time of one invocation, counted by the monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    ends_us: u64,
    kept_back_ms: u64,
}

impl Budget {
    /// A budget that begins now: what the host gives, at most the limit of a run.
    pub fn begin(host: &dyn Host, given_ms: u64) -> Budget {
        Budget::new(host.monotonic_us(), given_ms)
    }

    fn new(now_us: u64, given_ms: u64) -> Budget {
        let length_ms = given_ms.min(limits::RUN_MS_MAX);
        Budget {
            ends_us: now_us.saturating_add(length_ms.saturating_mul(1_000)),
            kept_back_ms: (length_ms / 10).min(limits::KEPT_BACK_MS_MAX),
        }
    }

    /// What is left, ms.
    pub fn left_ms(&self, now_us: u64) -> u64 {
        self.ends_us.saturating_sub(now_us) / 1_000
    }

    /// How long a body may run that starts now, ms; none when no more work is taken.
    pub fn run_limit_ms(&self, now_us: u64) -> Option<u64> {
        let left_ms = self.left_ms(now_us);
        let limit_ms = left_ms.saturating_sub(self.kept_back_ms).min(limits::RUN_MS_MAX);
        (limit_ms > 0).then_some(limit_ms)
    }

    /// How long a lease taken now lasts, ms.
    pub fn lease_ms(&self, now_us: u64) -> i64 {
        clock::signed(self.left_ms(now_us).saturating_add(limits::LEASE_BEYOND_BUDGET_MS))
    }
}

/// How long a claim lasts that is taken while a route waits for what its action set off, ms.
pub fn route_lease_ms() -> i64 {
    clock::signed(limits::ROUTE_MS_MAX.saturating_add(limits::LEASE_BEYOND_BUDGET_MS))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE_MS: u64 = 60_000;

    #[test]
    fn a_native_budget_keeps_five_seconds_back() {
        let budget = Budget::new(0, limits::RUN_MS_MAX);
        assert_eq!(budget.run_limit_ms(0), Some(15 * MINUTE_MS - 5_000));
        assert_eq!(budget.lease_ms(0), 16 * 60_000);
    }

    #[test]
    fn a_short_budget_keeps_a_tenth_back() {
        let budget = Budget::new(0, 30_000);
        assert_eq!(budget.run_limit_ms(0), Some(27_000));
        assert_eq!(budget.run_limit_ms(26_999_000), Some(1));
        assert_eq!(budget.run_limit_ms(27_000_000), None);
        assert_eq!(budget.lease_ms(20_000_000), 70_000);
    }

    #[test]
    fn a_route_s_claims_last_two_minutes() {
        assert_eq!(route_lease_ms(), 2 * 60_000);
    }

    #[test]
    fn no_budget_is_longer_than_a_run() {
        assert_eq!(Budget::new(0, u64::MAX).left_ms(0), 15 * MINUTE_MS);
    }
}
