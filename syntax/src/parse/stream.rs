//! From tokens to terminals: trivia and docs are set aside, keys are told from values, depth is bounded.

use crate::character::{comment_problem, run_problem, visible, word_problem};
use crate::problem::{NESTED_TOO_DEEP, Problem, STRING_UNCLOSED};
use crate::token::{Token, TokenKind};
use crate::tree::Number;
use crate::{Span, docs, limits, number, string};

use super::Sp;
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

/// An opening delimiter that waits for its closing one.
struct Open {
    terminal: T,
    /// Its place among the terminals.
    at: usize,
    /// How many keys stand directly inside.
    keys: usize,
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
        let mut open = Vec::new();
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
            stream.nest(terminal, &mut open).map_err(|()| too_deep(span))?;
        }
        stream.unbalanced |= open.iter().any(|open| open.terminal == T::BraceOpen);
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

    /// Follows the delimiters. Keys directly inside a closed list or call are none: nothing there takes a colon, and
    /// so the mistake stays inside that list.
    fn nest(&mut self, terminal: T, open: &mut Vec<Open>) -> Result<(), ()> {
        let matching = match terminal {
            T::BraceOpen | T::BracketOpen | T::ParenOpen | T::AngleOpen => {
                if terminal == T::AngleOpen {
                    Self::leave_types(open);
                }
                open.push(Open { terminal, at: self.terminals.len() - 1, keys: 0 });
                return if open.len() > limits::DEPTH { Err(()) } else { Ok(()) };
            }
            T::Colon => {
                Self::leave_types(open);
                let key = self.terminals.len().checked_sub(2).is_some_and(|at| self.terminals[at].0.is_key());
                if let Some(last) = open.last_mut().filter(|_| key) {
                    last.keys += 1;
                }
                return Ok(());
            }
            T::BraceClose => T::BraceOpen,
            T::BracketClose => T::BracketOpen,
            T::ParenClose => T::ParenOpen,
            T::AngleClose => T::AngleOpen,
            _ => return Ok(()),
        };
        let reach = open.iter().rposition(|open| open.terminal == matching);
        let brace = open.iter().rposition(|open| open.terminal == T::BraceOpen);
        match reach {
            // A `}` ends the lists inside its block; a `]` ends no block.
            Some(at) if matching == T::BraceOpen || brace.is_none_or(|brace| brace < at) => {
                if matching != T::AngleOpen || at + 1 == open.len() {
                    let closed = open.drain(at..).next();
                    if let Some(list) = closed.filter(|list| matching != T::BraceOpen && list.keys > 0) {
                        self.unmark_keys(list.at);
                    }
                }
            }
            _ => self.unbalanced |= matching == T::BraceOpen,
        }
        Ok(())
    }

    /// Forgets an argument list of types that a colon stands in: it doesn't reach over another colon or into another
    /// type, even where its `>` was forgotten.
    fn leave_types(open: &mut Vec<Open>) {
        while open.last().is_some_and(|last| last.terminal == T::AngleOpen && last.keys > 0) {
            open.pop();
        }
    }

    fn unmark_keys(&mut self, from: usize) {
        let mut depth = 0;
        for (terminal, span) in &mut self.terminals[from..] {
            match terminal {
                T::BraceOpen => depth += 1,
                T::BraceClose => depth -= 1,
                T::KeyString if depth == 0 => *terminal = T::String,
                T::Key | T::KeyWireName if depth == 0 => {
                    *terminal = T::of_word(&self.text[span.start as usize..span.end as usize]);
                }
                _ => {}
            }
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
