//! A subscriber's `retry:` and `within:`.

use crate::check::{Check, waits};
use crate::diagnostics::codes::app;
use crate::keys::{Fields, duration_text};
use crate::model::Retry;
use crate::prose::time_text;
use crate::worst_case::{longest_wait_ms, longest_waits_ms};

/// The first wait is no longer than the longest, and all attempts fit into `within:`.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    if let Some(retry) = fields.block("retry") {
        waits::ordered(cx, retry, app::SUBSCRIBER_VALUE_INVALID);
    }
    if let Some(retry) = read(fields)
        && retry.initial_ms <= retry.max_ms
    {
        unreachable(cx, fields, &retry);
    }
}

/// `retry:` with its defaults; `None` where a key of it isn't given rightly.
pub fn read(fields: Fields<'_>) -> Option<Retry> {
    let fields = fields.block_or_empty("retry")?;
    Some(Retry {
        attempts: u32::try_from(fields.whole("attempts")?).ok()?,
        initial_ms: fields.duration_ms("initial")?,
        max_ms: fields.duration_ms("max")?,
    })
}

/// Warns of attempts that `within:` cuts off where the waits are as long as they may be.
fn unreachable(cx: &mut Check<'_>, fields: Fields<'_>, retry: &Retry) {
    let Some(within_ms) = fields.duration_ms("within") else { return };
    let sum_ms = longest_waits_ms(retry);
    if retry.attempts < 2 || sum_ms < within_ms {
        return;
    }
    let within = fields.entry("within");
    let attempts = fields.block("retry").and_then(|retry| retry.entry("attempts"));
    let span = match (within, attempts) {
        (Some(_), _) => fields.span("within"),
        (None, Some(entry)) => entry.value.as_ref().map_or(entry.key.span, |value| value.span),
        (None, None) => fields.entry("retry").map_or(cx.head(), |entry| entry.key.span),
    };
    let message = format!(
        "at the longest waits attempt {} of `{}` comes {} after the event ({}), and `within` ends after {}",
        retry.attempts,
        cx.decl.name_text(cx.db),
        time_text(sum_ms),
        sum_text(retry),
        time_text(within_ms),
    );
    let enough = round_up(sum_ms + 1);
    let reached = (1..retry.attempts).rev().find(|attempts| {
        let fewer = Retry { attempts: *attempts, ..*retry };
        longest_waits_ms(&fewer) < within_ms
    });
    let place = cx.at(span);
    let finding = cx.report(app::SUBSCRIBER_RETRIES_UNREACHABLE, span, message);
    let fewer = reached.map(|attempts| format!(", or `attempts: {attempts}`")).unwrap_or_default();
    finding.help(format!("`within: {enough}` is enough{fewer}"));
    match (within, attempts, reached) {
        (Some(_), _, _) => {
            finding.suggest(format!("write `{enough}`"), place, enough);
        }
        (None, Some(_), Some(reached)) => {
            finding.suggest(format!("write `{reached}`"), place, reached.to_string());
        }
        _ => {}
    }
}

/// The sum of the longest waits, as "5s + 10s + … + 5m".
fn sum_text(retry: &Retry) -> String {
    let waits = retry.attempts - 1;
    let wait = |failed| time_text(longest_wait_ms(retry, failed));
    if waits <= 4 {
        return (1..=waits).map(wait).collect::<Vec<_>>().join(" + ");
    }
    format!("{} + {} + {} + … + {}", wait(1), wait(2), wait(3), wait(waits))
}

/// A duration in one unit that is not shorter: whole minutes from ten minutes on, whole hours from ten hours on.
fn round_up(ms: u64) -> String {
    const MINUTE_MS: u64 = 60_000;
    let unit = match ms {
        0..MINUTE_MS => 1000,
        MINUTE_MS..36_000_000 => MINUTE_MS,
        _ => 60 * MINUTE_MS,
    };
    duration_text(i64::try_from(ms.div_ceil(unit) * unit).unwrap_or(i64::MAX))
}
