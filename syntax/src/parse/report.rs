//! From faults to problems: what follows from another mistake is left out, the rest gets its sentence.

use crate::problem::{COMMA_UNNEEDED, EXPECTED, INLINE_SHAPE, NAME_QUOTED, Problem, TYPE_MISSING};
use crate::token::{Token, TokenKind};
use crate::{Span, docs, limits, string};

use super::fault::{Fault, What};
use super::shape::name_like;
use super::stream::Stream;
use super::terminal::Expected;

/// Adds to `problems` what was found in a declaration: by the lexer, by the grammar, and, if nothing else is wrong
/// with its structure, by the balance of braces.
pub(super) fn finish(
    stream: Stream<'_>,
    faults: &[Fault],
    brace: Option<Problem>,
    problems: &mut Vec<Problem>,
) {
    let mut shown = Shown { stream: &stream, regions: Vec::new(), problems: Vec::new() };
    let mut ordered: Vec<&Fault> = faults.iter().collect();
    ordered.sort_by_key(|fault| fault.next);
    for fault in ordered {
        if shown.problems.len() >= limits::PROBLEMS {
            break;
        }
        shown.add(fault);
    }
    let found = shown.problems;
    let clean = stream.open_strings.is_empty() && found.iter().all(|problem| problem.code == COMMA_UNNEEDED);
    problems.extend(brace.filter(|_| clean));
    problems.extend(found);
    problems.extend(stream.docs.iter().map(|run| docs::unattached_problem(stream.text, run.span)));
    problems.extend(stream.problems);
    problems.truncate(limits::PROBLEMS);
}

struct Shown<'a> {
    stream: &'a Stream<'a>,
    /// The entries that have a problem already, by the place of their key among the terminals.
    regions: Vec<usize>,
    problems: Vec<Problem>,
}

impl Shown<'_> {
    fn add(&mut self, fault: &Fault) {
        if self.follows_from_characters(fault) {
            return;
        }
        match fault.what {
            What::Comma(_) | What::VariantQuoted(_) => {}
            // One entry has one mistake; what is noticed later in it is what the first one left behind.
            _ => {
                let region = self.region(fault.next);
                if self.regions.contains(&region) {
                    return;
                }
                self.regions.push(region);
            }
        }
        let problem = self.problem(fault);
        self.problems.push(problem);
    }

    /// The last key before `offset`, or 0 for the head.
    fn region(&self, offset: u32) -> usize {
        let terminals = &self.stream.terminals;
        let until = terminals.partition_point(|(_, span)| span.start < offset);
        terminals[..until].iter().rposition(|(terminal, _)| terminal.is_key()).map_or(0, |key| key + 1)
    }

    /// Whether something was left out right before, or swallowed by a string that wasn't closed.
    fn follows_from_characters(&self, fault: &Fault) -> bool {
        let left_out = &self.stream.left_out;
        let next = left_out.partition_point(|at| *at < fault.before);
        let left_out = left_out.get(next).is_some_and(|at| *at <= fault.next);
        let open = &self.stream.open_strings;
        let next = open.partition_point(|line| line.end < fault.before);
        let swallowed = open.get(next).is_some_and(|line| line.start <= fault.next);
        left_out || swallowed
    }

    fn problem(&self, fault: &Fault) -> Problem {
        match fault.what {
            What::Expected(expected) => self.expected(fault, expected),
            What::Comma(span) => Problem::new(
                COMMA_UNNEEDED,
                span,
                "white space separates these, a comma doesn't",
            )
            .with_edit("remove the comma", span, ""),
            What::TypeMissing(span) => {
                let message = format!("`{}` has no type", span.text(self.stream.text));
                Problem::new(TYPE_MISSING, span, message)
            }
            What::InlineShape(span) => {
                let word = span.text(self.stream.text);
                let message = format!("`{word}` opens the body of a type declaration and nothing else");
                let help =
                    format!("give the shape a name: `type Name = {word} {{ … }}`, and write the name here");
                Problem::new(INLINE_SHAPE, span, message).with_help(help)
            }
            What::FieldQuoted(name, whole) => self.field_quoted(name, whole),
            What::VariantQuoted(span) => {
                let written = span.text(self.stream.text);
                let text = format!("{} as {written}", name_like(&string::value(written)));
                self.quoted(span, "a variant").with_edit(format!("write `{text}`"), span, text)
            }
            What::NotCallable(span) => Problem::new(EXPECTED, span, "only a single name takes arguments"),
            What::ColonMistaken(span) => {
                let message = format!("expected `:`, found `{}`", span.text(self.stream.text));
                Problem::new(EXPECTED, span, message).with_edit("write `:`", span, ":")
            }
        }
    }

    fn field_quoted(&self, name: Span, whole: Span) -> Problem {
        let written = name.text(self.stream.text);
        let renamed = name_like(&string::value(written));
        let rest = Span::new(name.end, whole.end).text(self.stream.text);
        let text = format!("{renamed}{rest} as {written}");
        let problem = self.quoted(name, "a field");
        problem.with_edit(
            format!("write `{}`", text.split_whitespace().collect::<Vec<_>>().join(" ")),
            whole,
            text,
        )
    }

    fn quoted(&self, span: Span, what: &str) -> Problem {
        let written = span.text(self.stream.text);
        Problem::new(NAME_QUOTED, span, format!("{what} has a name, and {written} is a string"))
            .with_help("what is sent instead of the name stands after `as`")
    }

    fn expected(&self, fault: &Fault, expected: Expected) -> Problem {
        let terminals = &self.stream.terminals;
        let at = terminals.partition_point(|(_, span)| span.start < fault.next);
        let found = terminals
            .get(at)
            .map(|(_, span)| Span::new(span.start, span.end))
            .filter(|span| !span.is_empty());
        let (span, found) = match found {
            Some(span) => (span, quote(span.text(self.stream.text))),
            None => (Span::empty(fault.before), "the end of the declaration".to_owned()),
        };
        Problem::new(EXPECTED, span, format!("expected {}, found {found}", expected.text()))
    }
}

/// A token as it is quoted in a sentence.
pub(crate) fn describe(token: Token, text: &str) -> String {
    let written = token.span.text(text);
    if token.kind == TokenKind::StringOpen { "a string that isn't closed".to_owned() } else { quote(written) }
}

fn quote(written: &str) -> String {
    let short: String = written.chars().take(40).collect();
    if short.len() < written.len() { format!("`{short}…`") } else { format!("`{short}`") }
}
