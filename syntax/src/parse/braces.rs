//! Repairs the balance of braces before the grammar sees them, by how lines are indented where that tells.

use crate::Span;
use crate::problem::{BRACE_UNCLOSED, BRACE_UNEXPECTED, EXPECTED, Problem};
use crate::tree::{Declaration, Keyword};

use super::Sp;
use super::stream::Stream;
use super::terminal::T;

/// Adds the closing braces that are missing and leaves out those that close nothing. Gives the first as a problem.
pub(super) fn balance(stream: &mut Stream<'_>, declaration: &Declaration) -> Option<Problem> {
    let terminals = std::mem::take(&mut stream.terminals);
    let surplus = surplus(&terminals, assumed(&terminals, declaration));
    let mut balance = Balance {
        text: stream.text,
        surplus,
        read: 0,
        indent: 0,
        open: Vec::new(),
        assumed: assumed(&terminals, declaration),
        name: declaration.name.as_ref().map(|name| name.span),
        kept: Vec::with_capacity(terminals.len() + 1),
        problem: None,
    };
    for (at, (terminal, span)) in terminals.iter().enumerate() {
        balance.step(*terminal, *span, terminals.get(at + 1).map(|(next, _)| *next));
        if declaration.keyword != Keyword::Type {
            balance.open_missing(&terminals[at..]);
        }
    }
    while let Some(open) = balance.open.pop() {
        balance.close_missing(open);
    }
    stream.terminals = balance.kept;
    balance.problem
}

struct Balance<'a> {
    text: &'a str,
    /// How many closing braces are too many.
    surplus: usize,
    /// How far the text has been read, and how the line is indented that it has been read to.
    read: usize,
    indent: usize,
    open: Vec<Open>,
    /// Whether the body's own brace is missing, which the grammar reports, and may yet be closed.
    assumed: bool,
    /// The name of the declaration.
    name: Option<Span>,
    kept: Vec<(T, Sp)>,
    problem: Option<Problem>,
}

#[derive(Clone, Copy)]
struct Open {
    span: Sp,
    /// How far the line is indented that it stands on.
    indent: usize,
    /// The name of what it belongs to.
    owner: Option<Span>,
}

impl Balance<'_> {
    fn step(&mut self, terminal: T, span: Sp, next: Option<T>) {
        if self.begins_line(span) {
            self.close_by_indent(terminal);
        }
        match terminal {
            T::BraceOpen => {
                let owner = self.owner();
                self.open.push(Open { span, indent: self.indent, owner });
                self.kept.push((terminal, span));
            }
            T::BraceClose => self.close(span, next),
            _ => self.kept.push((terminal, span)),
        }
    }

    /// What a brace belongs to that stands here: the declaration, or the key or name before it.
    fn owner(&self) -> Option<Span> {
        let mut before = self.kept.iter().rev().filter(|(terminal, _)| *terminal != T::Colon);
        match before.next() {
            _ if self.open.is_empty() => self.name,
            Some((terminal, span)) if terminal.is_key() || terminal.is_name() => {
                Some(Span::new(span.start, span.end))
            }
            _ => None,
        }
    }

    /// Opens the block of a key that is followed by another key instead, where a brace closes nothing otherwise.
    fn open_missing(&mut self, rest: &[(T, Sp)]) {
        let [(T::Colon, colon), (found, inner), (T::Colon, _), ..] = rest else { return };
        let key = self.kept.iter().rev().nth(1).filter(|(terminal, _)| terminal.is_key());
        let Some((_, key)) = key.filter(|_| self.surplus > 0 && found.is_key()) else { return };
        self.surplus -= 1;
        let owner = Span::new(key.start, key.end);
        let at = Sp { start: colon.end, end: colon.end, context: () };
        self.open.push(Open { span: at, indent: self.indent, owner: Some(owner) });
        self.kept.push((T::BraceOpen, at));
        let inner = Span::new(inner.start, inner.end);
        let message =
            format!("expected `{{` after `{}:`, found `{}`", owner.text(self.text), inner.text(self.text));
        self.problem.get_or_insert_with(|| {
            Problem::new(EXPECTED, inner, message).with_edit("write `{`", Span::empty(colon.end), " {")
        });
    }

    /// Closes inner blocks that the indentation says are over: a line begins no further right than theirs did.
    fn close_by_indent(&mut self, terminal: T) {
        let indent = self.indent;
        while let [.., _, inner] = self.open[..] {
            let over = if terminal == T::BraceClose { indent < inner.indent } else { indent <= inner.indent };
            if !over || inner.indent == 0 {
                return;
            }
            self.open.pop();
            self.close_missing(inner);
        }
    }

    fn close(&mut self, span: Sp, next: Option<T>) {
        let ends_body = self.open.len() + usize::from(self.assumed) == 1;
        // A brace that would end the body while it goes on is the one too many.
        let spurious = ends_body && self.surplus > 0 && next.is_some_and(|next| next != T::BraceClose);
        if spurious {
            self.surplus -= 1;
            self.unexpected(span);
        } else if self.open.pop().is_some() {
            self.kept.push((T::BraceClose, span));
        } else if self.assumed {
            self.assumed = false;
            self.kept.push((T::BraceClose, span));
        } else {
            self.surplus = self.surplus.saturating_sub(1);
            self.unexpected(span);
        }
    }

    fn unexpected(&mut self, span: Sp) {
        let span = Span::new(span.start, span.end);
        self.problem.get_or_insert_with(|| {
            Problem::new(BRACE_UNEXPECTED, span, "this `}` closes nothing").with_edit(
                "remove the `}`",
                span,
                "",
            )
        });
    }

    fn close_missing(&mut self, open: Open) {
        let at = self.kept.last().map_or(open.span.end, |(_, span)| span.end);
        self.kept.push((T::BraceClose, Sp { start: at, end: at, context: () }));
        let brace = Span::new(open.span.start, open.span.end);
        let message = match open.owner {
            Some(owner) => format!("the `{{` of `{}` is never closed", owner.text(self.text)),
            None => "this `{` is never closed".to_owned(),
        };
        self.problem.get_or_insert_with(|| {
            Problem::new(BRACE_UNCLOSED, brace, message)
                .with_related(Span::empty(at), "what it opened seems to end here")
        });
    }

    /// The indentation of the line that `span` begins, if it begins one. Only the gap before it is looked at, so that
    /// a long line costs no more than its tokens.
    fn begins_line(&mut self, span: Sp) -> bool {
        let gap = self.text.get(self.read..span.start as usize).unwrap_or_default();
        self.read = span.end as usize;
        let line = gap.rfind(['\n', '\r']).map(|end| &gap[end + 1..]);
        if let Some(line) = line {
            self.indent = line.len() - line.trim_start_matches([' ', '\t']).len();
        }
        line.is_some()
    }
}

/// Whether the body has no opening brace of its own though something is in it.
fn assumed(terminals: &[(T, Sp)], declaration: &Declaration) -> bool {
    let opens_at = if declaration.keyword == Keyword::Type {
        let shape = terminals.iter().take(3).position(|(terminal, _)| terminal.is_shape());
        shape.map(|shape| shape + 1)
    } else {
        Some(0)
    };
    let opening = |at: usize| {
        // Words before the brace are the grammar's to refuse.
        terminals[at.min(terminals.len())..]
            .iter()
            .find(|(terminal, _)| *terminal == T::BraceOpen || terminal.is_key())
            .is_some_and(|(terminal, _)| *terminal == T::BraceOpen)
    };
    opens_at.is_some_and(|at| !opening(at))
}

fn surplus(terminals: &[(T, Sp)], assumed: bool) -> usize {
    let mut depth = usize::from(assumed);
    let mut surplus = 0;
    for (terminal, _) in terminals {
        match terminal {
            T::BraceOpen => depth += 1,
            T::BraceClose if depth == 0 => surplus += 1,
            T::BraceClose => depth -= 1,
            _ => {}
        }
    }
    surplus
}
