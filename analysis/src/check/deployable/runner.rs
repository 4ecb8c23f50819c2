//! A deployable's `runner:`: the loop that must be able to sleep.

mod sleep;

use jadpo_syntax::Span;

use crate::check::{Check, waits};
use crate::diagnostics::codes::app;
use crate::keys::{Fields, duration_text};
use crate::model;

/// The two ways in which a loop that is full sleeps.
const SLEEPS: [&str; 2] = ["poll_interval", "heartbeat"];

/// `runner:` with its defaults; `None` where a key of it isn't given rightly.
pub fn lower(fields: Fields<'_>) -> Option<model::Runner> {
    let runner = fields.block_or_empty("runner")?;
    let at_capacity = runner.block_or_empty("at_capacity")?;
    let backoff = runner.block_or_empty("backoff")?;
    Some(model::Runner {
        workers: u32::try_from(runner.whole("workers")?).ok()?,
        at_capacity_poll_interval_ms: sleep::ms(at_capacity, "poll_interval")?,
        at_capacity_heartbeat_ms: sleep::ms(at_capacity, "heartbeat")?,
        backoff_initial_ms: backoff.duration_ms("initial")?,
        backoff_max_ms: backoff.duration_ms("max")?,
        sleep_detection_ms: runner.duration_ms("sleep_detection")?,
    })
}

/// Its sleeps are sleeps, at least one of them is on, and none is taken for the machine having slept.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some(runner) = fields.block("runner") else { return };
    if let Some(at_capacity) = runner.block("at_capacity") {
        SLEEPS.iter().for_each(|key| sleep::check(cx, at_capacity, key));
        capacity_unslept(cx, at_capacity);
    }
    if let Some(backoff) = runner.block("backoff") {
        waits::ordered(cx, backoff, app::DEPLOYABLE_VALUE_INVALID);
    }
    detection_above_sleeps(cx, runner);
}

/// Refuses a loop that spins: both sleeps turned off.
fn capacity_unslept(cx: &mut Check<'_>, at_capacity: Fields<'_>) {
    if SLEEPS.iter().any(|key| sleep::ms(at_capacity, key) != Some(0)) {
        return;
    }
    let places = SLEEPS.map(|key| {
        let entry = at_capacity.entry(key);
        (key, cx.at(entry.map_or(at_capacity.block.span, |entry| entry.span)), cx.at(at_capacity.span(key)))
    });
    let finding = cx.report(
        app::DEPLOYABLE_CAPACITY_UNSLEPT,
        at_capacity.block.span,
        "`at_capacity` turns both `poll_interval` and `heartbeat` off, so a loop that is full never sleeps",
    );
    finding.label("a full loop spins");
    finding.help("leave one on: each may be off alone, and together they keep the loop from spinning");
    for (key, entry, _) in places {
        finding.related(entry, format!("`{key}` is off"));
    }
    for (key, _, value) in places {
        let default = at_capacity.default(key).unwrap_or("1s");
        finding.suggest(format!("write `{key}: {default}`"), value, default);
    }
}

/// A sleep that the loop asks for, in its place.
struct Asked {
    name: &'static str,
    ms: u64,
    /// Where it is written; `None` for a default.
    span: Option<Span>,
    why: &'static str,
}

/// Refuses a `sleep_detection` that the loop's own sleeps would set off.
fn detection_above_sleeps(cx: &mut Check<'_>, runner: Fields<'_>) {
    let Some(detection_ms) = runner.duration_ms("sleep_detection") else { return };
    let Some(asked) = sleeps(runner) else { return };
    let Some(longest) = asked.iter().filter(|asked| asked.ms >= detection_ms).max_by_key(|asked| asked.ms)
    else {
        return;
    };
    let text = |ms: u64| duration_text(i64::try_from(ms).unwrap_or(i64::MAX));
    let written = runner.entry("sleep_detection").is_some();
    let of = |written: bool| if written { "" } else { ", which nothing else is said of," };
    let message = format!(
        "`sleep_detection` of `{}`{} is not above `{}` of `{}`{}: {}",
        text(detection_ms),
        of(written),
        longest.name,
        text(longest.ms),
        of(longest.span.is_some()),
        longest.why
    );
    let span = match (written, longest.span) {
        (false, Some(span)) => span,
        _ => runner.span("sleep_detection"),
    };
    let above = text(longest.ms.saturating_mul(3).min(crate::keys::DURATION_MAX_MS.unsigned_abs()));
    let place = cx.at(span);
    let others: Vec<_> = asked
        .iter()
        .filter(|asked| written && asked.ms >= detection_ms)
        .filter_map(|asked| Some((cx.at(asked.span?), asked)))
        .collect();
    let finding = cx.report(app::DEPLOYABLE_VALUE_INVALID, span, message);
    for (place, asked) in others {
        finding.related(place, format!("`{}` is `{}`", asked.name, text(asked.ms)));
    }
    finding.help(format!("`sleep_detection: {above}` tells them apart"));
    if written {
        finding.suggest(format!("write `{above}`"), place, above);
    }
}

/// The longest backoff and the two sleeps at capacity; `None` where one isn't given rightly.
fn sleeps(runner: Fields<'_>) -> Option<[Asked; 3]> {
    let at_capacity = runner.block_or_empty("at_capacity")?;
    let backoff = runner.block_or_empty("backoff")?;
    let span = |fields: Fields<'_>, key| fields.entry(key).map(|_| fields.span(key));
    let sleep = |name, key| {
        Some(Asked {
            name,
            ms: sleep::ms(at_capacity, key)?,
            span: span(at_capacity, key),
            why: "a full loop's sleep would count as the machine having slept",
        })
    };
    Some([
        Asked {
            name: "backoff.max",
            ms: backoff.duration_ms("max")?,
            span: span(backoff, "max"),
            why: "a backoff at its cap would count as the machine having slept, and reset the error budget for ever",
        },
        sleep("at_capacity.poll_interval", "poll_interval")?,
        sleep("at_capacity.heartbeat", "heartbeat")?,
    ])
}
