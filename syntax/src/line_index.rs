//! Lines and columns of byte offsets, in the units that people, editors and tools count in.

/// Where the lines of one text begin.
///
/// A line ends at LF, CRLF or a CR alone, as editors count them. Every answer is clamped: an offset past the end is
/// the end, one inside a character is that character's start, a column past its line's end is the end of the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineIndex {
    starts: Vec<u32>,
    /// How many characters stand before every [`STRIDE`]-th byte, so that a column far into a long line is counted from
    /// the nearest of them; empty where all are ASCII and every unit is a byte.
    counts: Vec<Count>,
    /// How many byte order marks the text begins with.
    marks: u32,
}

/// The distance of places that are counted once for all, in bytes.
const STRIDE: usize = 256;

/// Characters before a place, in two units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    scalars: u32,
    utf16: u32,
}

/// A line and a column, in whatever unit was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl LineIndex {
    /// Finds the lines of `text`. Every other method takes the same text.
    pub fn new(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, byte) in bytes.iter().enumerate() {
            let ends = *byte == b'\n' || (*byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends {
                starts.push(offset(at + 1));
            }
        }
        let counts = if text.is_ascii() { Vec::new() } else { Count::at_strides(text) };
        let marks = text.chars().take_while(|c| *c == '\u{feff}').count();
        Self { starts, counts, marks: offset(marks) }
    }

    /// How many lines there are; a text that ends in a line end has an empty last one.
    pub fn lines(&self) -> u32 {
        offset(self.starts.len())
    }

    /// For people and reports: line and column from 1, the column in Unicode scalar values. A byte order mark counts
    /// as none.
    pub fn scalar(&self, text: &str, at: u32) -> Position {
        let (line, start, at) = self.before(text, at);
        let column = self.count(text, at).scalars - self.count(text, start).scalars;
        let marks = if line == 0 { self.marks.min(column) } else { 0 };
        Position { line: line + 1, column: column - marks + 1 }
    }

    /// For editors: line and column from 0, the column in UTF-16 units.
    pub fn utf16(&self, text: &str, at: u32) -> Position {
        let (line, start, at) = self.before(text, at);
        Position { line, column: self.count(text, at).utf16 - self.count(text, start).utf16 }
    }

    /// For editors that agreed to it: line and column from 0, the column in bytes.
    pub fn utf8(&self, text: &str, at: u32) -> Position {
        let (line, start, at) = self.before(text, at);
        Position { line, column: offset(at - start) }
    }

    /// The offset of a position from [`Self::utf16`].
    pub fn offset_utf16(&self, text: &str, position: Position) -> u32 {
        self.offset_by(text, position, |c| if c.len_utf16() == 2 { 2 } else { 1 })
    }

    /// The offset of a position from [`Self::utf8`].
    pub fn offset_utf8(&self, text: &str, position: Position) -> u32 {
        self.offset_by(text, position, |c| offset(c.len_utf8()))
    }

    /// Where line `line` (from 0) begins and where it ends, its line end not counted.
    pub fn line_span(&self, text: &str, line: u32) -> crate::Span {
        let Some(start) = self.starts.get(line as usize).copied() else {
            return crate::Span::empty(offset(text.len()));
        };
        let end = self.starts.get(line as usize + 1).copied().unwrap_or(offset(text.len()));
        let written = text.get(start as usize..end as usize).unwrap_or_default();
        crate::Span { start, end: start + offset(written.trim_end_matches(['\r', '\n']).len()) }
    }

    /// The line (from 0) of the offset, where that line begins, and the place in it.
    fn before(&self, text: &str, at: u32) -> (u32, usize, usize) {
        let at = text.floor_char_boundary(at as usize);
        let line = self.starts.partition_point(|start| *start as usize <= at) - 1;
        let span = self.line_span(text, offset(line));
        // Between CR and LF there is no position: it is the end of the line.
        (offset(line), span.start as usize, at.min(span.end as usize))
    }

    /// The characters before a place between two of them.
    fn count(&self, text: &str, at: usize) -> Count {
        let Some(count) = self.counts.get(at / STRIDE) else {
            return Count { scalars: offset(at), utf16: offset(at) };
        };
        let from = text.floor_char_boundary(at / STRIDE * STRIDE);
        count.and(text.get(from..at).unwrap_or_default())
    }

    fn offset_by(&self, text: &str, position: Position, width: impl Fn(char) -> u32) -> u32 {
        let span = self.line_span(text, position.line);
        let mut column = 0;
        let mut at = span.start;
        for c in span.text(text).chars() {
            column += width(c);
            if column > position.column {
                break;
            }
            at += offset(c.len_utf8());
        }
        at
    }
}

impl Count {
    /// Before every [`STRIDE`]-th byte, or before the character that it is in.
    fn at_strides(text: &str) -> Vec<Self> {
        let mut counts = vec![Self::default()];
        let mut from = 0;
        for to in (STRIDE..=text.len()).step_by(STRIDE).map(|at| text.floor_char_boundary(at)) {
            let last = counts.last().copied().unwrap_or_default();
            counts.push(last.and(&text[from..to]));
            from = to;
        }
        counts
    }

    fn and(self, text: &str) -> Self {
        let scalars = self.scalars + offset(text.chars().count());
        Self { scalars, utf16: self.utf16 + offset(text.chars().map(char::len_utf16).sum()) }
    }
}

/// A length as an offset; texts of more than 4 GiB are refused long before.
pub(crate) fn offset(length: usize) -> u32 {
    u32::try_from(length).unwrap_or(u32::MAX)
}
