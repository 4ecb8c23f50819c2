//! Dates and instants that a manifest writes, in canonical form.

/// `2026-11-30`, a day that exists.
pub fn date(text: &str) -> Option<String> {
    let mut cursor = Cursor(text);
    let date = cursor.date()?;
    cursor.0.is_empty().then(|| date.text())
}

/// `2026-11-30T09:30:00`, perhaps with a fraction, without an offset.
pub fn date_time(text: &str) -> Option<String> {
    let mut cursor = Cursor(text);
    let date = cursor.date()?;
    cursor.take("T")?;
    let time = cursor.time()?;
    cursor.0.is_empty().then(|| format!("{}T{}", date.text(), time.text()))
}

/// RFC 3339 with an offset, as the same moment in UTC.
pub fn instant(text: &str) -> Option<String> {
    let mut cursor = Cursor(text);
    let date = cursor.date()?;
    cursor.take("T").or_else(|| cursor.take("t"))?;
    let time = cursor.time()?;
    let offset_s = cursor.offset_s()?;
    if !cursor.0.is_empty() {
        return None;
    }
    let seconds = date.days() * 86_400 + time.seconds - offset_s;
    let date = Date::of_days(seconds.div_euclid(86_400));
    let time = Time { seconds: seconds.rem_euclid(86_400), nanoseconds: time.nanoseconds };
    (0..=9999).contains(&date.year).then(|| format!("{}T{}Z", date.text(), time.text()))
}

struct Date {
    year: i64,
    month: i64,
    day: i64,
}

struct Time {
    /// Since midnight.
    seconds: i64,
    nanoseconds: i64,
}

/// Reads from the start of a text.
struct Cursor<'t>(&'t str);

impl Cursor<'_> {
    fn number(&mut self, digits: usize) -> Option<i64> {
        let (number, rest) = self.0.split_at_checked(digits)?;
        if !number.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        self.0 = rest;
        number.parse().ok()
    }

    fn take(&mut self, text: &str) -> Option<()> {
        self.0 = self.0.strip_prefix(text)?;
        Some(())
    }

    fn date(&mut self) -> Option<Date> {
        let year = self.number(4)?;
        self.take("-")?;
        let month = self.number(2)?;
        self.take("-")?;
        let date = Date { year, month, day: self.number(2)? };
        date.exists().then_some(date)
    }

    fn time(&mut self) -> Option<Time> {
        let hours = self.number(2)?;
        self.take(":")?;
        let minutes = self.number(2)?;
        self.take(":")?;
        let seconds = self.number(2)?;
        let nanoseconds = if self.take(".").is_some() { self.fraction()? } else { 0 };
        let right = hours < 24 && minutes < 60 && seconds < 60;
        right.then_some(Time { seconds: hours * 3600 + minutes * 60 + seconds, nanoseconds })
    }

    /// At most nine digits, as nanoseconds.
    fn fraction(&mut self) -> Option<i64> {
        let length = self.0.bytes().take_while(u8::is_ascii_digit).count();
        let digits = self.number(length).filter(|_| (1..=9).contains(&length))?;
        Some(digits * 10_i64.pow(u32::try_from(9 - length).ok()?))
    }

    fn offset_s(&mut self) -> Option<i64> {
        if self.take("Z").or_else(|| self.take("z")).is_some() {
            return Some(0);
        }
        let sign = if self.take("-").is_some() {
            -1
        } else {
            self.take("+")?;
            1
        };
        let hours = self.number(2)?;
        self.take(":")?;
        let minutes = self.number(2)?;
        (hours < 24 && minutes < 60).then_some(sign * (hours * 3600 + minutes * 60))
    }
}

impl Date {
    fn exists(&self) -> bool {
        let leap = self.year % 4 == 0 && (self.year % 100 != 0 || self.year % 400 == 0);
        let days = match self.month {
            2 => 28 + i64::from(leap),
            4 | 6 | 9 | 11 => 30,
            _ => 31,
        };
        (1..=12).contains(&self.month) && (1..=days).contains(&self.day)
    }

    /// Days since 1970-01-01, in years that begin in March.
    fn days(&self) -> i64 {
        let year = if self.month <= 2 { self.year - 1 } else { self.year };
        let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
        let day_of_year = (153 * ((self.month + 9) % 12) + 2) / 5 + self.day - 1;
        era * 146_097 + year * 365 + year / 4 - year / 100 + day_of_year - 719_468
    }

    fn of_days(days: i64) -> Self {
        let days = days + 719_468;
        let (era, day) = (days.div_euclid(146_097), days.rem_euclid(146_097));
        let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
        let day = day - (365 * year + year / 4 - year / 100);
        let month = (5 * day + 2) / 153;
        let date = Self {
            year: year + era * 400,
            month: if month < 10 { month + 3 } else { month - 9 },
            day: day - (153 * month + 2) / 5 + 1,
        };
        Self { year: date.year + i64::from(date.month <= 2), ..date }
    }

    fn text(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl Time {
    fn text(&self) -> String {
        let (hours, minutes, seconds) = (self.seconds / 3600, self.seconds / 60 % 60, self.seconds % 60);
        let fraction = match self.nanoseconds {
            0 => String::new(),
            nanoseconds => format!(".{nanoseconds:09}").trim_end_matches('0').to_owned(),
        };
        format!("{hours:02}:{minutes:02}:{seconds:02}{fraction}")
    }
}

#[cfg(test)]
mod tests {
    use super::{date, date_time, instant};

    #[test]
    fn one_moment_has_one_text() {
        for text in ["2027-03-04T05:06:07Z", "2027-03-04t05:06:07.000z", "2027-03-04T06:06:07+01:00"] {
            assert_eq!(instant(text).as_deref(), Some("2027-03-04T05:06:07Z"), "{text}");
        }
        assert_eq!(instant("2024-02-29T23:30:00.250-01:30").as_deref(), Some("2024-03-01T01:00:00.25Z"));
        assert_eq!(instant("1970-01-01T00:00:00+00:01").as_deref(), Some("1969-12-31T23:59:00Z"));
        assert_eq!(date_time("2000-02-29T00:00:59.5").as_deref(), Some("2000-02-29T00:00:59.5"));
    }

    #[test]
    fn what_bends_is_refused() {
        let wrong = [
            "2027-03-04T05:06:07+0000",
            "2027-03-04T05:06:07",
            "2027-03-04T05:06:07.Z",
            "2027-03-04T05:06:60Z",
            "2027-02-30T00:00:00Z",
            "2027-03-04",
            "0000-01-01T00:00:00+00:01",
            "２027-03-04T05:06:07Z",
        ];
        assert_eq!(wrong.map(instant), [const { None }; 8]);
        assert_eq!(date("2027-03-04T00:00:00Z"), None);
        assert_eq!(date("1900-02-29"), None);
    }
}
