//! Exact decimals as the runtime keeps them: at most 96 bits of digits, at most 28 of them after the point.

use std::cmp::Ordering;
use std::fmt;

/// The digits after the point that a decimal may have.
const SCALE_MAX: u32 = 28;

/// `digits` × 10^-`scale`, without zeros at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decimal {
    digits: i128,
    scale: u32,
}

impl Decimal {
    /// A text of digits with at most one point and perhaps a `-` before; `None` for more digits than fit.
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let fraction = fraction.trim_end_matches('0');
        let digits: i128 = format!("{whole}{fraction}").parse().ok()?;
        let scale = u32::try_from(fraction.len()).ok()?;
        (digits.unsigned_abs() >> 96 == 0 && scale <= SCALE_MAX).then_some(Self { digits, scale })
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        let parts = |it: &Self| {
            let unit = 10_i128.pow(it.scale);
            (it.digits.div_euclid(unit), it.digits.rem_euclid(unit) * 10_i128.pow(SCALE_MAX - it.scale))
        };
        parts(self).cmp(&parts(other))
    }
}

impl fmt::Display for Decimal {
    /// The canonical form: no exponent, no zeros at the end, no `-0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.digits < 0 { "-" } else { "" };
        let digits = self.digits.unsigned_abs();
        if self.scale == 0 {
            return write!(f, "{sign}{digits}");
        }
        let unit = 10_u128.pow(self.scale);
        let width = self.scale as usize;
        write!(f, "{sign}{}.{:0width$}", digits / unit, digits % unit)
    }
}

#[cfg(test)]
mod tests {
    use super::Decimal;

    fn canonical(text: &str) -> Option<String> {
        Decimal::parse(text).map(|decimal| decimal.to_string())
    }

    #[test]
    fn one_value_has_one_text() {
        assert_eq!(canonical("60.00").as_deref(), Some("60"));
        assert_eq!(canonical("-0.0").as_deref(), Some("0"));
        assert_eq!(canonical("-0.050").as_deref(), Some("-0.05"));
        assert_eq!(canonical("007").as_deref(), Some("7"));
    }

    #[test]
    fn what_does_not_fit_is_none() {
        assert_eq!(
            canonical("79228162514264337593543950335").as_deref(),
            Some("79228162514264337593543950335")
        );
        assert_eq!(canonical("79228162514264337593543950336"), None);
        assert_eq!(canonical("0.00000000000000000000000000001"), None);
        assert_eq!(canonical(""), None);
    }

    #[test]
    fn order_is_that_of_values() {
        let ordered = ["-90", "-1.5", "-1.25", "0", "0.1", "1", "79228162514264337593543950335"];
        let ordered = ordered.map(|text| Decimal::parse(text).expect("it fits"));
        assert!(ordered.is_sorted());
    }
}
