//! From tokens and their tree to what is laid out.

use jadpo_syntax::tree::{Block, Body, Declaration, Entry, Field, TypeBody, Value, ValueKind};
use jadpo_syntax::{Span, Token, TokenKind, tokens};

use super::layout::{Delimiters, Group, Item, Piece};
use super::notes::{Note, at_top, goes_on, line_ends, written};
use super::order::Order;

/// A whole text.
#[derive(Debug)]
pub struct Manifest<'t> {
    /// Its declarations.
    pub items: Vec<Item<'t>>,
    /// What stands after the last of them.
    pub end: Vec<Note<'t>>,
}

/// Reads `text`, whose tree this is and which has no problem.
pub fn read<'t>(text: &'t str, declarations: &[(u32, Declaration)]) -> Manifest<'t> {
    let tokens = tokens(text);
    let mut reader = Reader { text, tokens: &tokens, at: 0, base: 0, line_ends: 0 };
    let mut items = Vec::with_capacity(declarations.len());
    for (offset, declaration) in declarations {
        reader.base = *offset;
        items.push(reader.item(declaration.span, Inner::of_declaration(declaration)));
    }
    let end = reader.gap().0;
    Manifest { items, end }
}

/// What the delimiters of an item hold; no item has more than one pair outside of another.
#[derive(Clone, Copy)]
enum Inner<'a> {
    Nothing,
    Entries(&'a Block, Order),
    Values(&'a [Value]),
    Shape(&'a TypeBody),
}

impl<'a> Inner<'a> {
    fn of_declaration(declaration: &'a Declaration) -> Self {
        match &declaration.body {
            Body::Type(TypeBody::Alias(ty, Some(block))) => Self::Entries(block, Order::of_type(ty, false)),
            Body::Type(body) => Self::Shape(body),
            Body::Block(block) => Self::Entries(block, Order::of_keyword(declaration.keyword)),
            Body::Missing => Self::Nothing,
        }
    }

    fn of_field(field: &'a Field) -> Self {
        match (&field.ty, &field.constraints) {
            (Some(ty), Some(block)) => Self::Entries(block, Order::of_type(ty, false)),
            _ => Self::Nothing,
        }
    }

    fn of_value(value: &'a Value, order: Order) -> Self {
        match &value.kind {
            ValueKind::Block(block) | ValueKind::Type(_, Some(block)) => Self::Entries(block, order),
            ValueKind::List(values) | ValueKind::Call(_, values) => Self::Values(values),
            ValueKind::String(_) | ValueKind::Number(_) | ValueKind::Type(_, None) => Self::Nothing,
        }
    }

    fn of_entry(entry: &'a Entry, order: Order) -> Self {
        entry.value.as_ref().map_or(Self::Nothing, |value| Self::of_value(value, order.inside(entry)))
    }
}

/// Walks over all tokens of a text, once.
struct Reader<'t, 's> {
    text: &'t str,
    tokens: &'s [Token],
    at: usize,
    /// Where the spans of the tree count from.
    base: u32,
    /// How many lines have ended so far.
    line_ends: usize,
}

impl<'t> Reader<'t, '_> {
    /// The item that stands at `span`, with what belongs to it before and behind.
    fn item(&mut self, span: Span, inner: Inner<'_>) -> Item<'t> {
        let (notes, blank) = self.gap();
        let pieces = self.pieces(self.base + span.end, inner);
        let trailing = self.trailing();
        let mut item = Item { notes, blank, pieces, trailing, flat: None };
        item.flat = item.measure();
        item
    }

    /// What stands from here to the offset `end`.
    fn pieces(&mut self, end: u32, inner: Inner<'_>) -> Vec<Piece<'t>> {
        let mut pieces = Vec::new();
        let mut begins_line = false;
        while let Some(token) = self.peek().filter(|token| token.span.start < end) {
            self.at += 1;
            match token.kind {
                TokenKind::Space => {
                    begins_line = self.space(token) > 0;
                    continue;
                }
                TokenKind::Comment if !begins_line => {
                    self.at -= 1;
                    pieces.push(Piece::Trailing(self.trailing()));
                }
                TokenKind::Comment | TokenKind::Doc => pieces.push(Piece::Note(written(self.text, token))),
                kind => match Delimiters::opened_by(kind) {
                    Some(delimiters) => pieces.push(Piece::Group(Box::new(self.group(delimiters, inner)))),
                    None => pieces.push(Piece::Word(kind, token.span.text(self.text))),
                },
            }
            begins_line = false;
        }
        pieces
    }

    /// What stands between two delimiters, the first of which has been read.
    fn group(&mut self, delimiters: Delimiters, inner: Inner<'_>) -> Group<'t> {
        let opened_at = self.line_ends;
        let mut group = Group {
            delimiters,
            head: self.trailing(),
            top: Vec::new(),
            items: Vec::new(),
            end: Vec::new(),
            flat: None,
        };
        match inner {
            Inner::Entries(block, order) => self.entries(block, order, &mut group),
            Inner::Values(values) => self.values(values, &mut group),
            Inner::Shape(shape) => self.shape(shape, &mut group),
            Inner::Nothing => {}
        }
        group.end.extend(self.gap().0);
        if self.peek().is_some_and(|token| token.kind == delimiters.closing()) {
            self.at += 1;
        }
        group.flat = group.measure(self.line_ends > opened_at);
        group
    }

    fn entries(&mut self, block: &Block, order: Order, group: &mut Group<'t>) {
        let mut rank = 0;
        let mut ranked = Vec::with_capacity(block.entries.len());
        for entry in &block.entries {
            rank = order.rank(rank, entry);
            ranked.push((rank, self.item(entry.span, Inner::of_entry(entry, order))));
        }
        if let (Order::Table(_), Some((_, first))) = (order, ranked.first_mut()) {
            let rest = first.notes.split_off(at_top(&first.notes, first.blank));
            group.top = std::mem::replace(&mut first.notes, rest);
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        group.items = ranked.into_iter().map(|(_, item)| item).collect();
    }

    /// Fields, variants and the names of an event, in the order in which they were written.
    fn shape(&mut self, shape: &TypeBody, group: &mut Group<'t>) {
        let mut all: Vec<(Span, Inner<'_>)> = match shape {
            TypeBody::Object(fields) => fields.iter().map(|it| (it.span, Inner::of_field(it))).collect(),
            TypeBody::Event { wire_names, fields } => {
                let wire_names = wire_names.iter().map(|it| (it.span, Inner::Nothing));
                wire_names.chain(fields.iter().map(|it| (it.span, Inner::of_field(it)))).collect()
            }
            TypeBody::Enum(variants) => variants.iter().map(|it| (it.span, Inner::Nothing)).collect(),
            TypeBody::Alias(..) | TypeBody::Missing => Vec::new(),
        };
        all.sort_by_key(|(span, _)| *span);
        group.items = all.into_iter().map(|(span, inner)| self.item(span, inner)).collect();
    }

    fn values(&mut self, values: &[Value], group: &mut Group<'t>) {
        let mut waiting = Vec::new();
        for value in values {
            let mut item = self.item(value.span, Inner::of_value(value, Order::AsWritten));
            if !waiting.is_empty() {
                waiting.append(&mut item.notes);
                item.notes = waiting;
                item.flat = None;
            }
            waiting = self.comma(&mut item);
            group.items.push(item);
        }
        group.end = waiting;
    }

    /// Passes over the comma behind `item`, if there is one. A comment behind it belongs to `item`; what stands on lines
    /// of its own before it belongs to what follows.
    fn comma(&mut self, item: &mut Item<'t>) -> Vec<Note<'t>> {
        let (notes, _) = self.gap();
        if self.peek().is_some_and(|token| token.kind == TokenKind::Comma) {
            self.at += 1;
            if notes.is_empty() {
                item.trailing.extend(self.trailing());
                item.flat = item.measure();
            }
        }
        notes
    }

    /// What stands before the next word, and whether a blank line stands behind all of it. No blank line stands between
    /// documentation and what it documents.
    fn gap(&mut self) -> (Vec<Note<'t>>, bool) {
        let mut notes: Vec<Note<'t>> = Vec::new();
        let mut blank = false;
        while let Some(token) = self.peek() {
            match token.kind {
                TokenKind::Space => {
                    blank = self.space(token) > 1 && !notes.last().is_some_and(|note| note.doc);
                }
                TokenKind::Comment | TokenKind::Doc => {
                    notes.push(Note::new(self.text, token, blank));
                    blank = false;
                }
                TokenKind::Bom => {}
                _ => break,
            }
            self.at += 1;
        }
        (notes, blank)
    }

    /// The comment at the end of the line that has been read up to here, and those that go on with it.
    fn trailing(&mut self) -> Vec<&'t str> {
        let mut comments = Vec::new();
        let mut last: Option<Token> = None;
        loop {
            let space = self.peek().filter(|token| token.kind == TokenKind::Space);
            let at = self.at + usize::from(space.is_some());
            let Some(token) = self.tokens.get(at).filter(|token| token.kind == TokenKind::Comment) else {
                break;
            };
            let belongs = match last {
                Some(last) => goes_on(self.text, last, *token),
                None => space.is_none_or(|space| line_ends(space.span.text(self.text)) == 0),
            };
            if !belongs {
                break;
            }
            if let Some(space) = space {
                self.space(space);
            }
            self.at = at + 1;
            comments.push(written(self.text, *token));
            last = Some(*token);
        }
        comments
    }

    /// Counts the lines that end in `token`.
    fn space(&mut self, token: Token) -> usize {
        let ends = line_ends(token.span.text(self.text));
        self.line_ends += ends;
        ends
    }

    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }
}
