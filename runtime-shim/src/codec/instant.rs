//! Instants: their spellings on the wire and their canonical form.

use jiff::Timestamp;
use jiff::tz::Offset;

use super::Form;
use super::civil::{Cursor, Fraction, ShownDateTime};
use super::error::Mismatch;
use super::reader::Reader;
use super::writer::Writer;
use crate::plan::InstantWire;

const WANTED_RFC3339: &str = "an instant as RFC 3339 with an offset";
const WANTED_RFC2822: &str = "an instant as RFC 2822";
const WANTED_SECONDS: &str = "an instant in seconds since the epoch";
const WANTED_MILLISECONDS: &str = "an instant in milliseconds since the epoch";

/// Reads an instant; the canonical form is RFC 3339 whatever the wire has.
pub fn read_instant(reader: &mut Reader<'_>, wire: InstantWire) -> Result<Timestamp, Mismatch> {
    let form = reader.form();
    match wire_in(form, wire) {
        InstantWire::Rfc3339 => reader.short(WANTED_RFC3339, |text| parse_rfc3339(text, form)),
        InstantWire::Rfc2822 => reader.short(WANTED_RFC2822, parse_rfc2822),
        InstantWire::UnixS => read_since_epoch(reader, WANTED_SECONDS, 9),
        InstantWire::UnixMs => read_since_epoch(reader, WANTED_MILLISECONDS, 6),
    }
}

/// Writes an instant; the canonical form is RFC 3339 whatever the wire has.
pub fn write_instant(writer: &mut Writer, value: &Timestamp, wire: InstantWire) {
    match wire_in(writer.form(), wire) {
        InstantWire::Rfc3339 => writer.display(format_args!("\"{}\"", rfc3339(*value))),
        InstantWire::Rfc2822 => writer.display(format_args!("\"{}\"", rfc2822(*value))),
        InstantWire::UnixS => writer.display(scaled(value.as_nanosecond(), 1_000_000_000)),
        InstantWire::UnixMs => writer.display(scaled(value.as_nanosecond(), 1_000_000)),
    }
}

/// The canonical text of an instant.
pub(super) fn rfc3339(value: Timestamp) -> String {
    format!("{}Z", ShownDateTime(Offset::UTC.to_datetime(value)))
}

/// The instant to the second, as RFC 2822 writes it in UTC.
fn rfc2822(value: Timestamp) -> String {
    const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let name = |names: &[&'static str], number: i8| {
        usize::try_from(number - 1).ok().and_then(|index| names.get(index).copied()).unwrap_or("")
    };
    let shown = Offset::UTC.to_datetime(value);
    let weekday = name(&DAYS, shown.weekday().to_monday_one_offset());
    let (day, month, year) = (shown.day(), name(&MONTHS, shown.month()), shown.year());
    let (hour, minute, second) = (shown.hour(), shown.minute(), shown.second());
    format!("{weekday}, {day:02} {month} {year:04} {hour:02}:{minute:02}:{second:02} +0000")
}

fn wire_in(form: Form, wire: InstantWire) -> InstantWire {
    if form == Form::Canonical { InstantWire::Rfc3339 } else { wire }
}

fn parse_rfc3339(text: &str, form: Form) -> Option<Timestamp> {
    let mut cursor = Cursor { rest: text.as_bytes() };
    let date = cursor.date(form)?;
    cursor.take(b'T').or_else(|| cursor.take(b't'))?;
    let time = cursor.time()?;
    let offset = offset(&mut cursor)?;
    if !cursor.rest.is_empty() {
        return None;
    }
    let seconds = i64::from(time.hour()) * 3600 + i64::from(time.minute()) * 60 + i64::from(time.second());
    let days = days_since_epoch(i64::from(date.year()), i64::from(date.month()), i64::from(date.day()));
    let instant = Timestamp::new(days * 86_400 + seconds - offset, time.subsec_nanosecond()).ok()?;
    (form == Form::Canonical || from_year_zero(instant)).then_some(instant)
}

/// Seconds east of UTC.
fn offset(cursor: &mut Cursor<'_>) -> Option<i64> {
    if cursor.take(b'Z').or_else(|| cursor.take(b'z')).is_some() {
        return Some(0);
    }
    let west = cursor.take(b'-').is_some();
    if !west {
        cursor.take(b'+')?;
    }
    let hours = cursor.number(2)?;
    cursor.take(b':')?;
    let minutes = cursor.number(2)?;
    if hours > 23 || minutes > 59 {
        return None;
    }
    let seconds = i64::from(hours) * 3600 + i64::from(minutes) * 60;
    Some(if west { -seconds } else { seconds })
}

/// Days from 1970-01-01 to a date of the proleptic Gregorian calendar, in years that begin in March.
fn days_since_epoch(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

fn parse_rfc2822(text: &str) -> Option<Timestamp> {
    // The parser takes a leap second as the second before it; that bends what was sent.
    if text.contains(":60") {
        return None;
    }
    jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text).ok()
}

/// Reads an instant as a number, mostly a whole one, of units of 10^`power` nanoseconds.
fn read_since_epoch(reader: &mut Reader<'_>, wanted: &str, power: u32) -> Result<Timestamp, Mismatch> {
    match reader.small_int() {
        Some(whole) => {
            instant_at(i128::from(whole) * 10_i128.pow(power)).ok_or_else(|| reader.mismatch(wanted))
        }
        None => reader.number(wanted, |number| instant_at(number.floor_scaled(power)?)),
    }
}

/// The instant this many nanoseconds after the epoch, in years that RFC 3339 can write.
fn instant_at(nanoseconds: i128) -> Option<Timestamp> {
    Timestamp::from_nanosecond(nanoseconds).ok().filter(|instant| from_year_zero(*instant))
}

/// Whether RFC 3339, which has no years before 0, can write an instant.
fn from_year_zero(instant: Timestamp) -> bool {
    const YEAR_ZERO: i64 = -62_167_219_200;
    instant.as_second() >= YEAR_ZERO
}

/// Nanoseconds in units of `unit` nanoseconds, exactly.
fn scaled(nanoseconds: i128, unit: u32) -> String {
    let sign = if nanoseconds < 0 { "-" } else { "" };
    let magnitude = nanoseconds.unsigned_abs();
    let whole = magnitude / u128::from(unit);
    let part = u32::try_from(magnitude % u128::from(unit)).unwrap_or(0);
    format!("{sign}{whole}{}", Fraction(part * (1_000_000_000 / unit)))
}
