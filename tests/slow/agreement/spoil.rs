//! What networks and providers do to documents.

use super::candidates::{TEXTS, WRONG};
use super::document::Node;
use super::tape::Tape;

/// Changes something in a document that may or may not be allowed.
pub fn spoil(tape: &mut Tape<'_>, node: &mut Node) {
    let deeper = !tape.one_in(3);
    match node {
        Node::List(items) if deeper && !items.is_empty() => {
            let index = tape.pick(items.len());
            spoil(tape, &mut items[index]);
        }
        Node::Object(entries) if deeper && !entries.is_empty() => {
            let index = tape.pick(entries.len());
            spoil(tape, &mut entries[index].1);
        }
        Node::Object(entries) => change_entries(tape, entries),
        Node::List(items) if tape.one_in(2) => {
            let item = items.first().cloned().unwrap_or_else(|| other(tape));
            items.extend(std::iter::repeat_n(item, 1 + tape.pick(4)));
        }
        any => *any = other(tape),
    }
}

fn change_entries(tape: &mut Tape<'_>, entries: &mut Vec<(String, Node)>) {
    let at = if entries.is_empty() { 0 } else { tape.pick(entries.len()) };
    match tape.pick(6) {
        0 if !entries.is_empty() => _ = entries.remove(at),
        // The same key again, written in another way.
        1 if !entries.is_empty() => {
            let (key, value) = entries[at].clone();
            let value = if tape.one_in(2) { other(tape) } else { value };
            entries.insert(tape.pick(entries.len() + 1), (respelt(&key), value));
        }
        2 if !entries.is_empty() => entries[at].1 = Node::Leaf("null".to_owned()),
        3 if !entries.is_empty() => entries[at].0 = entries[at].0.to_uppercase(),
        4 => {
            let twice = ("\"again\"".to_owned(), Node::Leaf("1".to_owned()));
            entries.push(("\"unheard-of\"".to_owned(), Node::Object(vec![twice.clone(), twice])));
        }
        _ => entries.push(("\"unheard-of\"".to_owned(), other(tape))),
    }
}

/// A key whose first letter is an escape.
fn respelt(key: &str) -> String {
    let mut letters = key.trim_matches('"').chars();
    match letters.next() {
        Some(first) if first != '\\' && u32::from(first) < 0x1_0000 => {
            format!("\"\\u{:04x}{}\"", u32::from(first), letters.as_str())
        }
        _ => key.to_owned(),
    }
}

fn other(tape: &mut Tape<'_>) -> Node {
    match tape.pick(8) {
        0 => Node::List(vec![Node::Leaf("1".to_owned())]),
        1 => Node::Object(vec![("\"a\"".to_owned(), Node::Leaf("1".to_owned()))]),
        2 => Node::Leaf("[".repeat(200) + &"]".repeat(200)),
        3 | 4 => Node::Leaf((*tape.of(TEXTS)).to_owned()),
        _ => Node::Leaf((*tape.of(WRONG)).to_owned()),
    }
}

/// A text with something done to it that breaks most of them.
pub fn break_text(tape: &mut Tape<'_>, text: &str) -> String {
    const PIECES: [&str; 14] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u00",
        "\u{1}",
        "\u{feff}",
        "<!doctype html>",
        "é",
        " null",
    ];
    let mut at = tape.pick(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let (before, after) = text.split_at(at);
    match tape.pick(4) {
        0 => before.to_owned(),
        1 => format!("{text}{}", tape.of(&PIECES)),
        2 => format!("{}{text}", tape.of(&PIECES)),
        _ => format!("{before}{}{after}", tape.of(&PIECES)),
    }
}
