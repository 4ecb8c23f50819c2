//! Edits, one by one and at random against a model.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use tower_lsp::lsp_types::{Position, Range};

use super::*;

fn uri() -> Url {
    Url::parse("file:///p/app.jadpo").unwrap()
}

fn opened(text: &str) -> Documents {
    let mut documents = Documents::default();
    documents.open(uri(), Some("/p/app.jadpo".into()), 1, text.to_owned());
    documents
}

fn replace(start: (u32, u32), end: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
    let at = |(line, character)| Position { line, character };
    let range = Some(Range { start: at(start), end: at(end) });
    TextDocumentContentChangeEvent { range, range_length: None, text: text.to_owned() }
}

#[test]
fn each_edit_refers_to_the_text_after_the_ones_before_it() {
    let mut documents = opened("a🪙b\nc");
    let edits =
        vec![replace((0, 3), (0, 4), "x\ny"), replace((1, 1), (2, 0), "z"), replace((0, 0), (0, 1), "")];
    let document = documents.change(&uri(), 2, edits, Encoding::Utf16).unwrap();
    assert_eq!((document.text.as_str(), document.version), ("🪙x\nyzc", 2));
}

#[test]
fn an_edit_without_a_range_is_the_whole_text() {
    let mut documents = opened("a");
    let whole = TextDocumentContentChangeEvent { range: None, range_length: None, text: "b".to_owned() };
    assert_eq!(documents.change(&uri(), 2, vec![whole], Encoding::Utf16).unwrap().text, "b");
}

#[test]
fn edits_of_what_is_not_open_change_nothing() {
    let mut documents = opened("a");
    documents.close(&uri());
    assert!(documents.change(&uri(), 2, vec![replace((0, 0), (0, 0), "b")], Encoding::Utf16).is_none());
    assert!(documents.close(&uri()).is_none());
}

#[test]
fn of_two_addresses_of_a_file_the_one_just_edited_counts() {
    let mut documents = opened("a");
    let link = Url::parse("file:///link.jadpo").unwrap();
    documents.open(link.clone(), Some("/p/app.jadpo".into()), 1, "b".to_owned());
    assert_eq!(documents.text_at(Path::new("/p/app.jadpo")).as_deref(), Some("b"));
    documents.change(&uri(), 2, vec![], Encoding::Utf16).unwrap();
    assert_eq!(documents.text_at(Path::new("/p/app.jadpo")).as_deref(), Some("a"));
    documents.close(&uri());
    assert_eq!(documents.text_at(Path::new("/p/app.jadpo")).as_deref(), Some("b"));
    assert_eq!(documents.open_paths().at(Path::new("/p/app.jadpo")), [(link, 1)]);
}

#[test]
fn an_edit_past_the_end_appends() {
    let mut documents = opened("ab");
    let document = documents.change(&uri(), 2, vec![replace((7, 7), (9, 9), "c")], Encoding::Utf16).unwrap();
    assert_eq!(document.text, "abc");
}

#[test]
fn random_edits_leave_the_text_of_a_model() {
    for seed in 1..=20 {
        let mut chance = Chance(seed);
        // The model holds UTF-16 units and knows lines only by looking for their ends.
        let mut model: Vec<u16> = "app x { }\n".encode_utf16().collect();
        let mut documents = opened("app x { }\n");
        for version in 2..200 {
            let (start, end) = (chance.place(&model), chance.place(&model));
            let (start, end) = (start.min(end), start.max(end));
            let new = chance.text();
            let edit = replace(position(&model, start), position(&model, end), &new);
            model.splice(start..end, new.encode_utf16());
            let document = documents.change(&uri(), version, vec![edit], Encoding::Utf16).unwrap();
            assert_eq!(document.text, String::from_utf16(&model).unwrap(), "seed {seed}, version {version}");
        }
    }
}

/// Line and column of a unit.
fn position(model: &[u16], at: usize) -> (u32, u32) {
    let ended = |index: usize| {
        let next = model.get(index + 1).copied();
        model[index] == u16::from(b'\n') || model[index] == u16::from(b'\r') && next != Some(u16::from(b'\n'))
    };
    let lines = (0..at).filter(|index| ended(*index)).count();
    let start = (0..at).rev().find(|index| ended(*index)).map_or(0, |index| index + 1);
    (u32::try_from(lines).unwrap(), u32::try_from(at - start).unwrap())
}

/// A small generator, so that a seed replays a failure.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 12] =
            ["", "", "a", "{ }", "\n", "\r\n", "\r", "🪙", "👩‍🚀", "漢字", "é", "\u{200b}"];
        (0..self.below(4)).map(|_| PIECES[self.below(PIECES.len())]).collect()
    }

    /// A place where an editor can put its cursor: not in a pair, not in a line end.
    fn place(&mut self, model: &[u16]) -> usize {
        loop {
            let at = self.below(model.len() + 1);
            let in_pair = at < model.len() && (0xdc00..0xe000).contains(&model[at]);
            let in_end = at > 0
                && at < model.len()
                && model[at - 1] == u16::from(b'\r')
                && model[at] == u16::from(b'\n');
            if !in_pair && !in_end {
                return at;
            }
        }
    }
}
