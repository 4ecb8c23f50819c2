//! Constraints of types, checked alike by generated code and by the interpreter.

use std::sync::OnceLock;

use regex_lite::Regex;
use rust_decimal::Decimal;

use super::error::ConstraintError;
use super::number::Number;

/// What a value is held to.
pub trait Check<T> {
    /// Whether `value` keeps it.
    fn check(&self, value: &T) -> Result<(), ConstraintError>;
}

/// A newtype of generated code whose values keep constraints.
pub trait Constrained {
    /// What it holds.
    type Inner;

    /// Whether it may hold `value`.
    fn check(value: &Self::Inner) -> Result<(), ConstraintError>;
}

/// Constraints of a text, as a constant of generated code.
pub struct TextCheck {
    min: Option<u64>,
    max: Option<u64>,
    pattern: Option<&'static str>,
    compiled: OnceLock<Option<Regex>>,
}

/// Constraints of an integer.
pub struct IntCheck {
    min: Option<i64>,
    max: Option<i64>,
}

/// Constraints of a decimal, its bounds as decimal text.
pub struct DecimalCheck {
    min: Option<&'static str>,
    max: Option<&'static str>,
}

/// Constraints of a list's length.
pub struct ItemsCheck {
    min: Option<u64>,
    max: Option<u64>,
}

impl TextCheck {
    /// Lengths in Unicode scalar values; the pattern matches the whole.
    pub const fn new(min: Option<u64>, max: Option<u64>, pattern: Option<&'static str>) -> Self {
        Self { min, max, pattern, compiled: OnceLock::new() }
    }

    /// Whether `text` keeps them.
    pub fn check(&self, text: &str) -> Result<(), ConstraintError> {
        check_length(self.min, self.max, text)?;
        let Some(pattern) = self.pattern else { return Ok(()) };
        check_pattern(self.compiled.get_or_init(|| whole_pattern(pattern)).as_ref(), pattern, text)
    }
}

impl IntCheck {
    /// Both bounds are allowed values.
    pub const fn new(min: Option<i64>, max: Option<i64>) -> Self {
        Self { min, max }
    }

    /// Whether `value` keeps them.
    pub fn check(&self, value: i64) -> Result<(), ConstraintError> {
        check_range(self.min.as_ref(), self.max.as_ref(), &value)
    }
}

impl DecimalCheck {
    /// Both bounds are allowed values.
    pub const fn new(min: Option<&'static str>, max: Option<&'static str>) -> Self {
        Self { min, max }
    }

    /// Whether `value` keeps them.
    pub fn check(&self, value: &Decimal) -> Result<(), ConstraintError> {
        check_decimal(self.min, self.max, value)
    }
}

impl ItemsCheck {
    /// Both bounds are allowed lengths.
    pub const fn new(min: Option<u64>, max: Option<u64>) -> Self {
        Self { min, max }
    }

    /// Whether `items` keeps them.
    pub fn check<T>(&self, items: &[T]) -> Result<(), ConstraintError> {
        check_items(self.min, self.max, items.len())
    }
}

impl<T, C: Check<T>> Check<T> for &C {
    fn check(&self, value: &T) -> Result<(), ConstraintError> {
        (**self).check(value)
    }
}

impl Check<String> for TextCheck {
    fn check(&self, value: &String) -> Result<(), ConstraintError> {
        self.check(value.as_str())
    }
}

impl Check<i64> for IntCheck {
    fn check(&self, value: &i64) -> Result<(), ConstraintError> {
        self.check(*value)
    }
}

impl Check<Decimal> for DecimalCheck {
    fn check(&self, value: &Decimal) -> Result<(), ConstraintError> {
        self.check(value)
    }
}

impl<T> Check<Vec<T>> for ItemsCheck {
    fn check(&self, value: &Vec<T>) -> Result<(), ConstraintError> {
        self.check(value.as_slice())
    }
}

/// The pattern as it is matched: against all of a text. `None` where it is no pattern by itself.
pub(super) fn whole_pattern(pattern: &str) -> Option<Regex> {
    Regex::new(pattern).ok()?;
    Regex::new(&format!("\\A(?:{pattern})\\z")).ok()
}

pub(super) fn check_pattern(
    compiled: Option<&Regex>,
    pattern: &str,
    text: &str,
) -> Result<(), ConstraintError> {
    match compiled {
        Some(regex) if regex.is_match(text) => Ok(()),
        Some(_) => Err(ConstraintError::new(format!("text that matches {pattern:?}"))),
        None => Err(ConstraintError::new(format!("a pattern, where {pattern:?} is none"))),
    }
}

pub(super) fn check_length(min: Option<u64>, max: Option<u64>, text: &str) -> Result<(), ConstraintError> {
    if min.is_none() && max.is_none() {
        return Ok(());
    }
    check_count(min, max, text.chars().count(), ("text", "characters"))
}

pub(super) fn check_items(min: Option<u64>, max: Option<u64>, length: usize) -> Result<(), ConstraintError> {
    check_count(min, max, length, ("a list", "items"))
}

pub(super) fn check_int(min: Option<&str>, max: Option<&str>, value: i64) -> Result<(), ConstraintError> {
    let bound = |text: Option<&str>| Number::parse(text?.as_bytes())?.integer();
    check_range(bound(min).as_ref(), bound(max).as_ref(), &value)
}

pub(super) fn check_decimal(
    min: Option<&str>,
    max: Option<&str>,
    value: &Decimal,
) -> Result<(), ConstraintError> {
    let bound = |text: Option<&str>| Number::parse(text?.as_bytes())?.decimal();
    check_range(bound(min).as_ref(), bound(max).as_ref(), value)
}

fn check_range<T: Ord + std::fmt::Display>(
    min: Option<&T>,
    max: Option<&T>,
    value: &T,
) -> Result<(), ConstraintError> {
    match (min, max) {
        (Some(min), _) if value < min => Err(ConstraintError::new(format!("a number of at least {min}"))),
        (_, Some(max)) if value > max => Err(ConstraintError::new(format!("a number of at most {max}"))),
        _ => Ok(()),
    }
}

fn check_count(
    min: Option<u64>,
    max: Option<u64>,
    count: usize,
    (what, unit): (&str, &str),
) -> Result<(), ConstraintError> {
    let count = count as u64;
    match (min, max) {
        (Some(min), _) if count < min => {
            Err(ConstraintError::new(format!("{what} of at least {min} {unit}")))
        }
        (_, Some(max)) if count > max => Err(ConstraintError::new(format!("{what} of at most {max} {unit}"))),
        _ => Ok(()),
    }
}
