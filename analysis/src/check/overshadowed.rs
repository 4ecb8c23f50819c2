//! What a syntax problem makes doubtful: the entry, field or variant that could not be read as it was meant.
//!
//! Half of a broken entry means something else than the whole would have, so nothing more is said about it. Its
//! neighbours are read as they stand.

use jadpo_syntax::tree::{Block, Body, Declaration, TypeBody, ValueKind};
use jadpo_syntax::{Problem, Span, problem};

/// The problems after which the text around them means something else than its author meant.
const BREAKING: [&str; 5] = [
    problem::EXPECTED,
    problem::INLINE_SHAPE,
    problem::NAME_QUOTED,
    problem::STRING_UNCLOSED,
    problem::TYPE_MISSING,
];

/// One of the things that stand side by side in braces.
#[derive(Clone, Copy)]
struct Sibling<'a> {
    span: Span,
    /// Whether it lacks what should follow its name, so that the next one's name may be that.
    hole: bool,
    inner: Option<&'a Block>,
}

/// The ranges about which a rule has nothing to add.
pub fn ranges(text: &str, declaration: &Declaration, problems: &[Problem]) -> Vec<Span> {
    let breaking = problems.iter().filter(|problem| BREAKING.contains(&problem.code));
    let mut ranges = Vec::new();
    for problem in breaking {
        match &declaration.body {
            Body::Block(block) => within(text, &of_block(block), problem.span, &mut ranges),
            Body::Type(TypeBody::Object(fields)) => {
                within(text, &of_fields(fields), problem.span, &mut ranges);
            }
            Body::Type(TypeBody::Event { wire_names, fields }) => {
                let mut siblings = of_fields(fields);
                siblings.extend(wire_names.iter().map(|it| Sibling {
                    span: it.span,
                    hole: false,
                    inner: None,
                }));
                siblings.sort_by_key(|sibling| sibling.span);
                within(text, &siblings, problem.span, &mut ranges);
            }
            Body::Type(TypeBody::Enum(variants)) => {
                let siblings = variants.iter().map(|it| Sibling { span: it.span, hole: false, inner: None });
                within(text, &siblings.collect::<Vec<_>>(), problem.span, &mut ranges);
            }
            Body::Type(TypeBody::Alias(..) | TypeBody::Missing) | Body::Missing => {
                ranges.push(declaration.span);
            }
        }
    }
    let head = declaration.name.as_ref().map_or(declaration.keyword_span, |name| name.span);
    if problems.iter().any(|problem| problem.span.start <= head.end) {
        ranges.push(head);
    }
    if let Body::Block(block) = &declaration.body
        && has_wrong_braces(problems)
    {
        behind_holes(block, &mut ranges);
    }
    ranges
}

/// Whether braces are missing or too many, so that an entry may stand in another block than it was written for.
pub fn has_wrong_braces(problems: &[Problem]) -> bool {
    let codes = [problem::BRACE_UNCLOSED, problem::BRACE_UNEXPECTED];
    problems.iter().any(|problem| codes.contains(&problem.code))
}

fn of_block(block: &Block) -> Vec<Sibling<'_>> {
    let siblings = block.entries.iter().map(|entry| {
        let inner = match entry.value.as_ref().map(|value| &value.kind) {
            Some(ValueKind::Block(block)) => Some(block),
            _ => None,
        };
        Sibling { span: entry.span, hole: entry.value.is_none(), inner }
    });
    siblings.collect()
}

fn of_fields(fields: &[jadpo_syntax::tree::Field]) -> Vec<Sibling<'_>> {
    let siblings = fields.iter().map(|field| Sibling {
        span: field.span,
        hole: field.ty.is_none(),
        inner: field.constraints.as_ref(),
    });
    siblings.collect()
}

/// Whether a problem stands in a block, behind the start of its first entry.
fn stands_among(block: &Block, problem: Span) -> bool {
    let first = block.entries.first().map(|entry| entry.span.start);
    first.is_some_and(|first| first <= problem.start) && problem.start < block.span.end
}

/// Adds what stands behind a hole, in this block and those within: where a brace is missing, it may be the hole's.
fn behind_holes(block: &Block, ranges: &mut Vec<Span>) {
    let mut behind = false;
    for entry in &block.entries {
        match entry.value.as_ref().map(|value| &value.kind) {
            _ if behind => ranges.push(entry.span),
            None => behind = true,
            Some(ValueKind::Block(inner)) => behind_holes(inner, ranges),
            _ => {}
        }
    }
}

/// Adds the innermost sibling that a problem stands in or behind, and the next where that one may be part of it.
fn within(text: &str, siblings: &[Sibling<'_>], problem: Span, ranges: &mut Vec<Span>) {
    let next = siblings.partition_point(|sibling| sibling.span.start <= problem.start);
    if let Some(after) = siblings.get(next) {
        let before_is_hole = next.checked_sub(1).is_some_and(|at| siblings[at].hole);
        let touches = || Span::new(problem.end, after.span.start).text(text).bytes().all(|byte| byte == b' ');
        if before_is_hole || touches() {
            ranges.push(after.span);
        }
    }
    let Some(at) = next.checked_sub(1) else { return };
    let sibling = siblings[at];
    // What is found in place of the end of the one before.
    if sibling.span.start == problem.start
        && let Some(before) = at.checked_sub(1)
    {
        ranges.push(siblings[before].span);
    }
    match sibling.inner {
        Some(block) if stands_among(block, problem) => {
            within(text, &of_block(block), problem, ranges);
        }
        _ => ranges.push(Span::new(sibling.span.start, sibling.span.end.max(problem.end))),
    }
}
