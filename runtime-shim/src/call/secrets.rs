//! Cuts a connection's secrets from every text that is told about its calls.

use std::fmt::Write;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE_NO_PAD};

use crate::codec::{DecodeError, Problem};

use super::template::percent_encode;

/// What stands where a secret stood.
const CUT: &str = "[secret]";

/// The most characters of an answer that are told.
const FIRST_CHARS_MAX: usize = 80;

/// A truncated text that ends in this many bytes of a secret, or more, ends in a part of it.
const PART_BYTES_MIN: usize = 4;

/// The secrets of one connection, in the spellings in which an answer or an error could repeat them.
#[derive(Default)]
pub struct Secrets {
    /// Longest first, so that no spelling hides inside a longer one and leaves its rest behind.
    spellings: Vec<String>,
}

impl Secrets {
    /// Every spelling of these values: as they are, in URLs, in JSON and in base64.
    pub fn new<'a>(values: impl IntoIterator<Item = &'a str>) -> Self {
        let mut spellings = Vec::new();
        for value in values.into_iter().filter(|value| !value.is_empty()) {
            let json = serde_json::Value::from(value).to_string();
            let json = &json[1..json.len() - 1];
            let ascii = in_ascii(json);
            spellings.extend([
                value.to_owned(),
                percent_encode(value),
                percent_encode(value).replace("%20", "+"),
                json.to_owned(),
                json.replace('/', "\\/"),
                ascii.replace('/', "\\/"),
                ascii,
                value.replace('~', "~0").replace('/', "~1"),
                STANDARD.encode(value),
                STANDARD_NO_PAD.encode(value),
                URL_SAFE_NO_PAD.encode(value),
            ]);
        }
        spellings.sort_by(|left, right| right.len().cmp(&left.len()).then_with(|| left.cmp(right)));
        spellings.dedup();
        Self { spellings }
    }

    /// `text` without any of them.
    pub fn cut(&self, text: &str) -> String {
        self.walk(text, usize::MAX)
    }

    /// How a body begins: one line of at most 80 characters.
    pub fn first_of(&self, body: &[u8]) -> String {
        // Enough for 80 characters, each of which may stand for a whole secret.
        let longest = self.spellings.first().map_or(0, String::len).max(4);
        let enough = body.len().min(longest.saturating_mul(FIRST_CHARS_MAX + 1));
        let text = String::from_utf8_lossy(&body[..enough]);
        let kept = self.walk(text.trim_start_matches('\u{feff}'), FIRST_CHARS_MAX);
        kept.chars()
            .map(|char| if char.is_control() { ' ' } else { char })
            .collect::<String>()
            .trim()
            .to_owned()
    }

    /// The same problems, without secrets in what they quote.
    pub fn cut_problems(&self, error: DecodeError) -> DecodeError {
        let problems = error.problems.into_iter().map(|problem| Problem {
            place: self.cut(&problem.place),
            wanted: problem.wanted,
            got: self.cut(&problem.got),
        });
        DecodeError { problems: problems.collect() }
    }

    fn walk(&self, text: &str, chars_max: usize) -> String {
        let mut kept = String::new();
        let mut chars = 0;
        let mut rest = text;
        while let Some(next) = rest.chars().next() {
            let secret = self.spellings.iter().find(|spelling| rest.starts_with(spelling.as_str()));
            let piece = if secret.is_some() { CUT } else { &rest[..next.len_utf8()] };
            if self.is_part(rest) {
                kept.push_str(CUT);
                kept.push('…');
                return kept;
            }
            chars += piece.chars().count();
            if chars > chars_max {
                return kept;
            }
            kept.push_str(piece);
            rest = &rest[secret.map_or(next.len_utf8(), String::len)..];
        }
        kept
    }

    /// Whether `rest` is where a truncated text was cut in the middle of a secret.
    fn is_part(&self, rest: &str) -> bool {
        rest.strip_suffix('…').is_some_and(|part| {
            part.len() >= PART_BYTES_MIN && self.spellings.iter().any(|spelling| spelling.starts_with(part))
        })
    }
}

/// JSON's content of a string as a writer spells it that escapes whatever is not ASCII.
fn in_ascii(json: &str) -> String {
    let mut spelt = String::with_capacity(json.len());
    for char in json.chars() {
        if char.is_ascii() {
            spelt.push(char);
        } else {
            for unit in char.encode_utf16(&mut [0; 2]) {
                write!(spelt, "\\u{unit:04x}").expect("a string takes any text");
            }
        }
    }
    spelt
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets() -> Secrets {
        Secrets::new(["sk/live key~1", "sk/live key~12", ""])
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(secrets().cut(text), expected);
    }

    #[test]
    fn every_spelling_is_cut() {
        check("nothing here", "nothing here");
        check("sk/live key~1", "[secret]");
        check("the longer one: sk/live key~12.", "the longer one: [secret].");
        check("?key=sk%2Flive%20key~1&", "?key=[secret]&");
        check("?key=sk%2Flive+key~1&", "?key=[secret]&");
        check(r#"{"key":"sk\/live key~1"}"#, r#"{"key":"[secret]"}"#);
        check("/keys/sk~1live key~01/x", "/keys/[secret]/x");
        check(&format!("Basic {}", STANDARD.encode("sk/live key~1")), "Basic [secret]");
        check(&format!("token {}", URL_SAFE_NO_PAD.encode("sk/live key~1")), "token [secret]");
        assert_eq!(Secrets::new(["é/🪙"]).cut(r#""\u00e9\/\ud83e\ude99""#), r#""[secret]""#);
    }

    #[test]
    fn a_part_at_the_end_of_a_truncated_text_is_cut() {
        check("the key is sk/live…", "the key is [secret]…");
        check("the key is sk/live", "the key is sk/live");
        check("ask…", "ask…");
    }

    #[test]
    fn the_first_characters_are_counted_after_cutting() {
        let body = format!("{}{}", "é".repeat(70), "sk/live key~12".repeat(3));
        assert_eq!(secrets().first_of(body.as_bytes()), format!("{}[secret]", "é".repeat(70)));
        assert_eq!(secrets().first_of("\u{feff} a\r\nb\0 \n".as_bytes()), "a  b");
        assert_eq!(secrets().first_of(&[0xff, b'a']), "\u{fffd}a");
        assert_eq!(Secrets::default().first_of("x".repeat(500).as_bytes()), "x".repeat(80));
    }
}
