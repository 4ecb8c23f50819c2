//! Reads what the formatter has written and compares it with what it was given: the same words, strings, comments and
//! documentation, each with the same owner, whatever the order of entries that the catalogue orders.
//!
//! It shares the rules of ownership with the formatter, but neither how a text is read nor how it is written.

mod words;

use jadpo_syntax::tree::{Block, Body, Declaration, Field, TypeBody, Value, ValueKind};
use jadpo_syntax::{File, Span, TokenKind, parse_file, split, tokens};

use super::laid_out;
use super::notes::at_top;
use super::order::Order;
use words::{Word, words};

/// How the formatter would change what a text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Discrepancy {
    /// What differs, as a sentence.
    pub what: String,
    /// A text that shows it: one declaration, where one is enough.
    pub text: String,
    /// What the formatter makes of that text.
    pub formatted: String,
}

/// Compares `text`, whose tree is `parsed`, with what was made of it.
pub fn verify(text: &str, parsed: &File, formatted: &str) -> Result<(), Box<Discrepancy>> {
    let Err(what) = compare(text, parsed, formatted) else { return Ok(()) };
    Err(Box::new(smallest(text).unwrap_or_else(|| Discrepancy {
        what,
        text: text.to_owned(),
        formatted: formatted.to_owned(),
    })))
}

/// The first declaration that shows a difference by itself.
fn smallest(text: &str) -> Option<Discrepancy> {
    let mut start = 0;
    split(text).chunks.iter().find_map(|chunk| {
        let end = chunk.span.end as usize;
        let alone = &text[std::mem::replace(&mut start, end)..end];
        let parsed = parse_file(alone);
        if !parsed.problems.is_empty() {
            return None;
        }
        let formatted = laid_out(alone, &parsed);
        let what = compare(alone, &parsed, &formatted).err()?;
        Some(Discrepancy { what, text: alone.to_owned(), formatted })
    })
}

fn compare(text: &str, parsed: &File, formatted: &str) -> Result<(), String> {
    let again = parse_file(formatted);
    if let Some(problem) = again.problems.first() {
        return Err(format!("the result has a mistake: {}", problem.message));
    }
    let (before, after) = (said(text, parsed), said(formatted, &again));
    let differs = before.iter().zip(&after).find(|(before, after)| before != after);
    match differs {
        Some((before, after)) => Err(format!("{} became {}", before.text(), after.text())),
        None if before.len() == after.len() => {
            let third = laid_out(formatted, &again);
            if third == formatted { Ok(()) } else { Err("formatting it again changes it again".to_owned()) }
        }
        None => Err("something at its end was lost or doubled".to_owned()),
    }
}

/// One thing that a text says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Said<'t> {
    Word(TokenKind, &'t str),
    Note(&'t str),
    /// Something begins that has comments and documentation of its own.
    Begin,
}

impl Said<'_> {
    fn text(self) -> String {
        match self {
            Self::Word(_, text) | Self::Note(text) => format!("`{text}`"),
            Self::Begin => "the begin of an entry".to_owned(),
        }
    }
}

/// Everything that a text says, the entries of each block in the catalogue's order.
fn said<'t>(text: &'t str, parsed: &File) -> Vec<Said<'t>> {
    let tokens = tokens(text);
    let (words, end) = words(text, &tokens);
    let mut teller = Teller { text, words, base: 0, said: Vec::with_capacity(tokens.len()) };
    for (offset, declaration) in &parsed.declarations {
        teller.base = *offset;
        teller.declaration(declaration);
    }
    teller.said.push(Said::Begin);
    teller.said.extend(end.into_iter().map(|note| Said::Note(note.text)));
    teller.said
}

struct Teller<'t> {
    text: &'t str,
    words: Vec<Word<'t>>,
    base: u32,
    said: Vec<Said<'t>>,
}

impl Teller<'_> {
    fn declaration(&mut self, declaration: &Declaration) {
        self.said.push(Said::Begin);
        let span = declaration.span;
        match &declaration.body {
            Body::Block(block) => self.span(span, &[(block, Order::of_keyword(declaration.keyword))], 0),
            Body::Type(TypeBody::Alias(ty, Some(block))) => {
                self.span(span, &[(block, Order::of_type(ty, false))], 0);
            }
            Body::Type(TypeBody::Object(fields)) => self.shape(span, fields.iter().map(field).collect()),
            Body::Type(TypeBody::Event { wire_names, fields }) => {
                let wire_names = wire_names.iter().map(|wire_name| (wire_name.span, None));
                self.shape(span, wire_names.chain(fields.iter().map(field)).collect());
            }
            Body::Type(TypeBody::Enum(variants)) => {
                self.shape(span, variants.iter().map(|variant| (variant.span, None)).collect());
            }
            Body::Type(TypeBody::Alias(_, None) | TypeBody::Missing) | Body::Missing => {
                self.span(span, &[], 0);
            }
        }
    }

    /// A declaration whose braces hold fields or variants, which stay in their order.
    fn shape(&mut self, span: Span, mut parts: Vec<(Span, Option<(&Block, Order)>)>) {
        parts.sort_by_key(|(span, _)| *span);
        let mut from = span.start;
        for (part, block) in parts {
            self.words(from, part.start, 0);
            self.said.push(Said::Begin);
            self.span(part, block.as_slice(), 0);
            from = part.end;
        }
        self.said.push(Said::Begin);
        self.words(from, span.end, 0);
    }

    /// What stands at `span`, with the `blocks` in it in their order. Of the first word's notes the first `without` were
    /// told before.
    fn span(&mut self, span: Span, blocks: &[(&Block, Order)], without: usize) {
        let mut from = span.start;
        let mut without = without;
        for (block, order) in blocks {
            self.words(from, block.span.start, std::mem::take(&mut without));
            self.block(block, *order);
            from = block.span.end;
        }
        self.words(from, span.end, without);
    }

    fn words(&mut self, start: u32, end: u32, without: usize) {
        let range = self.at(start)..self.at(end);
        for (at, word) in self.words[range].iter().enumerate() {
            let without = if at == 0 { without } else { 0 };
            self.said.extend(word.before.iter().skip(without).map(|note| Said::Note(note.text)));
            self.said.push(Said::Word(word.token.kind, word.token.span.text(self.text)));
            self.said.extend(word.after.iter().map(|text| Said::Note(text)));
        }
    }

    fn block(&mut self, block: &Block, order: Order) {
        self.words(block.span.start, block.span.start + 1, 0);
        let first = block.entries.first().map(|entry| &self.words[self.at(entry.span.start)]);
        let without = match (order, first) {
            (Order::Table(_), Some(first)) => at_top(&first.before, first.blank),
            _ => 0,
        };
        let mut top = first.map_or(Vec::new(), |first| first.before[..without].to_vec());
        let mut rank = 0;
        let mut entries: Vec<_> = (block.entries.iter().zip(0..))
            .map(|(entry, at)| {
                rank = order.rank(rank, entry);
                (rank, at, entry)
            })
            .collect();
        entries.sort_by_key(|(rank, at, _)| (*rank, *at));
        for (_, at, entry) in entries {
            self.said.push(Said::Begin);
            // What is said of the block stands before whichever entry comes first, and reads on into what is said of it.
            self.said.extend(top.drain(..).map(|note| Said::Note(note.text)));
            let mut blocks = Vec::new();
            if let Some(value) = &entry.value {
                inside(value, order.inside(entry), &mut blocks);
            }
            self.span(entry.span, &blocks, if at == 0 { without } else { 0 });
        }
        self.said.push(Said::Begin);
        self.words(block.span.end - 1, block.span.end, 0);
    }

    /// The index of the first word at or after an offset of the declaration.
    fn at(&self, offset: u32) -> usize {
        let offset = self.base + offset;
        self.words.partition_point(|word| word.token.span.start < offset)
    }
}

fn field(field: &Field) -> (Span, Option<(&Block, Order)>) {
    let order = field.ty.as_ref().map_or(Order::AsWritten, |ty| Order::of_type(ty, false));
    (field.span, field.constraints.as_ref().map(|block| (block, order)))
}

fn inside<'a>(value: &'a Value, order: Order, blocks: &mut Vec<(&'a Block, Order)>) {
    match &value.kind {
        ValueKind::Block(block) | ValueKind::Type(_, Some(block)) => blocks.push((block, order)),
        ValueKind::List(values) | ValueKind::Call(_, values) => {
            for value in values {
                inside(value, Order::AsWritten, blocks);
            }
        }
        ValueKind::String(_) | ValueKind::Number(_) | ValueKind::Type(_, None) => {}
    }
}
