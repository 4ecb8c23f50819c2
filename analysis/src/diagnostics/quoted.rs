//! What a diagnostic quotes, kept to a length that a person reads.

/// A text that is no longer is left as it is.
const TEXT_BYTES_MAX: usize = 400;

/// The most characters of one quotation in a longer text.
const QUOTED_MAX: usize = 80;

/// A text of a diagnostic, in which each overlong part between backticks ends in `…`.
pub fn short(text: &str) -> String {
    if text.len() <= TEXT_BYTES_MAX {
        return text.to_owned();
    }
    let parts: Vec<String> =
        text.split('`').enumerate().map(|(at, part)| shortened(at % 2 == 1, part)).collect();
    parts.join("`")
}

fn shortened(is_quoted: bool, part: &str) -> String {
    match part.char_indices().nth(QUOTED_MAX) {
        Some((end, _)) if is_quoted => format!("{}…", &part[..end]),
        _ => part.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_quoted_at_too_great_length_is_cut() {
        let long = "é".repeat(500);
        assert_eq!(short("there is no `x`"), "there is no `x`");
        assert_eq!(short(&format!("no `{long}` in `y`")), format!("no `{}…` in `y`", "é".repeat(80)));
        assert_eq!(short(&long), long);
    }
}
