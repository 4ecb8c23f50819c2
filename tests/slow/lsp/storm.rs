//! Edits faster than anybody types: whatever version diagnostics come for, they are those of that version's text.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;
use jadpo_tests::scratch::Scratch;
use serde_json::{Value, json};

use super::editor::Editor;
use super::expected;

/// How many edits there are.
const EDITS: i64 = 600;

/// What is put into the text.
const PIECES: [&str; 16] = [
    "🪙",
    "é",
    "{",
    "}",
    "\"",
    "\n",
    "\r\n",
    "type A = Text\n",
    ": ",
    "subscriber s { on: tides.LevelChanged }\n",
    " ",
    "//",
    "///",
    "tides",
    "app x { }",
    "<",
];

const PACKAGE: &str = r#"provider tides {
    base_url: "https://api.tides.example"
    polls: { level: { call: fetch_level  every: 5m  emits: LevelChanged } }
}
operation fetch_level { method: GET  path: "/level"  output: Level }
type Level = Object { height: Decimal  note: Text }
public type LevelChanged = Event { height: Decimal }
"#;

const APP: &str = r#"// 🪙 and é stand before everything
app quay { }
store main { engine: sqlite("quay.db") }
connection gauge { package: tides }
subscriber log_level { on: tides.LevelChanged }
deployable server { target: native }
"#;

/// Numbers that are the same in every run.
struct Chance(u64);

impl Chance {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

/// Removes up to a few characters somewhere and puts a piece there, in the text and as the protocol says it.
fn edit(text: &mut Vec<char>, chance: &mut Chance) -> Value {
    let from = chance.below(text.len() + 1);
    let to = (from + chance.below(6)).min(text.len());
    // Nobody's cursor stands between the two characters of one line end.
    let inside = |at: usize| at > 0 && text.get(at - 1) == Some(&'\r') && text.get(at) == Some(&'\n');
    let (from, to) = (from - usize::from(inside(from)), to + usize::from(inside(to)));
    let piece = PIECES[chance.below(PIECES.len())];
    let range = json!({ "start": position(text, from), "end": position(text, to) });
    text.splice(from..to, piece.chars());
    json!({ "range": range, "text": piece })
}

fn position(text: &[char], at: usize) -> Value {
    let ends =
        |index: usize| text[index] == '\n' || (text[index] == '\r' && text.get(index + 1) != Some(&'\n'));
    let starts: Vec<usize> = (0..at).filter(|index| ends(*index)).map(|index| index + 1).collect();
    let units: usize = text[starts.last().copied().unwrap_or(0)..at].iter().map(|c| c.len_utf16()).sum();
    json!({ "line": starts.len(), "character": units })
}

fn check(root: &Path, text: &str) -> BTreeMap<String, Vec<Value>> {
    let mut system = MemorySystem::new();
    system.write(root.join("app.jadpo").display().to_string(), text);
    system.write(root.join("packages/tides/provider.jadpo").display().to_string(), PACKAGE);
    expected::of(&Workspace::open(Arc::new(system), root), root)
}

#[test]
fn every_version_that_is_shown_is_shown_rightly() {
    let scratch = Scratch::empty();
    scratch.write("app.jadpo", APP);
    scratch.write("packages/tides/provider.jadpo", PACKAGE);
    let root = fs::canonicalize(scratch.path()).unwrap();
    let path = root.join("app.jadpo");
    let mut editor = Editor::begin(&root, &json!({}));
    editor.open(&path, 0, APP);

    let mut chance = Chance(1);
    let mut text: Vec<char> = APP.chars().collect();
    let mut texts = vec![APP.to_owned()];
    for version in 1..=EDITS {
        // Now and then somebody undoes everything, and then types on.
        let changes = match chance.below(40) {
            0 => {
                text = APP.chars().collect();
                vec![json!({ "text": APP })]
            }
            1 => vec![edit(&mut text, &mut chance), edit(&mut text, &mut chance)],
            _ => vec![edit(&mut text, &mut chance)],
        };
        editor.change(&path, version, &changes);
        texts.push(text.iter().collect());
    }
    let last = expected::sorted(editor.shown_at(&path, EDITS));
    let wanted = check(&root, texts.last().unwrap());
    assert_eq!(&last, wanted.get("app.jadpo").unwrap_or(&Vec::new()), "{}", texts.last().unwrap());
    let shown =
        editor.history.values().find(|history| history.last().is_some_and(|it| it.0 == EDITS)).unwrap();
    for (version, list) in shown {
        let text = &texts[usize::try_from(*version).unwrap()];
        let wanted = check(&root, text).remove("app.jadpo").unwrap_or_default();
        assert_eq!(expected::sorted(list.clone()), wanted, "version {version} of {text}");
    }
    assert!(shown.is_sorted_by_key(|(version, _)| *version), "an old answer never follows a newer one");
}
