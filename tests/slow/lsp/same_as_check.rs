//! For every fixture an editor is shown what `check` finds, before and after it opens the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::system::OsSystem;
use jadpo_tests::scratch::Scratch;
use serde_json::{Value, json};

use super::editor::{Editor, uri};
use super::{expected, fixtures};

/// A project of its own in which an open document is edited to find out that everything before was checked: what that
/// changes in a file that is not open is said with all the rest.
struct Barrier {
    path: PathBuf,
    closed: PathBuf,
    version: i64,
}

impl Barrier {
    fn beneath(folder: &Path) -> Self {
        let (path, closed) = (folder.join("barrier/app.jadpo"), folder.join("barrier/more.jadpo"));
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, Self::text(0)).unwrap();
        fs::write(&closed, "type More = Barrier\n").unwrap();
        Self { path, closed, version: 0 }
    }

    /// Every other version declares what the closed file names.
    fn text(version: i64) -> &'static str {
        if version % 2 == 0 { "app barrier { }\n" } else { "app barrier { }\ntype Barrier = Text\n" }
    }

    /// A check sends what it found file by file, so only the answer to a second edit comes after all of the first.
    #[track_caller]
    fn pass(&mut self, editor: &mut Editor) {
        editor.shown_until(&self.closed, |list| !list.is_empty());
        for _ in 0..2 {
            self.version += 1;
            let (version, text) = (self.version, Self::text(self.version));
            if version == 1 {
                editor.open(&self.path, version, text);
            } else {
                editor.change(&self.path, version, &[json!({ "text": text })]);
            }
            editor.shown_until(&self.closed, |list| list.is_empty() == (version % 2 == 1));
        }
    }
}

/// What is to be shown for all projects beneath a folder.
fn expected_beneath(folder: &Path) -> BTreeMap<String, Vec<Value>> {
    let mut all: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for root in fixtures::roots(folder) {
        let workspace = Workspace::open(Arc::new(OsSystem), &root);
        for (file, list) in expected::of(&workspace, &root) {
            // A file that two projects have is shown once.
            let known = all.entry(uri(&root.join(file))).or_default();
            known.extend(list.into_iter().filter(|new| !known.contains(new)).collect::<Vec<_>>());
        }
    }
    all.into_iter().map(|(uri, list)| (uri, expected::sorted(list))).collect()
}

#[track_caller]
fn hold(editor: &Editor, expected: &BTreeMap<String, Vec<Value>>, when: &str) {
    let found: BTreeSet<&str> = editor.addresses().into_iter().collect();
    let wanted: BTreeSet<&str> = expected.keys().map(String::as_str).collect();
    let (missing, surplus): (Vec<_>, Vec<_>) =
        (wanted.difference(&found).collect(), found.difference(&wanted).collect());
    assert!(
        missing.is_empty() && surplus.is_empty(),
        "{when}: not shown {missing:#?}, shown only here {surplus:#?}"
    );
    for (uri, list) in expected {
        let shown = expected::sorted(editor.shown(Path::new(uri.strip_prefix("file://").unwrap())));
        assert_eq!(&shown, list, "{when}: {uri}");
    }
}

#[test]
fn an_editor_is_shown_what_check_finds() {
    let scratch = Scratch::empty();
    let folder = fs::canonicalize(scratch.path()).unwrap();
    fixtures::write(&folder);
    let mut barrier = Barrier::beneath(&folder);
    let expected = expected_beneath(&folder);
    let mut editor = Editor::begin(
        &folder,
        &json!({ "textDocument": { "publishDiagnostics": { "relatedInformation": true } } }),
    );
    barrier.pass(&mut editor);
    hold(&editor, &expected, "nothing opened");

    let mut opened = Vec::new();
    for root in fixtures::roots(&folder) {
        let workspace = Workspace::open(Arc::new(OsSystem), &root);
        for file in workspace.files() {
            let path = root.join(file);
            // What is no text can't be opened in an editor, and barriers are opened already.
            let Ok(text) = fs::read_to_string(&path) else { continue };
            if path != barrier.path && path != barrier.closed {
                editor.open(&path, 1, text.strip_prefix('\u{feff}').unwrap_or(&text));
                opened.push(path);
            }
        }
    }
    assert!(opened.len() > 100, "{} files", opened.len());
    barrier.pass(&mut editor);
    hold(&editor, &expected, "everything opened");

    for path in &opened {
        editor.notify("textDocument/didClose", &json!({ "textDocument": { "uri": uri(path) } }));
    }
    barrier.pass(&mut editor);
    hold(&editor, &expected, "everything closed again");
}
