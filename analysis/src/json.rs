//! The little of JSON that manifests hold: pointers, and texts in canonical form.

use std::fmt::Write;

/// What is wrong with a JSON Pointer, if anything.
pub fn pointer_problem(pointer: &str) -> Option<&'static str> {
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return Some("a JSON Pointer starts with `/`");
    }
    let mut escapes = pointer.split('~').skip(1);
    escapes
        .any(|rest| !rest.starts_with(['0', '1']))
        .then_some("in a JSON Pointer `~` is written `~0`, and `/` in a name `~1`")
}

/// A text as canonical JSON.
pub fn text(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    json.push('"');
    for c in text.chars() {
        match c {
            '"' => json.push_str("\\\""),
            '\\' => json.push_str("\\\\"),
            '\n' => json.push_str("\\n"),
            '\r' => json.push_str("\\r"),
            '\t' => json.push_str("\\t"),
            '\u{8}' => json.push_str("\\b"),
            '\u{c}' => json.push_str("\\f"),
            c if c < ' ' => write!(json, "\\u{:04x}", u32::from(c)).expect("a string takes any text"),
            c => json.push(c),
        }
    }
    json.push('"');
    json
}

#[cfg(test)]
mod tests {
    use super::{pointer_problem, text};

    #[test]
    fn pointers_start_with_a_slash_and_escape() {
        for right in ["", "/", "/a/0", "/a~1b/m~0n", "/ü"] {
            assert_eq!(pointer_problem(right), None, "{right}");
        }
        for wrong in ["a", "a/b", "/a~", "/a~2b", "#/a"] {
            assert!(pointer_problem(wrong).is_some(), "{wrong}");
        }
    }

    #[test]
    fn texts_are_escaped_as_little_as_possible() {
        assert_eq!(text("a\"\\\n\u{1}é/🪙"), r#""a\"\\\n\u0001é/🪙""#);
    }
}
