//! From tokens to terminals: trivia and docs are set aside, keys are told from values, depth is bounded.

use crate::character::{comment_problem, run_problem, visible, word_problem};
use crate::problem::{NESTED_TOO_DEEP, Problem, STRING_UNCLOSED};
use crate::token::{Token, TokenKind};
use crate::tree::Number;
use crate::{Span, docs, limits, number, string};

use super::Sp;
use super::nesting::Nesting;
use super::terminal::T;

/// One declaration as the grammar sees it.
pub(super) struct Stream<'a> {
    pub text: &'a str,
    pub terminals: Vec<(T, Sp)>,
    pub docs: Vec<DocRun>,
    pub problems: Vec<Problem>,
    /// Where characters were left out that are reported already.
    pub left_out: Vec<u32>,
    /// Strings whose lines ended first, each from the start of its line.
    pub open_strings: Vec<Span>,
    /// Whether an opening brace has no closing one, or a closing one no opening one.
    pub unbalanced: bool,
}

/// Lines of documentation with nothing but trivia between them.
pub(super) struct DocRun {
    pub lines: Vec<String>,
    pub span: Span,
    /// Where the token begins that they stand before.
    pub before: Option<u32>,
}

impl<'a> Stream<'a> {
    /// Reads `tokens`, whose first words up to `head_end` (an offset) are the head and are left out. `base` is where
    /// `text`, the declaration's own, begins in what the tokens count in. Too much depth is the one problem then.
    pub fn read(text: &'a str, tokens: &[Token], base: u32, head_end: u32) -> Result<Self, Box<Problem>> {
        let mut stream = Self {
            text,
            terminals: Vec::with_capacity(tokens.len() / 2),
            docs: Vec::new(),
            problems: Vec::new(),
            left_out: Vec::new(),
            open_strings: Vec::new(),
            unbalanced: false,
        };
        let mut nesting = Nesting::default();
        let mut after_word = false;
        for token in tokens {
            let span = Span { start: token.span.start - base, end: token.span.end - base };
            if token.kind.is_trivia() {
                stream.trivia(token.kind, span, after_word);
                continue;
            }
            after_word = true;
            stream.place_docs(span.start);
            let terminal = stream.terminal(token.kind, span);
            if span.end <= head_end {
                continue;
            }
            stream.settle_keys(terminal);
            stream.terminals.push((terminal, sp(span)));
            if !nesting.step(&mut stream.terminals, text) {
                return Err(too_deep(span));
            }
        }
        stream.unbalanced = nesting.unbalanced();
        Ok(stream)
    }

    /// Whether the docs stand at the end of a block.
    pub fn ends_block(&self, run: &DocRun) -> bool {
        let before = run.before.unwrap_or(u32::MAX);
        let at = self.terminals.partition_point(|(_, span)| span.start < before);
        self.terminals.get(at).is_some_and(|(terminal, _)| *terminal == T::BraceClose)
    }

    fn trivia(&mut self, kind: TokenKind, span: Span, after_word: bool) {
        let written = span.text(self.text);
        match kind {
            TokenKind::Invalid => {
                self.left_out.push(span.start);
                self.report(run_problem(written, span));
            }
            TokenKind::Comment => {
                if let Some(problem) = comment_problem(written, span) {
                    self.report(problem);
                }
            }
            TokenKind::Doc => {
                if let Some(problem) = comment_problem(written, span) {
                    self.report(problem);
                }
                if after_word && docs::trails(self.text, span.start) {
                    self.report(docs::trailing_problem(self.text, span));
                } else {
                    self.doc(docs::content(written), span);
                }
            }
            _ => {}
        }
    }

    fn doc(&mut self, line: String, span: Span) {
        match self.docs.last_mut() {
            Some(run) if run.before.is_none() => {
                run.lines.push(line);
                run.span = run.span.to(span);
            }
            _ => self.docs.push(DocRun { lines: vec![line], span, before: None }),
        }
    }

    fn place_docs(&mut self, before: u32) {
        if let Some(run) = self.docs.last_mut().filter(|run| run.before.is_none()) {
            run.before = Some(before);
        }
    }

    fn terminal(&mut self, kind: TokenKind, span: Span) -> T {
        let written = span.text(self.text);
        match kind {
            TokenKind::Word => {
                self.report(word_problem(written, span));
                T::of_word(&visible(written))
            }
            TokenKind::Number => {
                let plain = written.bytes().all(|byte| byte.is_ascii_digit()) && written.len() < 30;
                if !plain && number::judge(written) == Number::Invalid {
                    self.report(number::problem(written, span));
                }
                T::Number
            }
            TokenKind::String | TokenKind::StringOpen => {
                let mut found = Vec::new();
                string::problems(written, span, &mut found);
                for problem in found {
                    self.report(problem);
                }
                if kind == TokenKind::StringOpen {
                    let line = docs::line_start(self.text, span.start);
                    self.open_strings.push(Span::new(line, span.end));
                    let message = "this string isn't closed before its line ends";
                    self.report(Problem::new(STRING_UNCLOSED, span, message));
                }
                T::String
            }
            TokenKind::BraceOpen => T::BraceOpen,
            TokenKind::BraceClose => T::BraceClose,
            TokenKind::BracketOpen => T::BracketOpen,
            TokenKind::BracketClose => T::BracketClose,
            TokenKind::ParenOpen => T::ParenOpen,
            TokenKind::ParenClose => T::ParenClose,
            TokenKind::AngleOpen => T::AngleOpen,
            TokenKind::AngleClose => T::AngleClose,
            TokenKind::Colon => T::Colon,
            TokenKind::Equals => T::Equals,
            TokenKind::Comma => T::Comma,
            TokenKind::Dot => T::Dot,
            TokenKind::Question => T::Question,
            _ => T::of_word(written),
        }
    }

    /// Makes the name or string before a colon a key.
    fn settle_keys(&mut self, terminal: T) {
        if terminal != T::Colon {
            return;
        }
        if let Some((last, _)) = self.terminals.last_mut() {
            *last = match *last {
                T::String => T::KeyString,
                T::WireName => T::KeyWireName,
                name if name.is_name() => T::Key,
                other => other,
            };
        }
    }

    fn report(&mut self, problem: Problem) {
        if self.problems.len() < limits::PROBLEMS {
            self.problems.push(problem);
        }
    }
}

fn too_deep(span: Span) -> Box<Problem> {
    let message = format!("blocks, lists, calls and types nest at most {} deep", limits::DEPTH);
    Box::new(Problem::new(NESTED_TOO_DEEP, span, message))
}

fn sp(span: Span) -> Sp {
    Sp { start: span.start, end: span.end, context: () }
}
