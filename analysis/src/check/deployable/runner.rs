//! A deployable's `runner:`: the loop that must be able to sleep.

use jadpo_syntax::tree::{Number, Value, ValueKind};

use crate::keys::Fields;
use crate::keys::duration_of;
use crate::model;
use crate::values;

/// The shortest sleep of a loop that is full.
const SLEEP_MIN_MS: i64 = 100;
/// The longest.
const SLEEP_MAX_MS: i64 = 60_000;

/// `runner:` with its defaults; `None` where a key of it isn't given rightly.
pub fn lower(fields: Fields<'_>) -> Option<model::Runner> {
    let runner = fields.block_or_empty("runner")?;
    let at_capacity = runner.block_or_empty("at_capacity")?;
    let backoff = runner.block_or_empty("backoff")?;
    Some(model::Runner {
        workers: u32::try_from(runner.whole("workers")?).ok()?,
        at_capacity_poll_interval_ms: sleep_ms(at_capacity, "poll_interval")?,
        at_capacity_heartbeat_ms: sleep_ms(at_capacity, "heartbeat")?,
        backoff_initial_ms: backoff.duration_ms("initial")?,
        backoff_max_ms: backoff.duration_ms("max")?,
        sleep_detection_ms: runner.duration_ms("sleep_detection")?,
    })
}

/// A sleep at capacity, 0 where it is turned off; the default where none is written.
fn sleep_ms(fields: Fields<'_>, key: &str) -> Option<u64> {
    if fields.entry(key).is_none() {
        return u64::try_from(duration_of(fields.default(key)?)?).ok();
    }
    let value = fields.value(key)?;
    if is_off(value) {
        return Some(0);
    }
    let ms = values::duration_ms(value).filter(|ms| (SLEEP_MIN_MS..=SLEEP_MAX_MS).contains(ms))?;
    u64::try_from(ms).ok()
}

/// Whether a sleep is turned off, by a bare `0`.
fn is_off(value: &Value) -> bool {
    matches!(&value.kind, ValueKind::Number(number) if number.number == Number::Int(0))
}
