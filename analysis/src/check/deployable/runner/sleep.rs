//! One sleep of the loop: a duration that is neither a spin nor a stop.

use jadpo_syntax::tree::{Number, NumberLit, Value, ValueKind};

use crate::check::Check;
use crate::decimal::Decimal;
use crate::diagnostics::codes::app;
use crate::keys::{DURATION_MAX_MS, Fields, duration_of, duration_text};
use crate::values;

/// The shortest sleep.
const MIN_MS: i64 = 100;
/// The longest that a bare number is taken for, in seconds.
const SECONDS_MAX: i128 = 60;

/// What a sleep may be, besides at least [`MIN_MS`].
pub struct Sleep {
    /// Whether `0` turns it off.
    off: bool,
    max_ms: i64,
    expected: &'static str,
}

/// A sleep of a loop that is full.
pub const AT_CAPACITY: Sleep =
    Sleep { off: true, max_ms: 60_000, expected: "`0`, or a duration from `100ms` to `60s`" };

/// A sleep after errors.
pub const BACKOFF: Sleep =
    Sleep { off: false, max_ms: DURATION_MAX_MS, expected: "a duration of at least `100ms`" };

impl Sleep {
    /// In milliseconds, 0 where it is turned off; the default where none is written, `None` for what is none.
    pub fn ms(&self, fields: Fields<'_>, key: &str) -> Option<u64> {
        if fields.entry(key).is_none() {
            return u64::try_from(duration_of(fields.default(key)?)?).ok();
        }
        let value = fields.value(key)?;
        if self.off && is_zero(value) {
            return Some(0);
        }
        let ms = values::duration_ms(value).filter(|ms| (MIN_MS..=self.max_ms).contains(ms))?;
        u64::try_from(ms).ok()
    }

    /// Reports a value that is no sleep, with the one that was most likely meant.
    pub fn check(&self, cx: &mut Check<'_>, fields: Fields<'_>, key: &str) {
        let Some(value) = fields.value(key) else { return };
        if self.ms(fields, key).is_some() {
            return;
        }
        let place = cx.at(value.span);
        let ValueKind::Number(number) = &value.kind else {
            let written = match &value.kind {
                ValueKind::Type(expr, _) => format!("`{}`", expr.path_text()),
                _ => values::form_of(value).to_owned(),
            };
            let message = format!("`{key}` takes {}, not {written}", self.expected);
            cx.report(app::DEPLOYABLE_VALUE_INVALID, value.span, message);
            return;
        };
        let default = fields.default(key).unwrap_or("1s");
        let Some(misfit) = Misfit::of(self, number, default) else { return };
        let message = format!("`{key}` {}", misfit.why);
        let finding = cx.report(app::DEPLOYABLE_VALUE_INVALID, value.span, message);
        finding.help(format!("did you mean `{}`?", misfit.meant));
        let title = format!("write `{}`", misfit.meant);
        if misfit.certain {
            finding.fix(title, place, misfit.meant);
        } else {
            finding.suggest(title, place, misfit.meant);
        }
    }

    /// As one would write it, the longest in seconds.
    fn text(&self, ms: i64) -> String {
        match ms.clamp(MIN_MS, self.max_ms) {
            60_000 => "60s".to_owned(),
            ms => duration_text(ms),
        }
    }
}

/// Whether it is a bare `0`, which turns a sleep off.
fn is_zero(value: &Value) -> bool {
    matches!(&value.kind, ValueKind::Number(number) if number.number == Number::Int(0))
}

/// Why a number is no sleep.
struct Misfit {
    why: String,
    meant: String,
    /// Whether nothing else can have been meant.
    certain: bool,
}

impl Misfit {
    /// `None` for a number that the syntax has refused.
    fn of(sleep: &Sleep, number: &NumberLit, default: &str) -> Option<Self> {
        let (written, expected) = (&number.text, sleep.expected);
        Some(match &number.number {
            Number::Invalid => return None,
            Number::Int(count @ 1..=99) => {
                Self { why: hardly(written, &seconds(*count)), meant: seconds(*count), certain: false }
            }
            Number::Int(count) if *count > 0 => Self {
                why: format!("takes {expected}, not the bare number `{written}`"),
                meant: sleep.text(i64::try_from(*count).unwrap_or(i64::MAX)),
                certain: false,
            },
            Number::Decimal(text) => Self {
                why: format!("takes {expected}, not the bare number `{written}`"),
                meant: of_decimal(sleep, text, default),
                certain: false,
            },
            Number::Duration(Some(0)) if sleep.off => Self {
                why: format!("is turned off by a bare `0`, not by `{written}`"),
                meant: "0".to_owned(),
                certain: true,
            },
            Number::Duration(Some(ms @ 1..=99)) => Self {
                why: hardly(written, &seconds(i128::from(*ms))),
                meant: seconds(i128::from(*ms)),
                certain: false,
            },
            Number::Duration(Some(0)) => Self {
                why: format!("takes {expected}; `{written}` is shorter"),
                meant: default.to_owned(),
                certain: false,
            },
            Number::Duration(_) => Self {
                why: format!(
                    "takes at most `{longest}`; `{written}` is longer",
                    longest = sleep.text(sleep.max_ms)
                ),
                meant: sleep.text(sleep.max_ms),
                certain: false,
            },
            Number::Int(_) | Number::Size(_) => Self {
                why: format!("takes {expected}, not `{written}`"),
                meant: default.to_owned(),
                certain: false,
            },
        })
    }
}

/// What is wrong with one to 99 milliseconds, however they are written.
fn hardly(written: &str, seconds: &str) -> String {
    let ms = if written.ends_with("ms") { "" } else { " is read as milliseconds, and so" };
    format!("of `{written}`{ms} hardly sleeps; `{seconds}` was most likely meant")
}

/// The same number in seconds, at most the longest sleep.
fn seconds(count: i128) -> String {
    format!("{}s", count.clamp(1, SECONDS_MAX))
}

/// A bare decimal was most likely meant in seconds.
fn of_decimal(sleep: &Sleep, text: &str, default: &str) -> String {
    let whole = |text: &str| Decimal::parse(text).and_then(|decimal| decimal.to_string().parse::<i64>().ok());
    let (int, fraction) = text.split_once('.').unwrap_or((text, ""));
    let thousandths: String = fraction.chars().chain("000".chars()).take(3).collect();
    match whole(&format!("{int}{thousandths}")) {
        Some(0) if sleep.off => "0".to_owned(),
        Some(ms) if ms > 0 => sleep.text(ms),
        _ => default.to_owned(),
    }
}
