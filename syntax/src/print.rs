//! Prints tokens back. Since every byte is in some token, nothing can be lost.

use crate::token::Token;

/// The text that `tokens` were read from, or the part of it that they cover.
pub fn print(text: &str, tokens: &[Token]) -> String {
    let mut printed = String::with_capacity(text.len());
    for token in tokens {
        printed.push_str(token.span.text(text));
    }
    printed
}
