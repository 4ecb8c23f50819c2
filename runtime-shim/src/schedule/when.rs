//! When a schedule is next due, from its interval or from a local time in a zone.
//!
//! A local time that a clock change skips counts as the first moment after the gap, and one that comes twice as the first
//! of the two. Zone data is bundled, so that every machine knows the same.

use std::fmt;

use jiff::civil::{Date, Time};
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use jiff::{Timestamp, ToSpan};

use crate::clock;
use crate::plan::When;

/// The rule of a schedule, ready to be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    rule: Rule,
    spec: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Rule {
    Every(i64),
    Daily(Time, TimeZone),
}

/// A zone that this runtime doesn't know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownZone(String);

impl fmt::Display for UnknownZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is no time of day in a zone that this runtime knows", self.0)
    }
}

impl std::error::Error for UnknownZone {}

impl Times {
    /// The times of a rule.
    pub fn new(when: &When) -> Result<Times, UnknownZone> {
        match when {
            When::EveryMs(ms) => {
                Ok(Times { rule: Rule::Every(clock::signed(*ms)), spec: format!("every {ms}") })
            }
            When::Daily { hour, minute, zone } => {
                let spec = format!("daily {hour:02}:{minute:02} {zone}");
                let time = i8::try_from(*hour).ok().zip(i8::try_from(*minute).ok());
                let time = time.and_then(|(hour, minute)| Time::new(hour, minute, 0, 0).ok());
                let rule = time.zip(known_zone(zone)).map(|(time, zone)| Rule::Daily(time, zone));
                Ok(Times { rule: rule.ok_or_else(|| UnknownZone(spec.clone()))?, spec })
            }
        }
    }

    /// The rule in words, which the store compares with the one that it last saw.
    pub fn spec(&self) -> &str {
        &self.spec
    }

    /// When it is due next after this moment, both in milliseconds since the epoch.
    pub fn after(&self, ms: i64) -> i64 {
        match &self.rule {
            Rule::Every(every_ms) => ms.saturating_add(*every_ms),
            Rule::Daily(time, zone) => daily_after(*time, zone, ms).unwrap_or(i64::MAX),
        }
    }
}

/// The zone that the bundled data has under exactly this name. The library's global database would look at the machine's data
/// first wherever another part of the program turns that on. `Factory` stands for no zone.
fn known_zone(name: &str) -> Option<TimeZone> {
    let zone = TimeZoneDatabase::bundled().get(name).ok()?;
    (zone.iana_name() == Some(name) && name != "Factory").then_some(zone)
}

/// `None` only beyond the last year that the calendar holds.
fn daily_after(time: Time, zone: &TimeZone, ms: i64) -> Option<i64> {
    let today = zone.to_datetime(clock::timestamp(ms)).date();
    // A zone may skip a whole day, and then the day's time falls on the first moment of the one after.
    (0..=3).find_map(|days| {
        let due_ms = on(today.checked_add(days.days()).ok()?, time, zone)?.as_millisecond();
        (due_ms > ms).then_some(due_ms)
    })
}

/// The moment of a local time on a day.
fn on(date: Date, time: Time, zone: &TimeZone) -> Option<Timestamp> {
    let ambiguous = zone.to_ambiguous_timestamp(date.to_datetime(time));
    match ambiguous.offset() {
        AmbiguousOffset::Gap { .. } => {
            // The offset of after the gap reads the skipped time as a moment before it.
            let before = ambiguous.earlier().ok()?;
            zone.following(before).next().map(|transition| transition.timestamp())
        }
        _ => ambiguous.earlier().ok(),
    }
}
