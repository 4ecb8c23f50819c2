//! Intervals of polls, wherever they are said: a call can outlast one.

use jadpo_syntax::Span;

use super::Check;
use crate::diagnostics::codes::package::POLL_SLOWER_THAN_INTERVAL;
use crate::keys::{MINUTE_MS, duration_text};
use crate::prose::exact_time_text;
use crate::worst_case::WorstCall;

/// An interval of a poll.
pub struct Interval<'a> {
    /// The poll's name.
    pub poll: &'a str,
    /// The key that gives it.
    pub key: &'a str,
    /// Its length.
    pub ms: u64,
}

impl Interval<'_> {
    /// Warns of a call that at worst takes longer than the interval that stands at `span`.
    pub fn outlasted(&self, cx: &mut Check<'_>, span: Span, call: WorstCall) {
        let worst_ms = call.ms();
        if worst_ms <= self.ms {
            return;
        }
        let minute_ms = MINUTE_MS.unsigned_abs();
        let (every, worst) = (exact_time_text(self.ms), exact_time_text(worst_ms));
        let enough_ms = worst_ms.div_ceil(minute_ms).saturating_mul(minute_ms);
        let enough = duration_text(i64::try_from(enough_ms).unwrap_or(i64::MAX));
        let (place, key, sum) = (cx.at(span), self.key, call.sum_text());
        let message = format!("`{}` is called every {every}, but one call can take {worst}", self.poll);
        cx.report(POLL_SLOWER_THAN_INTERVAL, span, message)
            .label(format!("shorter than {worst}"))
            .help(format!("{sum}; `{key}: {enough}` is long enough, and so may be a shorter `timeout:`"))
            .suggest(format!("write `{enough}`"), place, enough);
    }
}
