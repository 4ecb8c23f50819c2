//! Percent-encoded text: segments of a path, and the pairs of a query.

use std::borrow::Cow;

/// The text that a segment of a path stands for; none where it is not whole or no UTF-8.
pub(super) fn segment(text: &str) -> Option<Cow<'_, str>> {
    decoded(text, false)
}

/// The pairs of a query, in order; none where one is not whole or no UTF-8.
pub(super) fn pairs(query: &str) -> Option<Vec<(String, String)>> {
    let pair = |text: &str| {
        let (key, value) = text.split_once('=').unwrap_or((text, ""));
        Some((decoded(key, true)?.into_owned(), decoded(value, true)?.into_owned()))
    };
    query.split('&').filter(|text| !text.is_empty()).map(pair).collect()
}

/// Undoes the encoding; in a query a `+` is a space.
fn decoded(text: &str, is_query: bool) -> Option<Cow<'_, str>> {
    if !text.bytes().any(|byte| byte == b'%' || (is_query && byte == b'+')) {
        return Some(Cow::Borrowed(text));
    }
    let mut bytes = text.bytes();
    let mut plain = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        plain.push(match byte {
            b'%' => digit(bytes.next()?)? << 4 | digit(bytes.next()?)?,
            b'+' if is_query => b' ',
            byte => byte,
        });
    }
    String::from_utf8(plain).ok().map(Cow::Owned)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}
