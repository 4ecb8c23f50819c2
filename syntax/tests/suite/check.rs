//! The one function that cases are checked through.

use std::fmt::Write as _;

use jadpo_syntax::{File, Problem, parse_file};

/// Every problem of a text, one a line: its code, what it points at, the sentence, and what the edit gives.
pub fn problems(text: &str) -> String {
    let mut lines = String::new();
    for problem in checked(text).problems {
        let Problem { code, span, message, .. } = &problem;
        let _ = write!(lines, "{} {:?}: {message}", code.trim_start_matches("syntax."), span.text(text));
        if let Some(edit) = &problem.edit {
            let _ = write!(lines, " -> {:?}", edit.text);
        }
        lines.push('\n');
    }
    lines
}

/// The codes of a text's problems, without their family.
pub fn codes(text: &str) -> Vec<&'static str> {
    checked(text).problems.iter().map(|problem| problem.code.trim_start_matches("syntax.")).collect()
}

/// `text` after its edits.
pub fn repaired(text: &str) -> String {
    let mut repaired = text.to_owned();
    for problem in checked(text).problems.iter().rev() {
        if let Some(edit) = &problem.edit {
            repaired.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
        }
    }
    repaired
}

/// The tree of a text, with what must hold of every one.
pub fn checked(text: &str) -> File {
    let tokens = jadpo_syntax::tokens(text);
    assert_eq!(jadpo_syntax::print(text, &tokens), text, "tokens lose something");
    let file = parse_file(text);
    for problem in &file.problems {
        let edit = problem.edit.as_ref().map(|edit| edit.span);
        let related = problem.related.iter().map(|(span, _)| *span);
        for span in [problem.span].into_iter().chain(edit).chain(related) {
            let range = span.start as usize..span.end as usize;
            assert!(text.get(range).is_some(), "{problem:?} is outside of {text:?}");
        }
        assert!(jadpo_syntax::CODES.contains(&problem.code), "{problem:?} has no known code");
    }
    file
}

/// What a value says, without where: two trees that differ in nothing but spans have the same text.
pub fn without_spans(value: &impl std::fmt::Debug) -> String {
    let text = format!("{value:?}");
    let mut rest = &*text;
    let mut kept = String::with_capacity(text.len());
    while let Some(at) = rest.find("Span { start: ") {
        kept.push_str(&rest[..at]);
        rest = &rest[at + rest[at..].find('}').unwrap() + 1..];
    }
    kept.push_str(rest);
    kept
}
