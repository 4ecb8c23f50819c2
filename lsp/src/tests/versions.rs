//! What is shown at every version is what `check` says of that text.

use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::diagnostics::Severity;
use serde_json::{Value, json};

use super::disk::Disk;
use super::editor::{Editor, edit, run, uri};

const PACKAGE: &str = "/p/provider.jadpo";
const TYPES: &str = "/p/types.jadpo";
const PROVIDER: &str = "provider coinfeed {\n    base_url: \"https://api.example.test\"\n}\n";

/// What `check` says of a text at `TYPES`, in the protocol's words, with positions counted in a way of its own.
fn checked(text: &str) -> Vec<Value> {
    let disk = Disk::with(&[(PACKAGE, PROVIDER), (TYPES, text)]);
    let report = Workspace::open(Arc::new(disk), Path::new("/p")).check();
    let at = |offset: u32| {
        let before = &text[..offset as usize];
        let line = before.matches('\n').count();
        let column = before.rsplit('\n').next().unwrap().encode_utf16().count();
        json!({ "line": line, "character": column })
    };
    let here = report.diagnostics.iter().filter(|diagnostic| diagnostic.file == "types.jadpo");
    here.map(|diagnostic| {
        let severity = match diagnostic.severity {
            Severity::Error => 1,
            Severity::Warning => 2,
            Severity::Note => 3,
        };
        let help = diagnostic.help.as_ref().map(|help| format!("\nhelp: {help}")).unwrap_or_default();
        json!({
            "code": diagnostic.code.text(),
            "severity": severity,
            "message": format!("{}{help}", diagnostic.message),
            "source": "jadpo",
            "range": { "start": at(diagnostic.range.start.offset), "end": at(diagnostic.range.end.offset) },
        })
    })
    .collect()
}

/// Without the related places, which `checked` doesn't convert.
fn plain(mut diagnostics: Vec<Value>) -> Vec<Value> {
    for diagnostic in &mut diagnostics {
        diagnostic.as_object_mut().unwrap().remove("relatedInformation");
    }
    diagnostics
}

/// A text with its edits in UTF-16 units, by a way of its own: the whole is kept as units.
struct Model(Vec<u16>);

impl Model {
    fn text(&self) -> String {
        String::from_utf16(&self.0).unwrap()
    }

    /// Replaces units; gives the protocol's edit.
    fn replace(&mut self, start: usize, end: usize, new: &str) -> Value {
        let place = |at: usize| {
            let newline = |unit: &&u16| **unit == u16::from(b'\n');
            let line = self.0[..at].iter().filter(newline).count();
            let column = self.0[..at].iter().rev().take_while(|unit| !newline(unit)).count();
            (line, column)
        };
        let change = edit(place(start), place(end), new);
        self.0.splice(start..end, new.encode_utf16());
        change
    }
}

#[test]
fn each_version_shows_what_check_says_of_it() {
    run(async {
        let start = "type Tip = Object { note: Text  sum: Decimaal }\n";
        let mut model = Model(start.encode_utf16().collect());
        let mut editor =
            Editor::begin(&Disk::with(&[(PACKAGE, PROVIDER), (TYPES, "")]), "/p", json!({})).await;
        editor.open(TYPES, 1, start).await;
        assert_eq!(plain(editor.shown_at(TYPES, 1).await), checked(start));
        // An emoji before the mistake, a comma, a line above, a declaration cut in two, and the repair.
        let edits: [(usize, usize, &str); 6] = [
            (0, 0, "/// 🪙 é\u{301} 漢\n"),
            (6, 6, "👩‍🚀 "),
            (0, 0, "type A = Object { a: Text, b: Text }\r\n"),
            (60, 61, ""),
            (60, 60, "="),
            (0, 3, ""),
        ];
        for (version, (from, to, new)) in (2..).zip(edits) {
            let change = model.replace(from, to, new);
            editor.change(TYPES, version, json!([change])).await;
            let shown = plain(editor.shown_at(TYPES, version).await);
            assert_eq!(shown, checked(&model.text()), "version {version}: {:?}", model.text());
        }
        let versions = &editor.versions[&uri(TYPES)];
        assert_eq!(*versions, [1, 2, 3, 4, 5, 6, 7]);
    });
}

#[test]
fn a_storm_of_edits_keeps_its_order() {
    run(async {
        let mut model = Model("type A = Object { a: Text }\n".encode_utf16().collect());
        let mut editor =
            Editor::begin(&Disk::with(&[(PACKAGE, PROVIDER), (TYPES, "")]), "/p", json!({})).await;
        editor.open(TYPES, 1, &model.text()).await;
        let pieces = ["a", "{ ", "}", "\n", "🪙", "type B = Text\n", ": Text ", "漢", ",", "\"", "// x\n"];
        let mut chance: u64 = 7;
        let mut below = |limit: usize| {
            chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(chance >> 33).unwrap() % limit
        };
        let last = 1500;
        for version in 2..=last {
            let changes: Vec<_> = (0..=below(3))
                .map(|_| {
                    let is_inside =
                        |at: usize| model.0.get(at).is_some_and(|unit| (0xdc00..0xe000).contains(unit));
                    let start =
                        (below(model.0.len() + 1)..=model.0.len()).find(|at| !is_inside(*at)).unwrap();
                    let end = if below(2) == 0 { start } else { (start + below(9)).min(model.0.len()) };
                    let end = (end..=model.0.len()).find(|at| !is_inside(*at)).unwrap();
                    model.replace(start, end, pieces[below(pieces.len())])
                })
                .collect();
            editor.change(TYPES, version, json!(changes)).await;
        }
        assert_eq!(plain(editor.shown_at(TYPES, last).await), checked(&model.text()));
        assert!(editor.versions[&uri(TYPES)].is_sorted_by(|a, b| a < b), "{:?}", editor.versions);
    });
}

#[test]
fn columns_are_bytes_for_an_editor_that_prefers_them() {
    run(async {
        let text = "operation tip { method: GET  path: \"/🪙/é/tip\"  outputt: Text }";
        let disk = Disk::with(&[(PACKAGE, PROVIDER), (TYPES, text)]);
        for (capabilities, column) in [
            (json!({}), 48),
            (json!({ "general": { "positionEncodings": ["utf-16", "utf-8"] } }), 48),
            (json!({ "general": { "positionEncodings": ["utf-8", "utf-16"] } }), 51),
        ] {
            let mut editor = Editor::begin(&disk, "/p", capabilities).await;
            let shown = editor.next_shown(TYPES).await;
            let wrong =
                shown.iter().find(|diagnostic| diagnostic["code"] == "package.operation_invalid").unwrap();
            assert_eq!(wrong["range"]["start"], json!({ "line": 0, "character": column }));
        }
    });
}
