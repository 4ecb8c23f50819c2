//! Comments and documentation: who owns which.
//!
//! A comment at the end of a line belongs to what stands before it, and comments below it in its column go on with it.
//! Comments on lines of their own, like documentation, belong to what follows; those at the top of a block that have a
//! blank line after them belong to the block.

use jadpo_syntax::{Token, TokenKind};

use super::layout::width;

/// A comment or a line of documentation that has its line for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Note<'t> {
    /// As written, without blanks at its end.
    pub text: &'t str,
    /// Whether it is documentation.
    pub doc: bool,
    /// Whether a blank line stands before it.
    pub blank: bool,
}

impl<'t> Note<'t> {
    /// The note that `token` is.
    pub fn new(text: &'t str, token: Token, blank: bool) -> Self {
        Self { text: written(text, token), doc: token.kind == TokenKind::Doc, blank }
    }
}

/// The text of a comment or of documentation. Blanks at its end can't be seen and mean nothing.
pub fn written(text: &str, token: Token) -> &str {
    token.span.text(text).trim_end_matches([' ', '\t'])
}

/// How many of the notes before the first entry of a block belong to the block: those before the last blank line that
/// tears no documentation off what it documents. `blank` is whether one stands behind all of them.
pub fn at_top(notes: &[Note<'_>], blank: bool) -> usize {
    let docs = notes.iter().position(|note| note.doc);
    let free = docs.unwrap_or(notes.len());
    let ends_free = docs.is_none() && blank;
    if ends_free {
        return free;
    }
    let last = docs.map_or(free, |doc| doc + 1);
    (1..last).rev().find(|at| notes[*at].blank).unwrap_or(0)
}

/// How many lines end in `space`.
pub fn line_ends(space: &str) -> usize {
    let bytes = space.as_bytes();
    let ends = |at: usize| bytes[at] == b'\n' || (bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
    (0..bytes.len()).filter(|at| ends(*at)).count()
}

/// Whether the comment `next` goes on with the comment `last`: it stands on the next line in the same column.
pub fn goes_on(text: &str, last: Token, next: Token) -> bool {
    let between = text.get(last.span.end as usize..next.span.start as usize).unwrap_or_default();
    line_ends(between) == 1 && column(text, last) == column(text, next)
}

fn column(text: &str, token: Token) -> usize {
    let before = text.get(..token.span.start as usize).unwrap_or_default();
    let line = before.rfind(['\n', '\r']).map_or(0, |end| end + 1);
    width(before[line..].trim_start_matches('\u{feff}'))
}
