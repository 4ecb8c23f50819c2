//! `Retry-After`: the wait that an answer asks for, and what a connection keeps of it.

use std::sync::{Mutex, PoisonError};

use jiff::fmt::strtime;
use jiff::tz::Offset;

use crate::host::{Host, HttpResponse};
use crate::plan::Retry;

use super::retry::{ASKED_WAIT_MS_MAX, spread_ms};

/// The three forms that a date of HTTP may have; the first is the one that is written today.
const DATE_FORMS: [&str; 3] =
    ["%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y"];

/// The wait that an answer asks for, in milliseconds; `None` where it asks for none, for one that is past, or for one that
/// can't be read. Said more than once, the longest counts.
pub fn asked_wait_ms(answer: &HttpResponse, wall_ms: i64) -> Option<u64> {
    let said = answer.headers.iter().filter(|(name, _)| name == "retry-after");
    said.filter_map(|(_, value)| wait_ms(value.trim(), wall_ms)).max().filter(|wait| *wait > 0)
}

fn wait_ms(value: &str, wall_ms: i64) -> Option<u64> {
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        // More digits than fit is still a long wait.
        return Some(value.parse().unwrap_or(u64::MAX).saturating_mul(1_000));
    }
    DATE_FORMS.iter().find_map(|form| {
        let moment = strtime::parse(form, value).ok()?.to_datetime().ok()?;
        let moment = Offset::UTC.to_timestamp(moment).ok()?;
        u64::try_from(moment.as_millisecond().saturating_sub(wall_ms)).ok()
    })
}

/// Until when a connection's provider asked to be left alone.
#[derive(Debug, Default)]
pub struct Asked {
    until: Mutex<Option<Until>>,
}

/// The end of a wait that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Until {
    /// On the monotonic clock, which waits use.
    monotonic_us: u64,
    /// On the wall clock as it was when the wait was asked for, to be shown.
    pub wall_ms: i64,
    /// Whether calls fail until then instead of waiting.
    pub too_long: bool,
}

impl Asked {
    /// Keeps a wait of `asked_ms` unless a later end is known. One within the longest ordinary wait is waited out; for a longer
    /// one calls fail.
    pub fn keep(&self, asked_ms: u64, retry: &Retry, host: &dyn Host) -> Until {
        let too_long = asked_ms > retry.max_ms;
        let wait_ms = if too_long {
            // An end that all instances know alike would bring them back in one instant.
            asked_ms.saturating_add(spread_ms(asked_ms, retry, host.random())).min(ASKED_WAIT_MS_MAX)
        } else {
            asked_ms
        };
        let until = Until {
            monotonic_us: host.monotonic_us().saturating_add(wait_ms.saturating_mul(1_000)),
            wall_ms: host.wall_ms().saturating_add_unsigned(wait_ms),
            too_long,
        };
        let mut kept = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *kept {
            Some(known) if known.monotonic_us >= until.monotonic_us => {}
            known => *known = Some(until),
        }
        until
    }

    /// The end of the wait that still stands, if any.
    pub fn standing(&self, host: &dyn Host) -> Option<Until> {
        let mut kept = self.until.lock().unwrap_or_else(PoisonError::into_inner);
        *kept = kept.filter(|until| until.monotonic_us > host.monotonic_us());
        *kept
    }
}

impl Until {
    /// How long until then, in whole milliseconds, rounded up so that nothing is early.
    pub fn left_ms(self, host: &dyn Host) -> u64 {
        self.monotonic_us.saturating_sub(host.monotonic_us()).div_ceil(1_000)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that unwraps fails where it stands")]

    use super::*;

    /// 2027-03-03T10:00:00Z.
    const NOW_MS: i64 = 1_804_068_000_000;

    #[track_caller]
    fn check(values: &[&str], expected: Option<u64>) {
        let headers = values.iter().map(|value| ("retry-after".to_owned(), (*value).to_owned())).collect();
        let answer = HttpResponse { status: 429, headers, body: Vec::new() };
        assert_eq!(asked_wait_ms(&answer, NOW_MS), expected, "{values:?}");
    }

    #[test]
    fn what_is_asked_for() {
        let now: jiff::Timestamp = "2027-03-03T10:00:00Z".parse().unwrap();
        assert_eq!(now.as_millisecond(), NOW_MS);
        check(&[], None);
        check(&["120"], Some(120_000));
        check(&[" 7 "], Some(7_000));
        check(&["Wed, 03 Mar 2027 10:02:00 GMT"], Some(120_000));
        check(&["Wednesday, 03-Mar-27 10:02:00 GMT"], Some(120_000));
        check(&["Wed Mar  3 10:02:00 2027"], Some(120_000));
        check(&["99999999999999999999999"], Some(u64::MAX));
    }

    #[test]
    fn what_is_past_or_unreadable_asks_for_nothing() {
        for value in [
            "Wed, 03 Mar 2027 09:59:00 GMT",
            "0",
            "-5",
            "soon",
            "",
            "1.5",
            "12 s",
            "+3",
            "2027-03-03T10:02:00Z",
        ] {
            check(&[value], None);
        }
    }

    #[test]
    fn said_twice_the_longest_counts() {
        check(&["5", "120"], Some(120_000));
        check(&["soon", "30"], Some(30_000));
        check(&["Wed, 03 Mar 2027 10:02:00 GMT", "5"], Some(120_000));
    }
}
