//! Tokens of JSON text: strings and their escapes, found without copying.

use std::borrow::Cow;

/// A string's content as it stands between its quotes.
#[derive(Clone, Copy)]
pub(super) struct Raw<'a> {
    pub(super) text: &'a str,
    /// Whether it holds a backslash.
    pub(super) escaped: bool,
}

/// Why no string could be read.
pub(super) enum StringError {
    /// The text is no JSON at this byte.
    Syntax { at: usize, wanted: &'static str },
    /// The string, which ends before this byte, holds half of a surrogate pair.
    Lone { end: usize },
}

impl<'a> Raw<'a> {
    /// What the string says.
    pub(super) fn content(self) -> Cow<'a, str> {
        if self.escaped { Cow::Owned(unescape(self.text)) } else { Cow::Borrowed(self.text) }
    }
}

/// The string whose opening quote stands at `open`, and the byte after its closing one.
pub(super) fn string(text: &str, open: usize) -> Result<(Raw<'_>, usize), StringError> {
    let bytes = text.as_bytes();
    let from = open + 1;
    let mut at = special(bytes, from);
    if bytes.get(at) == Some(&b'"') {
        return Ok((Raw { text: &text[from..at], escaped: false }, at + 1));
    }
    let mut lone = false;
    loop {
        match bytes.get(at) {
            Some(b'"') => break,
            Some(b'\\') => at = escape(bytes, at, &mut lone)?,
            Some(_) => {
                return Err(StringError::Syntax { at, wanted: "no bare control character in a string" });
            }
            None => return Err(StringError::Syntax { at, wanted: "the end of the string" }),
        }
        at = special(bytes, at);
    }
    if lone {
        return Err(StringError::Lone { end: at + 1 });
    }
    Ok((Raw { text: &text[from..at], escaped: true }, at + 1))
}

/// The first byte at or after `from` that is a quote, a backslash or a control character, looked for eight at a time.
#[inline]
pub(super) fn special(bytes: &[u8], from: usize) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word & HIGH;
    let mut at = from;
    while let Some(chunk) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(chunk.try_into().expect("the chunk is eight bytes long"));
        let quote = zero(word ^ (ONES * u64::from(b'"')));
        let slash = zero(word ^ (ONES * u64::from(b'\\')));
        let control = word.wrapping_sub(ONES * 0x20) & !word & HIGH;
        let found = quote | slash | control;
        if found != 0 {
            return at + (found.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while bytes.get(at).is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..0x20)) {
        at += 1;
    }
    at
}

/// Passes over the escape at `at`.
fn escape(bytes: &[u8], at: usize, lone: &mut bool) -> Result<usize, StringError> {
    match bytes.get(at + 1) {
        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => Ok(at + 2),
        Some(b'u') => {
            let unit = hex_unit(bytes, at + 2)
                .ok_or(StringError::Syntax { at, wanted: "four hexadecimal digits" })?;
            let pair = matches!(unit, 0xd800..0xdc00) && bytes.get(at + 6..at + 8) == Some(b"\\u");
            if pair && matches!(hex_unit(bytes, at + 8), Some(0xdc00..0xe000)) {
                return Ok(at + 12);
            }
            *lone |= matches!(unit, 0xd800..0xe000);
            Ok(at + 6)
        }
        _ => Err(StringError::Syntax { at, wanted: "an escape of JSON" }),
    }
}

fn hex_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let digits = bytes.get(at..at + 4)?;
    digits.iter().try_fold(0, |unit, digit| Some(unit * 16 + char::from(*digit).to_digit(16)?))
}

/// The text of a string's content whose escapes were checked; half a surrogate pair becomes U+FFFD, for places only.
pub(super) fn unescape(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(slash) = slash_in(rest.as_bytes()) {
        text.push_str(&rest[..slash]);
        let bytes = rest.as_bytes();
        let (char, length) = match bytes.get(slash + 1) {
            Some(b'u') => unicode(bytes, slash),
            Some(b'b') => ('\u{8}', 2),
            Some(b'f') => ('\u{c}', 2),
            Some(b'n') => ('\n', 2),
            Some(b'r') => ('\r', 2),
            Some(b't') => ('\t', 2),
            Some(other) => (char::from(*other), 2),
            None => ('\\', 1),
        };
        text.push(char);
        rest = rest.get(slash + length..).unwrap_or("");
    }
    text.push_str(rest);
    text
}

/// Where the next escape begins. Nothing else that [`special`] finds stands between quotes.
fn slash_in(content: &[u8]) -> Option<usize> {
    let at = special(content, 0);
    if content.get(at) == Some(&b'\\') { Some(at) } else { None }
}

/// The character of the `\u` escape at `slash`, and how many bytes spell it.
fn unicode(bytes: &[u8], slash: usize) -> (char, usize) {
    let unit = hex_unit(bytes, slash + 2).unwrap_or(0xfffd);
    if matches!(unit, 0xd800..0xdc00)
        && let Some(low @ 0xdc00..0xe000) = hex_unit(bytes, slash + 8)
    {
        let code = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        return (char::from_u32(code).unwrap_or('\u{fffd}'), 12);
    }
    (char::from_u32(unit).unwrap_or('\u{fffd}'), 6)
}

/// The byte after the number at `from`, or where its grammar is broken.
pub(super) fn number_end(bytes: &[u8], from: usize) -> Result<usize, usize> {
    let digits = |mut at: usize| {
        while bytes.get(at).is_some_and(u8::is_ascii_digit) {
            at += 1;
        }
        at
    };
    let whole = from + usize::from(bytes.get(from) == Some(&b'-'));
    let mut at = digits(whole);
    if at == whole || (at > whole + 1 && bytes[whole] == b'0') {
        return Err(whole);
    }
    if bytes.get(at) == Some(&b'.') {
        let fraction = at + 1;
        at = digits(fraction);
        if at == fraction {
            return Err(at);
        }
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let exponent = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        at = digits(exponent);
        if at == exponent {
            return Err(at);
        }
    }
    Ok(at)
}
