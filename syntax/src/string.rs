//! String literals: what they mean, and escapes that are none.

use crate::Span;
use crate::problem::{CHARACTER_INVALID, ESCAPE_UNKNOWN, Problem};

/// The value of a literal as written, quotes included. An escape that is none stands for itself.
pub(crate) fn value(literal: &str) -> Box<str> {
    let inner = inner(literal);
    if !inner.contains('\\') {
        return inner.into();
    }
    let mut value = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        value.push_str(&rest[..at]);
        let (meaning, length) = escape(&rest[at..]);
        match meaning {
            Some(c) => value.push(c),
            None => value.push_str(&rest[at..at + length]),
        }
        rest = &rest[at + length..];
    }
    value.push_str(rest);
    value.into()
}

/// What is wrong inside the literal that stands at `span`.
pub(crate) fn problems(literal: &str, span: Span, problems: &mut Vec<Problem>) {
    let inner = inner(literal);
    if !inner.bytes().any(|byte| byte == b'\\' || byte == 0) {
        return;
    }
    let place = |at: usize, length: usize| {
        let start = span.start + 1 + u32::try_from(at).unwrap_or(0);
        Span { start, end: start + u32::try_from(length).unwrap_or(1) }
    };
    if let Some(at) = inner.find('\0') {
        problems.push(Problem::new(
            CHARACTER_INVALID,
            place(at, 1),
            "a string can't hold the character U+0000",
        ));
    }
    let mut at = 0;
    while let Some(found) = inner[at..].find('\\') {
        at += found;
        let (meaning, length) = escape(&inner[at..]);
        if meaning.is_none() && length > 1 {
            problems.push(unknown(&inner[at..], length, place(at, length)));
        }
        at += length;
    }
}

fn inner(literal: &str) -> &str {
    let open = literal.strip_prefix('"').unwrap_or(literal);
    let Some(closed) = open.strip_suffix('"') else { return open };
    let backslashes = closed.bytes().rev().take_while(|byte| *byte == b'\\').count();
    if backslashes % 2 == 0 { closed } else { open }
}

/// What the escape at the start of `rest` means, if it is one, and how many bytes it takes.
fn escape(rest: &str) -> (Option<char>, usize) {
    let mut chars = rest.chars();
    let letter = {
        chars.next();
        chars.next()
    };
    match letter {
        Some('"') => (Some('"'), 2),
        Some('\\') => (Some('\\'), 2),
        Some('n') => (Some('\n'), 2),
        Some('r') => (Some('\r'), 2),
        Some('t') => (Some('\t'), 2),
        Some('u') if rest[2..].starts_with('{') => {
            let Some(digits) = rest[3..].split_once('}').map(|(digits, _)| digits) else { return (None, 2) };
            let known =
                (1..=6).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            let code =
                if known { u32::from_str_radix(digits, 16).ok().and_then(char::from_u32) } else { None };
            (code, if known { digits.len() + 4 } else { 2 })
        }
        Some(other) => (None, 1 + other.len_utf8()),
        None => (None, 1),
    }
}

/// The problem of the unknown escape at the start of `rest`.
fn unknown(rest: &str, length: usize, span: Span) -> Problem {
    let written = &rest[..length];
    let problem = Problem::new(ESCAPE_UNKNOWN, span, format!("`{written}` is no escape"));
    let code = |digits: usize| {
        let digits =
            rest.get(2..2 + digits).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        let code = u32::from_str_radix(digits, 16).ok().filter(|code| char::from_u32(*code).is_some())?;
        Some((digits.len(), format!("\\u{{{code:X}}}")))
    };
    let coded = match written {
        "\\u" => code(4),
        "\\x" => code(2),
        _ => None,
    };
    if let Some((digits, text)) = coded {
        let whole = Span { start: span.start, end: span.end + u32::try_from(digits).unwrap_or(0) };
        return problem.with_edit(format!("write `{text}`"), whole, text);
    }
    if written.len() > 2 && written.starts_with("\\u{") {
        return problem.with_help("`\\u{…}` takes a Unicode scalar value, at most 10FFFF and no surrogate");
    }
    if written == "\\u" {
        return problem.with_help("a character is written by its code as `\\u{41}`");
    }
    problem.with_edit(format!("write `\\{written}`"), Span { start: span.start, end: span.start }, "\\")
}
