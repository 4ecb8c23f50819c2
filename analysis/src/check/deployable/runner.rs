//! A deployable's `runner:`: the loop that must be able to sleep.

mod sleep;

use jadpo_syntax::Span;
use jadpo_syntax::tree::ValueKind;

use sleep::{AT_CAPACITY, BACKOFF};

use crate::check::{Check, waits};
use crate::diagnostics::codes::app;
use crate::keys::{DURATION_MAX_MS, Fields, duration_text};
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
        at_capacity_poll_interval_ms: AT_CAPACITY.ms(at_capacity, "poll_interval")?,
        at_capacity_heartbeat_ms: AT_CAPACITY.ms(at_capacity, "heartbeat")?,
        backoff_initial_ms: BACKOFF.ms(backoff, "initial")?,
        backoff_max_ms: BACKOFF.ms(backoff, "max")?,
        sleep_detection_ms: runner.duration_ms("sleep_detection")?,
    })
}

/// Its sleeps are sleeps, at least one of them is on, and none is taken for the machine having slept.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some(runner) = fields.block("runner") else { return };
    if let Some(at_capacity) = runner.block("at_capacity") {
        for key in SLEEPS {
            AT_CAPACITY.check(cx, at_capacity, key);
        }
        capacity_unslept(cx, at_capacity);
    }
    if let Some(backoff) = runner.block("backoff") {
        for key in ["initial", "max"] {
            BACKOFF.check(cx, backoff, key);
        }
        if let (Some(initial), Some(max)) = (BACKOFF.ms(backoff, "initial"), BACKOFF.ms(backoff, "max")) {
            waits::ordered_ms(cx, backoff, app::DEPLOYABLE_VALUE_INVALID, initial, max);
        }
    }
    detection_above_sleeps(cx, runner);
}

/// Refuses a loop that spins: both sleeps turned off.
fn capacity_unslept(cx: &mut Check<'_>, at_capacity: Fields<'_>) {
    if SLEEPS.iter().any(|key| AT_CAPACITY.ms(at_capacity, key) != Some(0)) {
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
    finding.label("a full loop spins").help("each may be off alone: leave one of them on");
    for (key, entry, _) in places {
        finding.related(entry, format!("`{key}` is off"));
    }
    for (key, _, value) in places {
        let default = at_capacity.default(key).unwrap_or("1s");
        finding.suggest(format!("write `{key}: {default}`"), value, default);
    }
}

/// A time of the loop, in its place.
struct Time<'a> {
    name: &'static str,
    ms: u64,
    /// As written, or the default.
    text: &'a str,
    /// Where it is written; `None` for a default.
    span: Option<Span>,
}

impl<'a> Time<'a> {
    fn read(name: &'static str, fields: Fields<'a>, key: &str, ms: u64) -> Option<Self> {
        let written = fields.value(key).and_then(|value| match &value.kind {
            ValueKind::Number(number) => Some((&*number.text, value.span)),
            _ => None,
        });
        let text = written.map(|(text, _)| text).or_else(|| fields.default(key))?;
        Some(Self { name, ms, text, span: written.map(|(_, span)| span) })
    }

    fn value(&self) -> String {
        match self.span {
            Some(_) => format!("`{}` of `{}`", self.name, self.text),
            None => format!("`{}`, `{}` by default,", self.name, self.text),
        }
    }
}

/// Refuses a `sleep_detection` that the loop's own sleeps would set off.
fn detection_above_sleeps(cx: &mut Check<'_>, runner: Fields<'_>) {
    let Some((detection, sleeps)) = times(runner) else { return };
    let below: Vec<_> = sleeps.iter().filter(|sleep| sleep.ms >= detection.ms).collect();
    let Some(longest) = below.iter().max_by_key(|sleep| sleep.ms) else { return };
    let why = if longest.name == "backoff.max" {
        "a backoff at its cap would count as the machine having slept, and reset the error budget for ever"
    } else {
        "a full loop's own sleep would count as the machine having slept"
    };
    let message =
        format!("{} is not above {}: {why}", detection.value(), longest.value().trim_end_matches(','));
    let span = detection.span.or(longest.span).unwrap_or(runner.block.span);
    let above = longest.ms.saturating_mul(3).min(DURATION_MAX_MS.unsigned_abs());
    let above = duration_text(i64::try_from(above).unwrap_or(DURATION_MAX_MS));
    let (at, label) = match (detection.span, runner.block) {
        (Some(span), _) => ((cx.at(span), above.clone()), format!("not above `{}`", longest.text)),
        (None, block) => {
            let entry = format!("sleep_detection: {above}");
            (cx.insertion(block, &entry), format!("not below `{}`", detection.text))
        }
    };
    let others = below.iter().filter_map(|sleep| Some((cx.at(sleep.span?), sleep)));
    let others: Vec<_> = others.filter(|_| detection.span.is_some()).collect();
    let finding = cx.report(app::DEPLOYABLE_VALUE_INVALID, span, message);
    finding.label(label).help(format!("`sleep_detection: {above}` tells them apart"));
    for (place, sleep) in others {
        finding.related(place, format!("`{}`", sleep.name));
    }
    finding.suggest(format!("write `sleep_detection: {above}`"), at.0, at.1);
}

/// `sleep_detection`, and the longest backoff with the two sleeps at capacity; `None` where one isn't given rightly.
fn times(runner: Fields<'_>) -> Option<(Time<'_>, [Time<'_>; 3])> {
    let at_capacity = runner.block_or_empty("at_capacity")?;
    let backoff = runner.block_or_empty("backoff")?;
    let detection_ms = runner.duration_ms("sleep_detection")?;
    let sleep = |name, key| Time::read(name, at_capacity, key, AT_CAPACITY.ms(at_capacity, key)?);
    Some((
        Time::read("sleep_detection", runner, "sleep_detection", detection_ms)?,
        [
            Time::read("backoff.max", backoff, "max", BACKOFF.ms(backoff, "max")?)?,
            sleep("at_capacity.poll_interval", "poll_interval")?,
            sleep("at_capacity.heartbeat", "heartbeat")?,
        ],
    ))
}
