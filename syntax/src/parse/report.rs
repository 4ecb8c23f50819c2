//! From faults to problems: what follows from another mistake is left out, the rest gets its sentence.

use std::collections::BTreeMap;

use crate::nearest::nearest_of;
use crate::problem::{COMMA_UNNEEDED, EXPECTED, INLINE_SHAPE, NAME_QUOTED, Problem, TYPE_MISSING};
use crate::token::{Token, TokenKind};
use crate::tree::{Block, TypeExpr};
use crate::{Span, docs, limits, string};

use super::fault::{Fault, What};
use super::shape::name_like;
use super::stream::Stream;
use super::terminal::Expected;

/// Adds to `problems` what was found in a declaration: by the lexer, by the grammar, and, if nothing else is wrong
/// with its structure, by the balance of braces. Of the constraints of an `alias` only
/// one mistake is shown, since most likely its type was meant to be `Object`.
pub(super) fn finish(
    stream: Stream<'_>,
    faults: &[Fault],
    alias: Option<(&'_ TypeExpr, &'_ Block)>,
    brace: Option<Problem>,
    problems: &mut Vec<Problem>,
) {
    let shown = show(&stream, faults, alias);
    let clean = stream.open_strings.is_empty() && shown.is_empty();
    // Docs of what the grammar had to skip are no mistake of their own.
    let skipped = !clean || brace.is_some();
    problems.extend(brace.filter(|_| clean));
    problems.extend(shown);
    let unattached = stream.docs.iter().filter(|run| !skipped || stream.ends_block(run));
    problems.extend(unattached.map(|run| docs::unattached_problem(stream.text, run.span)));
    problems.extend(stream.problems);
    problems.truncate(limits::PROBLEMS);
}

/// The problems among `faults` that don't follow from others.
fn show(stream: &Stream<'_>, faults: &[Fault], alias: Option<(&'_ TypeExpr, &'_ Block)>) -> Vec<Problem> {
    if faults.is_empty() {
        return Vec::new();
    }
    let keys = stream.terminals.iter().filter(|(terminal, _)| terminal.is_key());
    let mut shown = Shown {
        stream,
        alias,
        keys: keys.map(|(_, span)| span.start).collect(),
        regions: BTreeMap::new(),
        last: None,
        problems: Vec::new(),
    };
    let mut ordered: Vec<&Fault> = faults.iter().collect();
    ordered.sort_by_key(|fault| fault.next);
    for fault in ordered {
        if shown.problems.len() < limits::PROBLEMS && !shown.follows_from_characters(fault) {
            shown.add(fault);
        }
    }
    shown.problems
}

struct Shown<'a> {
    stream: &'a Stream<'a>,
    alias: Option<(&'a TypeExpr, &'a Block)>,
    /// Where the keys begin. Each entry with what follows it, up to the next key, is a region; the head is region 0.
    keys: Vec<u32>,
    /// The regions that have a problem already, and whether more of the same may follow.
    regions: BTreeMap<usize, bool>,
    /// The last fault and its region.
    last: Option<(usize, Fault)>,
    problems: Vec<Problem>,
}

impl Shown<'_> {
    fn add(&mut self, fault: &Fault) {
        // One entry has one mistake; what is noticed later in it is what the first one left behind. Commas and
        // quoted variants are mistakes of their own, each as often as it is made.
        let again = matches!(fault.what, What::Comma(_) | What::VariantQuoted(_));
        let region = self.region(fault.within);
        if self.regions.get(&region).is_some_and(|repeats| !(again && *repeats)) {
            return;
        }
        let follows = self.follows_from_last(region, fault);
        self.regions.entry(region).or_insert(again && !follows);
        self.last = Some((region, *fault));
        if !follows {
            let problem = self.problem(fault);
            self.problems.push(problem);
        }
    }

    fn region(&self, offset: u32) -> usize {
        let constraints = self.alias.map(|(_, block)| block.span);
        let inside = constraints.filter(|block| block.start < offset && offset < block.end);
        let offset = inside.map_or(offset, |block| block.start);
        self.keys.partition_point(|key| *key < offset)
    }

    /// Whether the entry before, on the same line, is broken too: the reader was on the wrong track then.
    fn follows_from_last(&self, region: usize, fault: &Fault) -> bool {
        let Some((last, before)) = self.last.filter(|(last, _)| last + 1 == region) else { return false };
        let one_line = !Span::new(before.next.min(self.keys[last]), self.keys[last])
            .text(self.stream.text)
            .contains(['\n', '\r']);
        let track = match fault.what {
            What::Expected(_) => !matches!(before.what, What::Comma(_) | What::VariantQuoted(_)),
            What::Comma(_) | What::VariantQuoted(_) => false,
            // `level: Int: { … }` has a colon too many, not a field called `Int`.
            What::TypeMissing(key) if before.next == key.start => {
                key.text(self.stream.text).starts_with(|c: char| c.is_ascii_uppercase())
            }
            _ => matches!(before.what, What::Expected(_)),
        };
        one_line && track
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
            What::Expected(expected) => self.shape_meant(fault, self.expected(fault, expected)),
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
            What::Mistaken(span, right) => self.mistaken(span, right),
            What::Missing(sign) => self.missing(fault, sign),
        }
    }

    fn mistaken(&self, span: Span, right: &str) -> Problem {
        let message = format!("expected `{right}`, found `{}`", span.text(self.stream.text));
        let glued = Span::new(0, span.start).text(self.stream.text).ends_with(|c: char| !c.is_whitespace());
        let text = if glued && right != ":" { format!(" {right}") } else { right.to_owned() };
        Problem::new(EXPECTED, span, message).with_edit(format!("write `{right}`"), span, text)
    }

    fn missing(&self, fault: &Fault, sign: &str) -> Problem {
        let expected = if sign == ":" { Expected::COLON } else { Expected::EQUALS };
        let text = if sign == ":" { ":" } else { " =" };
        self.expected(fault, expected).with_edit(format!("write `{sign}`"), Span::empty(fault.before), text)
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

    /// Adds what was most likely meant by an alias whose constraints are none.
    fn shape_meant(&self, fault: &Fault, problem: Problem) -> Problem {
        let Some((ty, block)) = self.alias else { return problem };
        let inside = block.span.start < fault.next && fault.next < block.span.end;
        let Some(name) = ty.as_bare_name().filter(|_| inside) else { return problem };
        match nearest_of(&name.text, &["Object", "Event", "Enum"]) {
            Some(shape) => problem
                .with_related(name.span, "a type with constraints")
                .with_help(format!("did you mean `{shape}` rather than `{}`?", name.text)),
            None => problem,
        }
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
