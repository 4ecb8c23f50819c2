//! Between the editor's positions and offsets in bytes, and from diagnostics to the protocol's. Nothing else converts.

use jadpo_analysis::diagnostics::Severity;
use jadpo_syntax::Span;
use jadpo_syntax::line_index::{LineIndex, Position as Place};
use tower_lsp::lsp_types::{DiagnosticSeverity, Position, PositionEncodingKind, Range};

/// The byte order mark.
const BOM: char = '\u{feff}';

/// How long [`BOM`] is in a file.
const BOM_BYTES: u32 = 3;

/// What the columns of positions count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// UTF-16 code units, the protocol's default.
    #[default]
    Utf16,
}

impl Encoding {
    /// The first of the editor's offers that the server knows; the protocol's default without one.
    pub fn negotiate(offered: &[PositionEncodingKind]) -> Self {
        let known = offered.iter().find_map(|kind| match kind.as_str() {
            "utf-8" => Some(Self::Utf8),
            "utf-16" => Some(Self::Utf16),
            _ => None,
        });
        known.unwrap_or_default()
    }

    /// Its name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }
}

/// A text whose places can be converted.
#[derive(Debug)]
pub struct Text<'a> {
    source: &'a str,
    lines: LineIndex,
    encoding: Encoding,
    /// How many bytes at the start no editor shows: those of a BOM on disk.
    hidden: u32,
}

impl<'a> Text<'a> {
    /// A text as the editor sent it: each of its characters counts.
    pub fn as_sent(text: &'a str, encoding: Encoding) -> Self {
        Self { source: text, lines: LineIndex::new(text), encoding, hidden: 0 }
    }

    /// A text as it is on disk: editors take its BOM away before they count.
    pub fn on_disk(text: &'a str, encoding: Encoding) -> Self {
        let hidden = if text.starts_with(BOM) { BOM_BYTES } else { 0 };
        Self { hidden, ..Self::as_sent(text, encoding) }
    }

    /// The bytes of a range of the editor; what lies outside the text is drawn to its nearest place.
    pub fn span(&self, range: Range) -> Span {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        Span::new(start.min(end), start.max(end))
    }

    /// The editor's range of a span; what lies outside the text is drawn to its nearest place.
    pub fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }

    /// The byte at a position. A column past its line is the line's end; one inside a character is its first byte.
    fn offset(&self, position: Position) -> u32 {
        let hidden = self.hidden_columns(position.line);
        let at = Place { line: position.line, column: position.character.saturating_add(hidden) };
        match self.encoding {
            Encoding::Utf8 => self.lines.offset_utf8(self.source, at),
            Encoding::Utf16 => self.lines.offset_utf16(self.source, at),
        }
    }

    /// The position of a byte.
    fn position(&self, offset: u32) -> Position {
        let place = match self.encoding {
            Encoding::Utf8 => self.lines.utf8(self.source, offset),
            Encoding::Utf16 => self.lines.utf16(self.source, offset),
        };
        let hidden = self.hidden_columns(place.line);
        Position { line: place.line, character: place.column.saturating_sub(hidden) }
    }

    fn hidden_columns(&self, line: u32) -> u32 {
        match self.encoding {
            _ if line > 0 || self.hidden == 0 => 0,
            Encoding::Utf8 => self.hidden,
            Encoding::Utf16 => 1,
        }
    }
}

/// How bad it is, in the protocol's words.
pub fn severity(severity: Severity) -> DiagnosticSeverity {
    match severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
        Severity::Note => DiagnosticSeverity::INFORMATION,
    }
}

#[cfg(test)]
mod tests;
