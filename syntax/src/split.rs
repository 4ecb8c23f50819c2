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
    splitter.problems.truncate(limits::PROBLEMS);
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
#[derive(Default)]
struct Progress {
    depth: usize,
    complete: bool,
    /// Whether anything of a body has been seen that a `}` could end.
    begun: bool,
    equals: bool,
    /// Whether `Object`, `Event` or `Enum` stands after the `=`, so that braces must follow.
    shape: bool,
}

impl Splitter<'_> {
    fn run(&mut self) {
        let mut progress = Progress { complete: true, ..Progress::default() };
        let mut at = 0;
        while let Some(token) = self.words.get(at) {
            if self.begins(at, &progress) {
                self.close(at);
                let head = self.words.head(at);
                let first = self.gap(self.after..self.token_index(at), true);
                self.open = Some((head, first));
                progress = Progress::default();
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

    fn begins(&self, at: usize, progress: &Progress) -> bool {
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
        } else if progress.complete {
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
            self.problems.push(Problem::new(EXPECTED, first.span, message));
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
                    self.problems.push(run_problem(token.span.text(text), token.span));
                }
                TokenKind::Comment => {
                    self.problems.extend(comment_problem(token.span.text(text), token.span));
                }
                TokenKind::Doc if docs::trails(text, token.span.start) => {
                    self.problems.push(docs::trailing_problem(text, token.span));
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
        self.problems.extend(unattached.map(|run| docs::unattached_problem(text, run)));
        first_doc.unwrap_or(range.end)
    }
}

impl Progress {
    fn step(&mut self, words: &Words<'_>, at: usize, kind: TokenKind) {
        match kind {
            TokenKind::BraceOpen => {
                self.depth += 1;
                self.begun = true;
            }
            TokenKind::Colon => self.begun = true,
            TokenKind::BraceClose => {
                self.depth = self.depth.saturating_sub(1);
                self.complete |= self.depth == 0 && self.begun;
            }
            TokenKind::Equals if self.depth == 0 => self.equals = true,
            _ if self.depth > 0 || !self.equals => {}
            _ if kind.is_name() && matches!(&*words.word(at), "Object" | "Event" | "Enum") => {
                self.shape = true;
            }
            TokenKind::Name | TokenKind::Word | TokenKind::AngleClose | TokenKind::Question => {
                self.complete |= !self.shape;
            }
            _ => {}
        }
    }
}
