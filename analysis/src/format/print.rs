//! Writes what was read, each thing in its one layout.

use super::layout::{Group, Item, Piece, is_spaced, measure, width};
use super::notes::Note;
use super::read::Manifest;
use super::{INDENT, WIDTH};

/// The text of a manifest; `size` is about how long it gets.
pub fn print(manifest: &Manifest<'_>, size: usize) -> String {
    let mut printer = Printer { out: String::with_capacity(size + size / 16), line: 0 };
    for (at, item) in manifest.items.iter().enumerate() {
        printer.declaration(item, at == 0);
    }
    printer.notes(&manifest.end, 0, manifest.items.is_empty());
    if !printer.out.is_empty() {
        printer.out.push('\n');
    }
    printer.out
}

struct Printer {
    out: String,
    /// Where the line begins that is being written.
    line: usize,
}

impl Printer {
    /// A declaration, with one blank line between it and the one before. A comment that stands right under that one,
    /// with a blank line behind the comment, stays there.
    fn declaration(&mut self, item: &Item<'_>, first: bool) {
        if !first && !item.blank && !item.notes.iter().any(|note| note.blank) {
            self.out.push('\n');
        }
        self.item(item, 0, "", first);
    }

    /// An item on lines of its own. `first` is whether nothing stands before it that a blank line could set it off from.
    fn item(&mut self, item: &Item<'_>, indent: usize, suffix: &str, first: bool) {
        self.notes(&item.notes, indent, first);
        let blank = item.blank && !(first && item.notes.is_empty());
        self.begin_line(indent, blank);
        self.pieces(&item.pieces, indent, suffix);
        self.trailing(&item.trailing);
    }

    fn notes(&mut self, notes: &[Note<'_>], indent: usize, first: bool) {
        for (at, note) in notes.iter().enumerate() {
            self.begin_line(indent, note.blank && !(first && at == 0));
            self.out.push_str(note.text);
        }
    }

    /// What an item says. From its first comment on it goes on one level deeper, each comment ending its line.
    fn pieces(&mut self, pieces: &[Piece<'_>], indent: usize, suffix: &str) {
        let mut base = indent;
        let mut before = None;
        let mut after_comment = false;
        for (at, piece) in pieces.iter().enumerate() {
            let ends = piece.ends();
            if ends.is_none() {
                base = indent + INDENT;
            }
            if after_comment || matches!(piece, Piece::Note(_)) {
                self.begin_line(base, false);
            } else if let (Some(before), Some((first, _))) = (before, ends)
                && is_spaced(before, first)
            {
                self.out.push(' ');
            }
            match piece {
                Piece::Word(_, text) | Piece::Note(text) => self.out.push_str(text),
                Piece::Trailing(comments) => self.trailing(comments),
                Piece::Group(group) if self.fits(&pieces[at..], suffix) || group.is_empty() => {
                    self.flat_group(group);
                }
                Piece::Group(group) => self.group(group, base),
            }
            after_comment = ends.is_none();
            before = ends.map(|(_, last)| last);
        }
        self.out.push_str(suffix);
    }

    /// Whether the group that `pieces` begin with fits on the line, with what stands behind it there.
    fn fits(&self, pieces: &[Piece<'_>], suffix: &str) -> bool {
        let comment = pieces.iter().position(|piece| piece.ends().is_none());
        let end = comment.unwrap_or(pieces.len());
        let suffix = if comment.is_none() { suffix.len() } else { 0 };
        measure(&pieces[..end]).is_some_and(|columns| self.column() + columns + suffix <= WIDTH)
    }

    /// A group over several lines.
    fn group(&mut self, group: &Group<'_>, indent: usize) {
        let inner = indent + INDENT;
        let (opening, closing) = group.delimiters.texts();
        self.out.push_str(opening);
        self.trailing(&group.head);
        self.notes(&group.top, inner, true);
        for (at, item) in group.items.iter().enumerate() {
            let first = at == 0 && group.top.is_empty();
            if at == 0 && !first && !item.begins_blank() {
                self.out.push('\n');
            }
            self.item(item, inner, group.delimiters.suffix(), first);
        }
        self.notes(&group.end, inner, group.items.is_empty());
        self.begin_line(indent, false);
        self.out.push_str(closing);
    }

    fn flat_group(&mut self, group: &Group<'_>) {
        let (opening, closing) = group.delimiters.texts();
        let padding = group.delimiters.padding();
        self.out.push_str(opening);
        self.out.push_str(padding);
        for (at, item) in group.items.iter().enumerate() {
            self.out.push_str(if at == 0 { "" } else { group.delimiters.separator() });
            self.pieces(&item.pieces, 0, "");
        }
        self.out.push_str(if group.items.is_empty() { "" } else { padding });
        self.out.push_str(closing);
    }

    /// The comment at the end of a line, and those that go on with it in its column.
    fn trailing(&mut self, comments: &[&str]) {
        let Some((first, others)) = comments.split_first() else { return };
        self.out.push_str("  ");
        let column = self.column();
        self.out.push_str(first);
        for comment in others {
            self.begin_line(column, false);
            self.out.push_str(comment);
        }
    }

    fn begin_line(&mut self, indent: usize, blank: bool) {
        if !self.out.is_empty() {
            self.out.push_str(if blank { "\n\n" } else { "\n" });
        }
        self.line = self.out.len();
        self.out.extend(std::iter::repeat_n(' ', indent));
    }

    fn column(&self) -> usize {
        width(&self.out[self.line..])
    }
}
