//! Splits a text into declarations, so that each can be read alone and none can spoil another.

use std::ops::Range;

use crate::Span;
use crate::character::{comment_problem, run_problem};
use crate::docs;
use crate::head::{Head, Words};
use crate::limits;
use crate::parse::describe;
use crate::problem::{EXPECTED, Problem};
use crate::token::{Token, TokenKind, tokens};
use crate::tree::Keyword;

/// The declarations of a text, unread, and what is wrong between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// In the order of the text; they never overlap.
    pub chunks: Vec<Chunk>,
    /// What is wrong outside all of them, with spans of the whole text.
    pub problems: Vec<Problem>,
}

/// Where one declaration stands. Its text is all that [`crate::parse`] needs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Chunk {
    /// From its first line of docs to its last token, in the whole text.
    pub span: Span,
    /// What it declares, a slip of the pen repaired; `None` where no keyword is near.
    pub keyword: Option<Keyword>,
    /// Its name, where one is written.
    pub name: Option<Box<str>>,
    /// Whether `public` stands before it.
    pub public: bool,
}

/// Splits `text`. Inside braces a declaration begins only at `[public] type Name =` or `[public] keyword name {`.
pub fn split(text: &str) -> Split {
    let tokens = tokens(text);
    let (pieces, problems) = pieces(text, &tokens);
    Split { chunks: pieces.into_iter().map(|(_, chunk)| chunk).collect(), problems }
}

/// The chunks with the range of tokens that each covers, and the problems between them.
pub(crate) fn pieces(text: &str, tokens: &[Token]) -> (Vec<(Range<usize>, Chunk)>, Vec<Problem>) {
    let mut splitter = Splitter {
        words: Words::new(text, tokens, usize::MAX),
        pieces: Vec::new(),
        problems: Vec::new(),
        open: None,
        after: 0,
    };
    splitter.run();
    (splitter.pieces, splitter.problems)
}

struct Splitter<'a> {
    words: Words<'a>,
    pieces: Vec<(Range<usize>, Chunk)>,
    problems: Vec<Problem>,
    /// The head of the declaration that is being read, and its first token (docs included).
    open: Option<(Head, usize)>,
    /// The first token after the last word of what has been closed.
    after: usize,
}

/// How far the declaration that is being read has come.
#[derive(Clone, Copy)]
struct Progress {
    depth: usize,
    stage: Stage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    Head,
    /// After the `=` of a type declaration.
    Equals,
    /// After `Object`, `Event` or `Enum`: braces must follow.
    Shape,
    /// Something of a body has been seen that a `}` can end.
    Body,
    Complete,
}

impl Splitter<'_> {
    fn run(&mut self) {
        let mut progress = Progress { depth: 0, stage: Stage::Complete };
        let mut at = 0;
        while let Some(token) = self.words.get(at) {
            if self.begins(at, progress) {
                self.close(at);
                let head = self.words.head(at);
                let first = self.gap(self.after..self.token_index(at), true);
                self.open = Some((head, first));
                progress = Progress { depth: 0, stage: Stage::Head };
                at = head.next.max(at + 1);
                continue;
            }
            progress.step(&self.words, at, token.kind);
            at += 1;
        }
        self.close(at);
        self.gap(self.after..self.words.tokens.len(), false);
    }

    fn token_index(&self, word: usize) -> usize {
        self.words.index.get(word).map_or(self.words.tokens.len(), |index| *index as usize)
    }

    fn begins(&self, at: usize, progress: Progress) -> bool {
        if progress.depth > 0 {
            return self.words.plain_head(at);
        }
        let before = at.checked_sub(1).and_then(|before| self.words.kind(before));
        let goes_on = matches!(
            before,
            Some(
                TokenKind::Equals
                    | TokenKind::Dot
                    | TokenKind::AngleOpen
                    | TokenKind::Comma
                    | TokenKind::Colon
                    | TokenKind::ParenOpen
                    | TokenKind::BracketOpen
            )
        );
        if goes_on {
            // On the same line `public` is what the type goes on with.
            self.words.plain_head(at) && (!self.words.is_public(at) || self.words.begins_line(at))
        } else if progress.stage == Stage::Complete {
            self.words.begins_after_complete(at)
        } else {
            self.words.plain_head(at) || self.words.begins_after_incomplete(at)
        }
    }

    /// Ends what was read up to the word `end`: a declaration, or what stands before the first.
    fn close(&mut self, end: usize) {
        let Some(last) = end.checked_sub(1) else { return };
        let Some(last_token) = self.words.get(last) else { return };
        let after = self.token_index(last) + 1;
        if let Some((head, first)) = self.open.take() {
            let span = self.words.tokens[first].span.to(last_token.span);
            let name = head.name.map(|name| self.words.word(name).into());
            let chunk = Chunk { span, keyword: head.keyword, name, public: head.public.is_some() };
            self.pieces.push((first..after, chunk));
        } else if let Some(first) = self.words.get(0) {
            let found = describe(first, self.words.text);
            let message = format!("expected a declaration, found {found}");
            self.report(Problem::new(EXPECTED, first.span, message));
        }
        self.after = after;
    }

    /// Reports what is wrong in the trivia between two declarations and gives where the second one begins: at the
    /// docs that stand before it.
    fn gap(&mut self, range: Range<usize>, before_declaration: bool) -> usize {
        let (text, tokens) = (self.words.text, self.words.tokens);
        let mut first_doc = None;
        let mut unattached: Option<Span> = None;
        for index in range.clone() {
            let token = tokens[index];
            match token.kind {
                TokenKind::Invalid => {
                    self.report(run_problem(token.span.text(text), token.span));
                }
                TokenKind::Comment => {
                    if let Some(problem) = comment_problem(token.span.text(text), token.span) {
                        self.report(problem);
                    }
                }
                TokenKind::Doc if docs::trails(text, token.span.start) => {
                    self.report(docs::trailing_problem(text, token.span));
                }
                TokenKind::Doc if before_declaration => {
                    first_doc.get_or_insert(index);
                }
                TokenKind::Doc => unattached = Some(unattached.map_or(token.span, |run| run.to(token.span))),
                _ => {}
            }
            // What is inside a chunk is reported there.
            if first_doc.is_some() {
                break;
            }
        }
        if let Some(run) = unattached {
            self.report(docs::unattached_problem(text, run));
        }
        first_doc.unwrap_or(range.end)
    }

    fn report(&mut self, problem: Problem) {
        if self.problems.len() < limits::PROBLEMS {
            self.problems.push(problem);
        }
    }
}

impl Progress {
    fn step(&mut self, words: &Words<'_>, at: usize, kind: TokenKind) {
        match (kind, self.stage) {
            (TokenKind::BraceOpen, stage) => {
                self.depth += 1;
                self.stage = if stage == Stage::Complete { stage } else { Stage::Body };
            }
            (TokenKind::BraceClose, stage) => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 && stage == Stage::Body {
                    self.stage = Stage::Complete;
                }
            }
            (TokenKind::Colon, Stage::Head | Stage::Shape) => self.stage = Stage::Body,
            (TokenKind::Equals, Stage::Head) => self.stage = Stage::Equals,
            (TokenKind::Name | TokenKind::Word, Stage::Equals) => {
                let shape = matches!(&*words.word(at), "Object" | "Event" | "Enum");
                self.stage = if shape { Stage::Shape } else { Stage::Complete };
            }
            _ => {}
        }
    }
}
