//! Places in a file as people and tools count them.

use jadpo_syntax::{LineIndex, Span};

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// In bytes, from 0.
    pub offset: u32,
    /// From 1.
    pub line: u32,
    /// In Unicode scalar values, from 1; a BOM takes none.
    pub column: u32,
}

/// A half-open range of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Range {
    /// Its first place.
    pub start: Position,
    /// The place after its last.
    pub end: Position,
}

impl Range {
    /// The empty range where a file begins, for what is wrong with a whole file.
    pub const START: Self = {
        let start = Position { offset: 0, line: 1, column: 1 };
        Self { start, end: start }
    };

    /// The range of `span` in the text that `lines` was made of.
    pub fn of(text: &str, lines: &LineIndex, span: Span) -> Self {
        let position = |offset| {
            let place = lines.scalar(text, offset);
            Position { offset, line: place.line, column: place.column }
        };
        Self { start: position(span.start), end: position(span.end) }
    }

    /// The range in bytes.
    pub fn span(self) -> Span {
        Span::new(self.start.offset, self.end.offset)
    }
}
