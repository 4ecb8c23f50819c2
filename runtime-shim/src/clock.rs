//! Times in milliseconds, the minutes that ticks happen at, and instants for people and bodies.

use crate::limits::TICK_MS;

/// The instant of a number of milliseconds since the epoch; one that no calendar holds is cut to the last that it does.
pub fn timestamp(ms: i64) -> jiff::Timestamp {
    let beyond = if ms < 0 { jiff::Timestamp::MIN } else { jiff::Timestamp::MAX };
    jiff::Timestamp::from_millisecond(ms).unwrap_or(beyond)
}

/// The whole minute that `now_ms` is in: a tick's time.
pub fn minute(now_ms: i64) -> i64 {
    now_ms - now_ms.rem_euclid(TICK_MS)
}

/// A length as a signed number of milliseconds, to be added to a time.
pub fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

/// How long until a time; nothing when it has passed.
pub fn until(now_ms: i64, then_ms: i64) -> u64 {
    u64::try_from(then_ms.saturating_sub(now_ms)).unwrap_or(0)
}
