//! Documentation carried over, so that nothing of it becomes code, on the page or in a test run.

/// The lines that document an item with `text`, whose lines are joined by `\n`; none for an empty one.
///
/// Ordinary lines are ordinary `///` comments. A text that Markdown might read as a sample would be compiled by
/// `cargo test`, and some characters may not stand in a Rust comment: such a text is an attribute with escapes, and
/// test runs don't see it.
pub fn docs(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else if text.split('\n').all(is_plain) {
        comment(text)
    } else {
        let lines =
            text.split('\n').map(|line| format!("#[cfg_attr(not(doctest), doc = {:?})]\n", spaced(line)));
        lines.collect()
    }
}

/// `docs` of what the manifest says, or `ours` where it says nothing.
pub fn docs_or(text: &str, ours: &str) -> String {
    if text.is_empty() { comment(ours) } else { docs(text) }
}

/// `docs` of what the manifest says, then a paragraph of ours.
pub fn docs_and(text: &str, ours: &str) -> String {
    if text.is_empty() { comment(ours) } else { docs(text) + "///\n" + &comment(ours) }
}

fn comment(text: &str) -> String {
    text.split('\n').flat_map(|line| ["///".to_owned(), spaced(line), "\n".to_owned()]).collect()
}

fn spaced(line: &str) -> String {
    if line.is_empty() { String::new() } else { format!(" {line}") }
}

/// Whether a line may be a comment and Markdown cannot read a sample out of it, in a list or a quotation either.
fn is_plain(line: &str) -> bool {
    let sample = ["    ", "\t", "```", "~~~"].iter().any(|mark| line.contains(mark));
    let turns_text =
        |c: char| matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    !sample && !line.ends_with(' ') && !line.chars().any(|c| c.is_control() || turns_text(c))
}
