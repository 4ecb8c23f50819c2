//! Byte ranges in a text.

/// A half-open byte range.
///
/// Inside a declaration spans are relative to the declaration's first byte, so that an edit above it changes none
/// of them; [`Span::offset_by`] makes one absolute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last; never before `start`.
    pub end: u32,
}

impl Span {
    /// The range from `start` to `end`; an inverted range becomes empty at `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start: start.min(end), end }
    }

    /// An empty range at `at`.
    pub fn empty(at: u32) -> Self {
        Self { start: at, end: at }
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// This range, moved by `offset` bytes.
    #[must_use]
    pub fn offset_by(self, offset: u32) -> Self {
        Self { start: self.start + offset, end: self.end + offset }
    }

    /// The part of `text` that it covers; empty where it doesn't lie inside.
    pub fn text(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or_default()
    }

    /// How many bytes it covers.
    pub fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether it covers no byte.
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }
}
