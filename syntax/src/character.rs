//! Characters that are no part of the language: which they are, how far they reach, and what is said about them.

use crate::Span;
use crate::problem::{CHARACTER_INVALID, Problem};

/// Whether `c` begins a word of any script.
pub(crate) fn is_letter(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

/// Whether `c` can't be seen: zero-width characters, marks of direction, blanks that are no ASCII blank, controls.
pub(crate) fn is_invisible(c: char) -> bool {
    is_glue(c)
        || c.is_control()
        || (c.is_whitespace() && !c.is_ascii())
        || matches!(c, '\u{115f}' | '\u{1160}' | '\u{2800}' | '\u{3164}' | '\u{ffa0}')
}

/// Whether `c` has no width at all, so that the word it stands in looks whole.
fn is_glue(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180b}'..='\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{e0000}'..='\u{e01ef}')
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric() || is_glue(c)
}

/// Whether `byte` is a visible ASCII character that the language has no use for.
fn is_stray(byte: u8) -> bool {
    matches!(byte, b'!' | b'#'..=b'\'' | b'*' | b'+' | b'-' | b';' | b'@' | b'\\' | b'^' | b'`' | b'|' | b'~')
}

/// The end of the word that has been read up to `end`: further letters of any script, and stray characters with
/// letters after them, so that one mistyped name is one token.
pub(crate) fn extend_word(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = end;
    loop {
        match bytes.get(at) {
            Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'_' => at += 1,
            Some(byte) if byte.is_ascii() => match past_strays(text, at) {
                Some(next) => at = next,
                None => return at,
            },
            Some(_) => match text[at..].chars().next().filter(|c| is_word(*c)) {
                Some(c) => at += c.len_utf8(),
                None => return at,
            },
            None => return at,
        }
    }
}

/// Where the letters begin after the stray characters at `at`, if both are there. `as-5` stays a name and a number.
fn past_strays(text: &str, at: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let strays = bytes[at..].iter().take_while(|byte| is_stray(**byte)).count();
    let next = text.get(at + strays..)?.chars().next()?;
    let number = strays == 1 && bytes[at] == b'-' && next.is_ascii_digit();
    (strays > 0 && is_word(next) && !number).then_some(at + strays)
}

/// The end of the number that has been read up to `end`: letters of other scripts (`5µs`), exponents with a sign
/// (`1e-3`) and digits behind a hyphen (`2026-11-30`) belong to it, since nothing else could follow without a blank.
pub(crate) fn extend_number(text: &str, end: usize) -> usize {
    let bytes = text.as_bytes();
    let mut at = end;
    while let Some(byte) = bytes.get(at) {
        let next_is_word = || bytes.get(at + 1).is_some_and(u8::is_ascii_alphanumeric);
        at += match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_' | b'.' => 1,
            b'-' if next_is_word() => 1,
            b'+' if next_is_word() && matches!(bytes[at - 1], b'e' | b'E') => 1,
            byte if byte.is_ascii() => return at,
            _ => match text[at..].chars().next().filter(|c| is_word(*c)) {
                Some(c) => c.len_utf8(),
                None => return at,
            },
        };
    }
    at
}

/// The end of a comment or a string of other languages that begins at `start`, so that each is one mistake.
/// `comment_end` remembers that no `*/` follows, which keeps the search linear.
pub(crate) fn foreign_end(text: &str, start: usize, comment_end: &mut bool) -> Option<usize> {
    let rest = &text[start..];
    if rest.starts_with("/*") {
        let end = if *comment_end { rest.find("*/") } else { None };
        *comment_end = end.is_some();
        let line = || rest.find(['\n', '\r']).unwrap_or(rest.len());
        return Some(start + end.map_or_else(line, |end| end + 2));
    }
    if let Some(comment) = rest.strip_prefix('#') {
        let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let alone = text[line..start].bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        let end = rest.find(['\n', '\r']).unwrap_or(rest.len());
        return (alone || comment.starts_with(' ')).then(|| start + rest[..end].trim_end().len());
    }
    let inner = rest.strip_prefix('\'')?;
    let end = inner.find(['\'', '\n', '\r'])?;
    inner[end..].starts_with('\'').then_some(start + end + 2)
}

/// The end of the run of invalid characters that has been read up to `end`.
pub(crate) fn extend_invalid(text: &str, end: usize) -> usize {
    let run = text[end..].chars().take_while(|c| {
        if c.is_ascii() {
            (c.is_control() && !matches!(c, '\t' | '\r' | '\n'))
                || (*c != '\'' && u8::try_from(*c).is_ok_and(is_stray))
        } else {
            !c.is_alphanumeric()
        }
    });
    let run = end + run.map(char::len_utf8).sum::<usize>();
    // A hyphen before a digit begins a number.
    let before_digit = text[end..run].ends_with('-') && text[run..].starts_with(|c: char| c.is_ascii_digit());
    if before_digit { run - 1 } else { run }
}

/// `word` without its characters of no width.
pub(crate) fn visible(word: &str) -> String {
    word.chars().filter(|c| !is_glue(*c)).collect()
}

/// The problem of a word that is no name.
pub(crate) fn word_problem(word: &str, span: Span) -> Problem {
    if let Some((at, c)) = word.char_indices().find(|(_, c)| is_invisible(*c)) {
        let clean = visible(word);
        let place = sub_span(span, at, c);
        let message = format!("`{clean}` has the invisible character {} in it", code_point(c));
        return Problem::new(CHARACTER_INVALID, place, message).with_edit(
            "remove what can't be seen",
            span,
            clean,
        );
    }
    let (at, c) = word
        .char_indices()
        .find(|(_, c)| !(c.is_ascii_alphanumeric() || *c == '_'))
        .unwrap_or((0, char::REPLACEMENT_CHARACTER));
    let message = format!("`{c}` can't stand in the name `{word}`");
    Problem::new(CHARACTER_INVALID, sub_span(span, at, c), message)
        .with_help("a name has ASCII letters, digits and `_`; a key that needs other characters is a string")
}

/// The problem of a run of characters between tokens.
pub(crate) fn run_problem(run: &str, span: Span) -> Problem {
    match run.chars().find(|c| is_invisible(*c)) {
        Some(c) if run.chars().all(is_invisible) => {
            let text = if c.is_whitespace() { " " } else { "" };
            Problem::new(
                CHARACTER_INVALID,
                span,
                format!("the invisible character {} stands here", code_point(c)),
            )
            .with_edit("remove what can't be seen", span, text)
        }
        _ => foreign_problem(run, span),
    }
}

/// The problem of characters that other languages use.
fn foreign_problem(run: &str, span: Span) -> Problem {
    let problem = |message: String| Problem::new(CHARACTER_INVALID, span, message);
    if run.starts_with("/*") {
        let message = "a comment begins with `//` and ends with its line";
        return problem(message.to_owned());
    }
    if let Some(text) = run.strip_prefix('#').filter(|text| !text.is_empty()) {
        let text = format!("//{text}");
        let hash = Span { start: span.start, end: span.start + 1 };
        let problem = Problem::new(CHARACTER_INVALID, hash, "a comment begins with `//`");
        return problem.with_edit("write `//`", span, text);
    }
    if let Some(text) = run.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        let text = format!("\"{}\"", text.replace('"', "\\\""));
        let problem = problem("a string stands between double quotes".to_owned());
        return problem.with_edit(format!("write `{text}`"), span, text);
    }
    let shown: String =
        run.chars().take(40).map(|c| if is_invisible(c) { code_point(c) } else { c.to_string() }).collect();
    let problem = problem(format!("`{shown}` is no part of the language"));
    if run == ";" { problem.with_edit("remove the `;`", span, "") } else { problem }
}

/// The problem of an invisible character in a comment or in docs, if there is one. Joiners are left alone there,
/// since emoji and several scripts are written with them.
pub(crate) fn comment_problem(comment: &str, span: Span) -> Option<Problem> {
    if comment.is_ascii() && !comment.bytes().any(|byte| byte < 9 || byte == 0x7f) {
        return None;
    }
    let allowed = |c: char| {
        matches!(c, '\t' | '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}' | '\u{e0020}'..='\u{e007f}')
            || is_wide_blank(c)
    };
    let (at, c) = comment.char_indices().find(|(_, c)| is_invisible(*c) && !allowed(*c))?;
    let place = sub_span(span, at, c);
    let message = format!("the invisible character {} stands in a comment", code_point(c));
    Some(Problem::new(CHARACTER_INVALID, place, message).with_edit("remove what can't be seen", place, ""))
}

fn is_wide_blank(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{202f}' | '\u{3000}')
}

fn sub_span(span: Span, at: usize, c: char) -> Span {
    let start = span.start + u32::try_from(at).unwrap_or(0);
    Span { start, end: start + u32::try_from(c.len_utf8()).unwrap_or(1) }
}

fn code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}
