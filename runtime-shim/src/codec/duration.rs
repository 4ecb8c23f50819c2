//! Durations: ISO 8601 without years and months; canonical in seconds only.

use std::fmt;

use jiff::SignedDuration;

use super::civil::Fraction;

const NANOS: i128 = 1_000_000_000;

/// The units in their order, whether each stands after the `T`, and their lengths in seconds.
const UNITS: [(u8, bool, i128); 5] =
    [(b'W', false, 604_800), (b'D', false, 86_400), (b'H', true, 3600), (b'M', true, 60), (b'S', true, 1)];

/// The duration that `text` is; finer digits than nanoseconds are cut towards minus infinity.
pub(super) fn parse(text: &str) -> Option<SignedDuration> {
    let bytes = text.as_bytes();
    let (negative, rest) = match bytes.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, bytes),
    };
    let mut rest = rest.strip_prefix(b"P")?;
    let mut sum = Sum { nanoseconds: 0, cut: false };
    let mut in_time = false;
    let mut units = UNITS.iter();
    let mut found = false;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(b"T") {
            if in_time || after.is_empty() {
                return None;
            }
            (in_time, rest) = (true, after);
        }
        let component = Component::take(&mut rest)?;
        let (_, _, seconds) = units.find(|(unit, time, _)| *unit == component.unit && *time == in_time)?;
        sum.add(&component, *seconds)?;
        found = true;
        // Only the smallest unit may have a fraction.
        if !component.fraction.is_empty() && !rest.is_empty() {
            return None;
        }
    }
    let signed = match (negative, sum.cut) {
        (false, _) => sum.nanoseconds,
        (true, cut) => -sum.nanoseconds - i128::from(cut),
    };
    if found { in_range(signed) } else { None }
}

/// One number and its unit.
struct Component<'t> {
    whole: &'t [u8],
    fraction: &'t [u8],
    unit: u8,
}

impl<'t> Component<'t> {
    fn take(rest: &mut &'t [u8]) -> Option<Self> {
        let whole = digits(rest)?;
        let mut fraction: &[u8] = &[];
        if let [b'.' | b',', after @ ..] = *rest {
            *rest = after;
            fraction = digits(rest)?;
        }
        let (unit, after) = rest.split_first()?;
        *rest = after;
        Some(Self { whole, fraction, unit: *unit })
    }
}

fn digits<'t>(rest: &mut &'t [u8]) -> Option<&'t [u8]> {
    let length = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    let (digits, after) = rest.split_at(length);
    *rest = after;
    if digits.is_empty() { None } else { Some(digits) }
}

struct Sum {
    nanoseconds: i128,
    /// Whether something finer was cut off.
    cut: bool,
}

impl Sum {
    fn add(&mut self, component: &Component<'_>, seconds: i128) -> Option<()> {
        let whole = component.whole.iter().try_fold(0_i128, |sum, digit| {
            let next = sum * 10 + i128::from(digit - b'0');
            // Past this no unit's whole number of seconds fits 64 bits, and the sums below stay far from 128.
            (next <= i128::from(u64::MAX)).then_some(next)
        })?;
        let unit = seconds * NANOS;
        // From the last digit on: (d + x) / 10 of the unit, where x is what the digits after it make.
        let mut part = 0;
        for digit in component.fraction.iter().rev() {
            let tenths = i128::from(digit - b'0') * unit + part;
            self.cut |= tenths % 10 != 0;
            part = tenths / 10;
        }
        self.nanoseconds += whole * unit + part;
        Some(())
    }
}

fn in_range(nanoseconds: i128) -> Option<SignedDuration> {
    let seconds = i64::try_from(nanoseconds / NANOS).ok()?;
    let rest = i32::try_from(nanoseconds % NANOS).ok()?;
    Some(SignedDuration::new(seconds, rest))
}

/// Shows the canonical text of a duration: `PT90S`, `-PT0.5S`.
pub(super) struct Shown(pub(super) SignedDuration);

impl fmt::Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0.is_negative() { "-" } else { "" };
        let fraction = Fraction(self.0.subsec_nanos().unsigned_abs());
        write!(out, "{sign}PT{}{fraction}S", self.0.as_secs().unsigned_abs())
    }
}
