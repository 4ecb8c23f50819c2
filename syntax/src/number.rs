//! Number tokens: what each means, and the nearest form of one that means nothing.

use crate::Span;
use crate::problem::{NUMBER_INVALID, Problem};
use crate::tree::Number;

const DURATIONS: [(&str, i64); 5] =
    [("ms", 1), ("s", 1_000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
const SIZES: [(&str, u64); 3] = [("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30)];

/// Judges a number token. Durations are in milliseconds, sizes in bytes.
pub(crate) fn judge(text: &str) -> Number {
    let (negative, rest) = sign(text);
    let (digits, unit) = rest.split_at(rest.find(|c: char| !is_digit(c)).unwrap_or(rest.len()));
    if let Some(fraction) = unit.strip_prefix('.') {
        return match (clean(digits), clean(fraction)) {
            (Some(whole), Some(fraction)) => decimal(negative, &whole, &fraction),
            _ => Number::Invalid,
        };
    }
    let Some(digits) = clean(digits) else { return Number::Invalid };
    if unit.is_empty() {
        let Ok(value) = digits.parse::<i128>() else { return Number::Invalid };
        return Number::Int(if negative { -value } else { value });
    }
    if let Some((_, factor)) = DURATIONS.iter().find(|(name, _)| *name == unit) {
        let value = digits.parse::<i64>().ok().and_then(|count| count.checked_mul(*factor));
        return Number::Duration(value.map(|value| if negative { -value } else { value }));
    }
    match SIZES.iter().find(|(name, _)| *name == unit) {
        Some((_, factor)) if !negative => {
            Number::Size(digits.parse::<u64>().ok().and_then(|count| count.checked_mul(*factor)))
        }
        _ => Number::Invalid,
    }
}

/// The problem of a token that [`judge`] finds invalid.
pub(crate) fn problem(text: &str, span: Span) -> Problem {
    let problem = Problem::new(NUMBER_INVALID, span, format!("`{text}` is no number of a known unit"));
    match nearest(text) {
        Some(nearest) => problem.with_help(format!("did you mean `{nearest}`?")).with_edit(
            format!("write `{nearest}`"),
            span,
            nearest,
        ),
        None => {
            problem.with_help("durations are in ms, s, m, h or d, sizes in KiB, MiB or GiB: `90s`, `8MiB`")
        }
    }
}

/// The nearest form that [`judge`] accepts, if the meaning is plain.
fn nearest(text: &str) -> Option<String> {
    let (negative, rest) = sign(text);
    let plain = rest.replace('_', "");
    let found = grouped(&plain)
        .or_else(|| exponent(&plain))
        .or_else(|| radix(&plain))
        .or_else(|| composed(&plain))
        .or_else(|| sized(&plain))?;
    let size = SIZES.iter().any(|(unit, _)| found.ends_with(unit));
    let signed = if negative && !size { format!("-{found}") } else { found };
    (!matches!(judge(&signed), Number::Invalid | Number::Duration(None) | Number::Size(None)))
        .then_some(signed)
}

/// Digits that only had a point or an underscore too many: `1_`, `5.`.
fn grouped(plain: &str) -> Option<String> {
    let plain = plain.strip_suffix('.').unwrap_or(plain);
    (!matches!(judge(plain), Number::Invalid)).then(|| plain.to_owned())
}

/// `1e3` as `1000`.
fn exponent(plain: &str) -> Option<String> {
    let (mantissa, exponent) = plain.split_once(['e', 'E'])?;
    let exponent: i32 = exponent.parse().ok().filter(|exponent: &i32| exponent.unsigned_abs() <= 18)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() || !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let digits = format!("{whole}{fraction}");
    let point = i32::try_from(whole.len()).ok()? + exponent;
    let length = i32::try_from(digits.len()).ok()?;
    let written = if point <= 0 {
        format!("0.{}{digits}", "0".repeat(usize::try_from(-point).ok()?))
    } else if point >= length {
        format!("{digits}{}", "0".repeat(usize::try_from(point - length).ok()?))
    } else {
        let (whole, fraction) = digits.split_at(usize::try_from(point).ok()?);
        format!("{whole}.{fraction}")
    };
    let zeros = written.len() - written.trim_start_matches('0').len();
    let written =
        if written[zeros..].starts_with(|c: char| c.is_ascii_digit()) { &written[zeros..] } else { &written };
    let short =
        if written.contains('.') { written.trim_end_matches('0').trim_end_matches('.') } else { written };
    Some(short.to_owned())
}

/// `0x10` as `16`.
fn radix(plain: &str) -> Option<String> {
    let lower = plain.to_ascii_lowercase();
    let (digits, radix) = lower
        .strip_prefix("0x")
        .map(|digits| (digits, 16))
        .or_else(|| lower.strip_prefix("0b").map(|digits| (digits, 2)))
        .or_else(|| lower.strip_prefix("0o").map(|digits| (digits, 8)))?;
    i64::from_str_radix(digits, radix).ok().map(|value| value.to_string())
}

/// `1h30m` as `90m`, `1.5m` as `90s`, `5min` as `5m`.
fn composed(plain: &str) -> Option<String> {
    let mut rest = plain;
    let mut total: i64 = 0;
    let mut smallest = i64::MAX;
    while !rest.is_empty() {
        let (count, unit, after) = quantity(rest)?;
        let factor = duration_factor(unit)?;
        total = total.checked_add(scaled(count, factor)?)?;
        smallest = smallest.min(factor);
        rest = after;
    }
    let exact = |factor: i64| total % factor == 0;
    // `24h` written as `24hours` stays in hours: the unit changes only where it must.
    let factor = if exact(smallest) && smallest >= 1 {
        smallest
    } else {
        DURATIONS.iter().rev().map(|(_, factor)| *factor).find(|factor| exact(*factor))?
    };
    let (unit, factor) = DURATIONS.iter().rev().find(|(_, known)| factor % known == 0)?;
    Some(format!("{}{unit}", total / factor))
}

/// `8MB` as `8MiB`, `1.5GB` as `1536MiB`.
fn sized(plain: &str) -> Option<String> {
    let (count, unit, after) = quantity(plain)?;
    let lower = unit.to_ascii_lowercase();
    let letter = lower.strip_suffix("ib").or_else(|| lower.strip_suffix('b')).unwrap_or(&lower);
    let power = match letter {
        "" if lower == "b" => 0,
        "k" | "kilo" => 1,
        "m" | "mega" => 2,
        "g" | "giga" => 3,
        "t" | "tera" => 4,
        _ => return None,
    };
    if !after.is_empty() {
        return None;
    }
    let total = u64::try_from(scaled(count, 1 << (10 * power))?).ok()?;
    let (unit, factor) = SIZES.iter().rev().find(|(_, factor)| total.is_multiple_of(*factor) && total > 0)?;
    Some(format!("{}{unit}", total / factor))
}

/// The first count and its letters, and what is after them.
fn quantity(text: &str) -> Option<(&str, &str, &str)> {
    let count = text.find(|c: char| !c.is_ascii_digit() && c != '.').filter(|end| *end > 0)?;
    let letters = text[count..].find(|c: char| c.is_ascii_digit() || c == '.').unwrap_or(text.len() - count);
    Some((&text[..count], &text[count..count + letters], &text[count + letters..]))
}

/// `count` times `factor`, if that is whole.
fn scaled(count: &str, factor: i64) -> Option<i64> {
    let (whole, fraction) = count.split_once('.').unwrap_or((count, ""));
    let scale = 10_i64.checked_pow(u32::try_from(fraction.len()).ok()?)?;
    let digits: i64 = format!("{whole}{fraction}").parse().ok()?;
    let product = i128::from(digits) * i128::from(factor);
    (product % i128::from(scale) == 0).then(|| i64::try_from(product / i128::from(scale)).ok())?
}

fn duration_factor(unit: &str) -> Option<i64> {
    let lower = unit.to_lowercase();
    Some(match &*lower {
        "ms" | "msec" | "msecs" | "milli" | "millis" | "millisecond" | "milliseconds" => 1,
        "s" | "sec" | "secs" | "second" | "seconds" => 1_000,
        // A capital `M` is as often a size, so it is left alone.
        "m" if unit == "m" => 60_000,
        "min" | "mins" | "minute" | "minutes" => 60_000,
        "h" | "hr" | "hrs" | "hour" | "hours" => 3_600_000,
        "d" | "day" | "days" => 86_400_000,
        "w" | "wk" | "wks" | "week" | "weeks" => 7 * 86_400_000,
        _ => return None,
    })
}

fn decimal(negative: bool, whole: &str, fraction: &str) -> Number {
    let sign = if negative { "-" } else { "" };
    Number::Decimal(format!("{sign}{whole}.{fraction}").into())
}

fn sign(text: &str) -> (bool, &str) {
    text.strip_prefix('-').map_or((false, text), |rest| (true, rest))
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || c == '_'
}

/// `digits` without its underscores, each of which stands between two digits.
fn clean(digits: &str) -> Option<String> {
    let stray = digits.starts_with('_') || digits.ends_with('_') || digits.contains("__");
    let plain = digits.replace('_', "");
    (!stray && !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit())).then_some(plain)
}
