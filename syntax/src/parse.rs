//! Reads one declaration at a time.

mod attach;
mod block;
mod braces;
mod declaration;
mod fault;
mod nesting;
mod recovery;
mod report;
mod shape;
mod stream;
mod terminal;
mod type_expr;
mod value;

use chumsky::Parser as _;
use chumsky::extra::Full;
use chumsky::input::{Input as _, MappedInput};
use chumsky::inspector::SimpleState;
use chumsky::span::SimpleSpan;

use crate::character::visible;
use crate::head::{Head, How, Words};
use crate::problem::{KEYWORD_UNKNOWN, PUBLIC_MISPLACED, Problem};
use crate::token::{Token, tokens};
use crate::tree::{Body, Declaration, Key, Keyword, Name, NumberLit, StringLit, TypeBody};
use crate::{Span, number, split, string};

pub(crate) use report::describe;

use fault::{Fault, What};
use stream::Stream;
use terminal::{Expected, T};

/// One declaration, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// What was declared; `None` where no keyword is near.
    pub declaration: Option<Declaration>,
    /// What is wrong in it, in the order of the text, with spans of the declaration's own text.
    pub problems: Vec<Problem>,
}

/// A whole text, read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// Each declaration with the offset that its spans count from.
    pub declarations: Vec<(u32, Declaration)>,
    /// Everything that is wrong, in the order of the text, with spans of the whole text.
    pub problems: Vec<Problem>,
}

/// Reads the text of one [`crate::Chunk`]. Needs nothing else, so that it can be cached by that text.
pub fn parse(chunk_text: &str) -> Parsed {
    let tokens = tokens(chunk_text);
    let end = tokens.last().map_or(0, |token| token.span.end);
    read(chunk_text, &tokens, Span::new(0, end))
}

/// Splits `text` and reads each of its declarations.
pub fn parse_file(text: &str) -> File {
    let tokens = tokens(text);
    let (pieces, mut problems) = split::pieces(text, &tokens);
    let mut declarations = Vec::with_capacity(pieces.len());
    for (range, chunk) in pieces {
        let offset = chunk.span.start;
        let parsed = read(text, &tokens[range], chunk.span);
        declarations.extend(parsed.declaration.map(|declaration| (offset, declaration)));
        problems.extend(parsed.problems.into_iter().map(|problem| problem.offset_by(offset)));
    }
    problems.sort_by_key(|problem| problem.span);
    File { declarations, problems }
}

/// Reads the declaration whose tokens these are; `chunk` is where it stands in `text`.
fn read(text: &str, tokens: &[Token], chunk: Span) -> Parsed {
    let words = Words::new(text, tokens, 6);
    let base = chunk.start;
    let Some(first) = words.get(0) else { return Parsed::default() };
    let head = words.head(0);
    let mut problems: Vec<Problem> = head.problem(&words, base).into_iter().collect();
    let Some(keyword) = head.keyword else { return Parsed { declaration: None, problems } };
    problems.extend(public_problem(&words, head, keyword, base));
    let relative = |at: usize| {
        let span = words.get(at).map_or(Span::empty(base), |token| token.span);
        Span::new(span.start - base, span.end - base)
    };
    let head_end = if head.next == 0 { 0 } else { relative(head.next - 1).end };
    let last = tokens.iter().rev().find(|token| !token.kind.is_trivia()).unwrap_or(&first);
    let mut declaration = Declaration {
        docs: Vec::new(),
        public: head.public.map(relative),
        keyword,
        keyword_span: relative(head.word),
        name: head.name.map(|at| Name { text: words.word(at).into(), span: relative(at) }),
        body: Body::Missing,
        span: Span::new(first.span.start - base, last.span.end - base),
    };
    match Stream::read(chunk.text(text), tokens, base, head_end) {
        Ok(stream) => body(stream, &mut declaration, &mut problems),
        Err(too_deep) => problems.push(*too_deep),
    }
    problems.sort_by_key(|problem| problem.span);
    Parsed { declaration: Some(declaration), problems }
}

/// Reads the body, attaches the docs and says what is wrong.
fn body(mut stream: Stream<'_>, declaration: &mut Declaration, problems: &mut Vec<Problem>) {
    let brace = if stream.unbalanced { braces::balance(&mut stream, declaration) } else { None };
    let end = stream.terminals.last().map_or(declaration.span.end, |(_, span)| span.end);
    let eoi = Sp { start: end, end, context: () };
    let input = stream.terminals.as_slice().split_token_span(eoi);
    let mut state = SimpleState(Source { text: stream.text });
    let read = if declaration.keyword == Keyword::Type {
        declaration::type_rest().parse_with_state(input, &mut state)
    } else {
        declaration::block_rest().parse_with_state(input, &mut state)
    };
    let (body, mut faults) = read.into_output_errors();
    if declaration.name.is_none() {
        let next = stream.terminals.first().map_or(eoi.end, |(_, span)| span.start);
        let before = declaration.keyword_span.end;
        faults.push(Fault { before, ..Fault::on(next, What::Expected(Expected::NAME)) });
        faults.rotate_right(1);
    }
    declaration.body = body.unwrap_or(Body::Missing);
    attach::attach(&mut stream.docs, declaration);
    let alias = match &declaration.body {
        Body::Type(TypeBody::Alias(ty, Some(block))) => Some((ty, block)),
        _ => None,
    };
    report::finish(stream, &faults, alias, brace, problems);
}

fn public_problem(words: &Words<'_>, head: Head, keyword: Keyword, base: u32) -> Option<Problem> {
    let written = words.word(head.public?);
    let public = words.get(head.public?)?.span;
    let next = words.get(head.word)?.span;
    if written != "public" {
        let span = Span::new(public.start - base, public.end - base);
        let message = format!("`{written}` begins no declaration");
        return Some(
            Problem::new(KEYWORD_UNKNOWN, span, message).with_help("did you mean `public`?").with_edit(
                "write `public`",
                span,
                "public",
            ),
        );
    }
    if keyword.can_be_public() || head.how == How::PublicLate {
        return None;
    }
    let relative = |start: u32, end: u32| Span::new(start - base, end - base);
    let article = if keyword == Keyword::App { "an" } else { "a" };
    let message = format!("{article} {} can't be public", keyword.text());
    Some(
        Problem::new(PUBLIC_MISPLACED, relative(public.start, public.end), message)
            .with_help("only types, operations and actions can be")
            .with_edit("remove `public`", relative(public.start, next.start), ""),
    )
}

/// The grammar's input: terminals with the bytes that each covers.
type In<'a> = MappedInput<'a, T, Sp, &'a [(T, Sp)]>;
/// The span of a terminal; of no terminals it comes out inverted, from the next one's start to the last one's end.
type Sp = SimpleSpan<u32>;
type Ex<'a> = Full<Fault, SimpleState<Source<'a>>, ()>;

/// A parser of the one concrete kind that this crate uses.
trait Grammar<'a, O>: chumsky::Parser<'a, In<'a>, O, Ex<'a>> + Clone + 'a {}

impl<'a, O, P: chumsky::Parser<'a, In<'a>, O, Ex<'a>> + Clone + 'a> Grammar<'a, O> for P {}

/// A span of at least one terminal, or of none, which is then empty where the last one ended.
fn span(span: Sp) -> Span {
    Span::new(span.start, span.end)
}

/// The text that trees own parts of.
#[derive(Clone, Copy)]
struct Source<'a> {
    text: &'a str,
}

impl Source<'_> {
    fn name(self, span: Span) -> Box<str> {
        let written = span.text(self.text);
        if written.is_ascii() { written.into() } else { visible(written).into() }
    }

    fn string(self, span: Span) -> StringLit {
        StringLit { value: string::value(span.text(self.text)), span }
    }

    fn number(self, span: Span) -> NumberLit {
        let text = span.text(self.text);
        NumberLit { text: text.into(), number: number::judge(text), span }
    }

    fn key(self, span: Span, quoted: bool) -> Key {
        let text = if quoted { string::value(span.text(self.text)) } else { self.name(span) };
        Key { text, quoted, span }
    }
}
