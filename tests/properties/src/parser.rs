//! Reading any text ends, in a tree whose parts stand inside each other and in problems that stand inside the text.

use jadpo_syntax::{CODES, File, Problem, Span, parse, parse_file, split};

use crate::tree_spans;

/// Tries a text.
pub fn holds(text: &str) {
    let file = parse_file(text);
    assert_eq!(parse_file(text), file, "a second reading differs");
    for problem in &file.problems {
        stands(text, problem);
    }
    assert!(file.problems.is_sorted_by_key(|problem| problem.span), "problems out of order");
    let mut end = 0;
    for (offset, declaration) in &file.declarations {
        let span = declaration.span.offset_by(*offset);
        assert!(span.start >= end, "the declaration at {span:?} overlaps the one that ends at {end}");
        assert_inside(text, span);
        tree_spans::hold(&text[*offset as usize..], declaration);
        end = span.end;
    }
    in_pieces(text, &file);
}

/// That the declarations, each read by itself, are those of the whole text.
fn in_pieces(text: &str, file: &File) {
    let split = split(text);
    let mut problems = split.problems.clone();
    let mut declarations = Vec::new();
    let mut end = 0;
    for chunk in &split.chunks {
        assert!(chunk.span.start >= end, "{chunk:?} begins before {end}");
        assert_inside(text, chunk.span);
        end = chunk.span.end;
        let parsed = parse(chunk.span.text(text));
        declarations.extend(parsed.declaration.map(|declaration| (chunk.span.start, declaration)));
        problems.extend(parsed.problems.into_iter().map(|problem| problem.offset_by(chunk.span.start)));
    }
    problems.sort_by_key(|problem| problem.span);
    assert_eq!(declarations, file.declarations);
    assert_eq!(problems, file.problems);
}

fn stands(text: &str, problem: &Problem) {
    assert!(CODES.contains(&problem.code), "{problem:?}");
    assert!(!problem.message.is_empty() && !problem.message.contains('\n'), "{problem:?}");
    let edit = problem.edit.as_ref().map(|edit| edit.span);
    let related = problem.related.iter().map(|(span, _)| *span);
    for span in [problem.span].into_iter().chain(edit).chain(related) {
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{problem:?} is no place");
    }
}

fn assert_inside(text: &str, span: Span) {
    assert!(text.get(span.start as usize..span.end as usize).is_some(), "{span:?} is no place");
}
