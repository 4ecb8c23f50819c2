//! Reading scalars: which JSON values each takes.

use std::borrow::Cow;

use rust_decimal::Decimal;
use url::Url;
use uuid::Uuid;

use super::error::Mismatch;
use super::number::{Number, small_decimal};
use super::reader::{MAX_SCALAR, Reader};

/// What an integer is, for people.
const WANTED_INT: &str = "an integer of 64 bits";
const WANTED_DECIMAL: &str = "a decimal of at most 28 digits";

impl<'a> Reader<'a> {
    /// Reads text, without copying it where it holds no escape.
    pub fn text(&mut self) -> Result<Cow<'a, str>, Mismatch> {
        self.string("text").map(super::scan::Raw::content)
    }

    /// Reads text of any length that `parse` understands.
    pub(super) fn scalar<T>(
        &mut self,
        wanted: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Mismatch> {
        let text = self.string(wanted)?.content();
        parse(&text).ok_or_else(|| self.mismatch(wanted))
    }

    /// Reads text that is never long and that `parse` understands.
    pub(super) fn short<T>(
        &mut self,
        wanted: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T, Mismatch> {
        if self.begin() != Some(b'"') {
            return Err(self.reject(wanted));
        }
        let text = self.short_string(wanted)?;
        parse(&text).ok_or_else(|| self.mismatch(wanted))
    }

    /// Reads a number, or one in quotes, that `convert` can take.
    pub(super) fn number<T>(
        &mut self,
        wanted: &str,
        convert: impl FnOnce(&Number<'_>) -> Option<T>,
    ) -> Result<T, Mismatch> {
        match self.begin() {
            Some(b'"') => {
                let text = self.short_string(wanted)?;
                Number::parse(text.as_bytes()).and_then(|number| convert(&number))
            }
            Some(b'-' | b'0'..=b'9') => {
                let window = self.number_window();
                let Some((number, length)) = Number::split(window) else {
                    return Err(self.broken_number(wanted));
                };
                if length >= MAX_SCALAR {
                    return Err(self.too_long(wanted));
                }
                self.position += length;
                convert(&number)
            }
            _ => return Err(self.reject(wanted)),
        }
        .ok_or_else(|| self.mismatch(wanted))
    }

    /// Reads a number of any length that `convert` can take.
    pub(crate) fn any_number<T>(
        &mut self,
        convert: impl FnOnce(Number<'a>) -> Option<T>,
    ) -> Result<T, Mismatch> {
        self.begin();
        self.skip_number()?;
        let number = Number::parse(self.raw().as_bytes()).and_then(convert);
        number.ok_or_else(|| self.mismatch("a number whose exponent has at most 17 digits"))
    }

    /// Reads an integer.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method's path has one lifetime, not any"
    )]
    pub(super) fn int(&mut self) -> Result<i64, Mismatch> {
        match self.small_int() {
            Some(value) => Ok(value),
            None => self.number(WANTED_INT, |number| number.integer()),
        }
    }

    /// Reads a decimal.
    #[expect(
        clippy::redundant_closure_for_method_calls,
        reason = "the method's path has one lifetime, not any"
    )]
    pub(super) fn decimal(&mut self) -> Result<Decimal, Mismatch> {
        let quoted = self.begin() == Some(b'"');
        let digits = self.rest().get(usize::from(quoted)..).unwrap_or(&[]);
        if let Some((value, length)) = small_decimal(digits)
            && (!quoted || digits.get(length) == Some(&b'"'))
        {
            self.position += length + 2 * usize::from(quoted);
            return Ok(value);
        }
        self.number(WANTED_DECIMAL, |number| number.decimal())
    }

    /// Reads `true` or `false`.
    pub(super) fn bool(&mut self) -> Result<bool, Mismatch> {
        match self.begin() {
            Some(b't') => self.word("true").map(|()| true),
            Some(b'f') => self.word("false").map(|()| false),
            _ => Err(self.reject("true or false")),
        }
    }

    /// The integer of at most 18 digits that begins here, written plainly.
    #[inline]
    pub(super) fn small_int(&mut self) -> Option<i64> {
        let first = self.begin()?;
        let rest = self.rest();
        let negative = first == b'-';
        let digits = &rest[usize::from(negative)..];
        let mut value = 0_i64;
        let mut length = 0;
        while let Some(digit) =
            digits.get(length).map(|byte| byte.wrapping_sub(b'0')).filter(|digit| *digit < 10)
        {
            if length == 18 {
                return None;
            }
            value = value * 10 + i64::from(digit);
            length += 1;
        }
        let leading_zero = length > 1 && digits[0] == b'0';
        if length == 0 || leading_zero || matches!(digits.get(length), Some(b'.' | b'e' | b'E')) {
            return None;
        }
        self.position += length + usize::from(negative);
        Some(if negative { -value } else { value })
    }

    /// A number whose grammar is broken, or that its window cuts in two.
    #[cold]
    fn broken_number(&mut self, wanted: &str) -> Mismatch {
        let window = self.number_window();
        let numeric = |byte: &u8| matches!(byte, b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E');
        if window.len() == MAX_SCALAR && window.iter().all(numeric) {
            return self.too_long(wanted);
        }
        match self.skip_number() {
            Ok(()) => self.mismatch(wanted),
            Err(mismatch) => mismatch,
        }
    }
}

/// The UUID that `text` is, in hyphenated form and any case.
pub(super) fn parse_uuid(text: &str) -> Option<Uuid> {
    if text.len() == 36 { Uuid::try_parse(text).ok() } else { None }
}

/// The absolute URL that `text` is; white space and control characters, which the parser would drop, are refused.
pub(super) fn parse_url(text: &str) -> Option<Url> {
    if text.bytes().any(|byte| byte <= b' ' || byte == 0x7f) { None } else { Url::parse(text).ok() }
}

/// The canonical text of a decimal: no exponent, no zeros at the end, no minus before zero.
pub(super) fn decimal_text(value: &Decimal) -> String {
    value.normalize().to_string()
}
