//! Tokens cover every byte of a text, and its places can be counted in every unit and back.

use jadpo_syntax::{LineIndex, print, tokens};

/// Tries a text.
pub fn holds(text: &str) {
    let tokens = tokens(text);
    let mut end = 0;
    for token in &tokens {
        assert_eq!(token.span.start, end, "{token:?} does not begin where the last token ended");
        assert!(token.span.end > end, "{token:?} holds nothing");
        end = token.span.end;
        assert!(text.is_char_boundary(end as usize), "{token:?} ends inside a character");
    }
    assert_eq!(end as usize, text.len(), "the tokens end before the text does");
    assert_eq!(print(text, &tokens), text);
    let lines = LineIndex::new(text);
    let mut last = lines.scalar(text, 0);
    for token in tokens.iter().take(PLACES_MAX) {
        let at = token.span.start;
        let (utf8, utf16, scalar) = (lines.utf8(text, at), lines.utf16(text, at), lines.scalar(text, at));
        assert_eq!(utf8.line, utf16.line, "at {at}");
        assert_eq!(utf8.line + 1, scalar.line, "at {at}");
        assert_eq!(lines.offset_utf8(text, utf8), at);
        assert_eq!(lines.offset_utf16(text, utf16), at);
        assert!(scalar >= last, "{scalar:?} at {at} stands before {last:?}");
        last = scalar;
    }
}

/// How many places are counted: each is counted from the start of its line, so that all of a long line take long.
const PLACES_MAX: usize = 2_000;
