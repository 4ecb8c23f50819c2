//! Dates and times of day as RFC 3339 and ISO 8601 write them, without an offset.

use std::fmt;

use jiff::civil::{Date, DateTime, Time};

use super::Form;

/// Reads ASCII text from its start.
pub(super) struct Cursor<'t> {
    pub(super) rest: &'t [u8],
}

impl Cursor<'_> {
    /// Exactly `count` digits.
    pub(super) fn number(&mut self, count: usize) -> Option<i16> {
        let (digits, rest) = self.rest.split_at_checked(count)?;
        let value = digits.iter().try_fold(0_i16, |sum, digit| {
            digit
                .is_ascii_digit()
                .then(|| sum.checked_mul(10)?.checked_add(i16::from(digit - b'0')))
                .flatten()
        })?;
        self.rest = rest;
        Some(value)
    }

    /// This byte.
    pub(super) fn take(&mut self, byte: u8) -> Option<()> {
        self.rest = self.rest.strip_prefix(&[byte])?;
        Some(())
    }

    /// `2026-11-30`; the canonical form also writes the years before 0, as `-001199`.
    pub(super) fn date(&mut self, form: Form) -> Option<Date> {
        let before_zero = form == Form::Canonical && self.take(b'-').is_some();
        let year = if before_zero { -self.number(6)? } else { self.number(4)? };
        if before_zero && year == 0 {
            return None;
        }
        self.take(b'-')?;
        let month = self.number(2)?;
        self.take(b'-')?;
        let day = self.number(2)?;
        Date::new(year, i8::try_from(month).ok()?, i8::try_from(day).ok()?).ok()
    }

    /// `22:03:22` or `22:03:22.5`; digits past the ninth of a fraction are cut.
    pub(super) fn time(&mut self) -> Option<Time> {
        let hour = self.number(2)?;
        self.take(b':')?;
        let minute = self.number(2)?;
        self.take(b':')?;
        let second = self.number(2)?;
        let nanosecond = if self.take(b'.').is_some() { self.fraction()? } else { 0 };
        let small = |value: i16| i8::try_from(value).ok();
        Time::new(small(hour)?, small(minute)?, small(second)?, nanosecond).ok()
    }

    fn fraction(&mut self) -> Option<i32> {
        let length = self.rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(self.rest.len());
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        let shown = digits.get(..digits.len().min(9)).filter(|shown| !shown.is_empty())?;
        let value = shown.iter().fold(0_i32, |sum, digit| sum * 10 + i32::from(digit - b'0'));
        Some(value * 10_i32.pow(u32::try_from(9 - shown.len()).ok()?))
    }
}

/// The date that `text` is.
pub(super) fn parse_date(text: &str, form: Form) -> Option<Date> {
    let mut cursor = Cursor { rest: text.as_bytes() };
    let date = cursor.date(form)?;
    cursor.rest.is_empty().then_some(date)
}

/// The date and time that `text` is.
pub(super) fn parse_datetime(text: &str, form: Form) -> Option<DateTime> {
    let mut cursor = Cursor { rest: text.as_bytes() };
    let date = cursor.date(form)?;
    cursor.take(b'T')?;
    let time = cursor.time()?;
    cursor.rest.is_empty().then(|| date.to_datetime(time))
}

/// Shows a date.
pub(super) struct ShownDate(pub(super) Date);

/// Shows a date and time, with a fraction only when it is not zero.
pub(super) struct ShownDateTime(pub(super) DateTime);

/// Shows `.5` of 500,000,000 ns, and nothing of none.
pub(super) struct Fraction(pub(super) u32);

impl fmt::Display for ShownDate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day) = (self.0.year(), self.0.month(), self.0.day());
        if year < 0 {
            write!(out, "-{:06}-{month:02}-{day:02}", year.unsigned_abs())
        } else {
            write!(out, "{year:04}-{month:02}-{day:02}")
        }
    }
}

impl fmt::Display for ShownDateTime {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let time = self.0.time();
        let (hour, minute, second) = (time.hour(), time.minute(), time.second());
        let nanosecond = time.subsec_nanosecond().unsigned_abs();
        let date = ShownDate(self.0.date());
        write!(out, "{date}T{hour:02}:{minute:02}:{second:02}{}", Fraction(nanosecond))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut value, mut width) = (self.0, 9);
        if value == 0 {
            return Ok(());
        }
        while value.is_multiple_of(10) {
            value /= 10;
            width -= 1;
        }
        write!(out, ".{value:0width$}")
    }
}
