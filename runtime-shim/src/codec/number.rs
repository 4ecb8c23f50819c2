//! Exact numbers: JSON's number grammar taken apart, and what integers and decimals it spells, never through a float.

use rust_decimal::Decimal;

/// Exponents are held below this, so that sums with lengths never overflow.
const EXPONENT_LIMIT: i64 = 100_000_000_000_000_000;

/// A JSON number taken apart; equals ±`whole.fraction` × 10^`exponent`.
#[derive(Clone, Copy)]
pub(crate) struct Number<'t> {
    negative: bool,
    whole: &'t [u8],
    fraction: &'t [u8],
    exponent: i64,
}

/// The digits of a number without zeros at either end; equals ±`digits` × 10^`exponent`.
pub(crate) struct Significant {
    pub(crate) negative: bool,
    /// ASCII digits; empty for zero.
    pub(crate) digits: Vec<u8>,
    pub(crate) exponent: i64,
}

impl<'t> Number<'t> {
    /// A text that is one number and nothing else.
    pub(crate) fn parse(text: &'t [u8]) -> Option<Self> {
        let (number, length) = Self::split(text)?;
        (length == text.len()).then_some(number)
    }

    /// The number at the start of `text`, and its length.
    pub(crate) fn split(text: &'t [u8]) -> Option<(Self, usize)> {
        let negative = text.first() == Some(&b'-');
        let mut at = usize::from(negative);
        let whole = digits_at(text, at);
        if whole.is_empty() || (whole.len() > 1 && whole[0] == b'0') {
            return None;
        }
        at += whole.len();
        let mut fraction: &[u8] = &[];
        if text.get(at) == Some(&b'.') {
            fraction = digits_at(text, at + 1);
            if fraction.is_empty() {
                return None;
            }
            at += 1 + fraction.len();
        }
        let mut exponent = 0;
        if matches!(text.get(at), Some(b'e' | b'E')) {
            let sign = text.get(at + 1);
            let from = at + 1 + usize::from(matches!(sign, Some(b'+' | b'-')));
            let digits = digits_at(text, from);
            if digits.is_empty() {
                return None;
            }
            let magnitude = saturating(digits);
            exponent = if sign == Some(&b'-') { -magnitude } else { magnitude };
            at = from + digits.len();
        }
        Some((Self { negative, whole, fraction, exponent }, at))
    }

    /// The 64-bit integer that this is exactly.
    pub(crate) fn integer(&self) -> Option<i64> {
        let exact = self.significant();
        if exact.digits.is_empty() {
            return Some(0);
        }
        let zeros = usize::try_from(exact.exponent).ok()?;
        if exact.digits.len().saturating_add(zeros) > 19 {
            return None;
        }
        let magnitude = i128::try_from(exact.magnitude(zeros)?).ok()?;
        i64::try_from(if exact.negative { -magnitude } else { magnitude }).ok()
    }

    /// The decimal that this is exactly, with the fewest digits after the point.
    pub(crate) fn decimal(&self) -> Option<Decimal> {
        let exact = self.significant();
        if exact.digits.is_empty() {
            return Some(Decimal::ZERO);
        }
        let zeros = usize::try_from(exact.exponent).unwrap_or(0);
        let scale = u32::try_from(exact.exponent.min(0).unsigned_abs()).ok()?;
        if exact.digits.len().saturating_add(zeros) > 29 || scale > 28 {
            return None;
        }
        let magnitude = exact.magnitude(zeros)?;
        decimal_of(magnitude, scale, exact.negative)
    }

    /// The largest integer that is at most this × 10^`power`.
    pub(crate) fn floor_scaled(&self, power: u32) -> Option<i128> {
        let exact = self.significant();
        let exponent = exact.exponent.saturating_add(i64::from(power));
        let length = i64::try_from(exact.digits.len()).ok()?.saturating_add(exponent);
        if length > 30 && !exact.digits.is_empty() {
            return None;
        }
        let zeros = usize::try_from(exponent).unwrap_or(0);
        let kept = if exponent < 0 { usize::try_from(length).unwrap_or(0) } else { exact.digits.len() };
        let cut = kept < exact.digits.len();
        let head = Significant { negative: false, digits: exact.digits[..kept].to_vec(), exponent: 0 };
        let magnitude = i128::try_from(head.magnitude(if kept == 0 { 0 } else { zeros })?).ok()?;
        Some(match (exact.negative, cut) {
            (false, _) => magnitude,
            (true, false) => -magnitude,
            (true, true) => -magnitude - 1,
        })
    }

    /// The one spelling of this number: plain below 10^21 and down to 10^-6, else with an exponent. None where the
    /// exponent has more than 17 digits.
    pub(crate) fn normal(&self) -> Option<String> {
        let exact = self.significant();
        let digits = String::from_utf8(exact.digits).ok()?;
        if digits.is_empty() {
            return Some("0".to_owned());
        }
        if self.exponent.abs() >= EXPONENT_LIMIT {
            return None;
        }
        let length = i64::try_from(digits.len()).ok()?;
        let point = length.checked_add(exact.exponent)?;
        let zeros = |count: i64| "0".repeat(usize::try_from(count).unwrap_or(0));
        let text = if length <= point && point <= 21 {
            format!("{digits}{}", zeros(point - length))
        } else if 0 < point && point <= 21 {
            let (whole, part) = digits.split_at(usize::try_from(point).ok()?);
            format!("{whole}.{part}")
        } else if -6 < point && point <= 0 {
            format!("0.{}{digits}", zeros(-point))
        } else {
            let (first, part) = digits.split_at(1);
            let dot = if part.is_empty() { "" } else { "." };
            format!("{first}{dot}{part}e{}", point - 1)
        };
        Some(if exact.negative { format!("-{text}") } else { text })
    }

    /// The digits without zeros at either end.
    pub(crate) fn significant(&self) -> Significant {
        let mut digits = Vec::with_capacity(self.whole.len() + self.fraction.len());
        digits.extend(self.whole.iter().chain(self.fraction).skip_while(|digit| **digit == b'0'));
        let before = digits.len();
        while digits.last() == Some(&b'0') {
            digits.pop();
        }
        let shift = i64::try_from(before - digits.len()).unwrap_or(i64::MAX);
        let places = i64::try_from(self.fraction.len()).unwrap_or(i64::MAX);
        let exponent = self.exponent.saturating_sub(places).saturating_add(shift);
        Significant { negative: self.negative && !digits.is_empty(), digits, exponent }
    }
}

impl Significant {
    /// The digits followed by `zeros` zeros, where that is below 10^38.
    fn magnitude(&self, zeros: usize) -> Option<u128> {
        if self.digits.len().saturating_add(zeros) > 38 {
            return None;
        }
        let head = self.digits.iter().fold(0_u128, |sum, digit| sum * 10 + u128::from(digit - b'0'));
        Some(head * 10_u128.pow(u32::try_from(zeros).ok()?))
    }
}

/// The decimal at the start of `text` and its length, where it is written plainly in at most 18 digits.
#[inline]
pub(crate) fn small_decimal(text: &[u8]) -> Option<(Decimal, usize)> {
    let negative = text.first() == Some(&b'-');
    let start = usize::from(negative);
    let (mut at, mut magnitude, mut point) = (start, 0_u64, None);
    loop {
        match text.get(at) {
            // 18 digits and a point; no 19 digits overflow.
            Some(digit @ b'0'..=b'9') if at - start < 19 => {
                magnitude = magnitude * 10 + u64::from(digit - b'0');
            }
            Some(b'.') if point.is_none() && at > start => point = Some(at),
            Some(b'.' | b'e' | b'E' | b'0'..=b'9') => return None,
            _ => break,
        }
        at += 1;
    }
    let digits = at - start - usize::from(point.is_some());
    let whole = point.unwrap_or(at) - start;
    let mut scale = point.map_or(0, |point| at - point - 1);
    let ends_in_point = point.is_some() && scale == 0;
    if digits == 0 || digits > 18 || ends_in_point || (whole > 1 && text[start] == b'0') {
        return None;
    }
    while scale > 0 && magnitude.is_multiple_of(10) {
        magnitude /= 10;
        scale -= 1;
    }
    let negative = negative && magnitude != 0;
    Some((decimal_of(u128::from(magnitude), u32::try_from(scale).ok()?, negative)?, at))
}

/// `magnitude` × 10^-`scale`, where it fits 96 bits.
pub(crate) fn decimal_of(magnitude: u128, scale: u32, negative: bool) -> Option<Decimal> {
    if magnitude >> 96 != 0 {
        return None;
    }
    let word = |shift: u32| u32::try_from((magnitude >> shift) & 0xffff_ffff).unwrap_or(0);
    Some(Decimal::from_parts(word(0), word(32), word(64), negative, scale))
}

fn digits_at(text: &[u8], from: usize) -> &[u8] {
    let rest = text.get(from..).unwrap_or(&[]);
    let length = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
    &rest[..length]
}

/// The value of digits, held at [`EXPONENT_LIMIT`].
fn saturating(digits: &[u8]) -> i64 {
    digits.iter().fold(0_i64, |sum, digit| (sum * 10 + i64::from(digit - b'0')).min(EXPONENT_LIMIT))
}
