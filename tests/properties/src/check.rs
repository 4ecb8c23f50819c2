//! Any project is checked, each time alike, and what is said stands where it says.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use jadpo_analysis::diagnostics::render::Frames;
use jadpo_analysis::diagnostics::{Diagnostic, Range};
use jadpo_analysis::system::System;
use jadpo_analysis::{Report, Workspace};
use jadpo_syntax::LineIndex;

use crate::files::{File, files, system};
use crate::plan;

/// The most diagnostics of one input that are drawn for a person: drawing takes much longer than finding.
const DRAWN_MAX: usize = 12;

/// Tries the project of an input.
pub fn holds(input: &[u8]) {
    let files = files(input);
    let system: Arc<dyn System> = Arc::new(system(&files));
    let workspace = Workspace::open(system.clone(), Path::new("/"));
    let report = workspace.check();
    stands(&workspace, &report);
    assert_eq!(Workspace::open(system, Path::new("/")).check(), report, "a second check differs");
    if let Some(model) = workspace.model() {
        assert!(report.is_ok(), "a project with errors has a meaning");
        let output = jadpo_codegen::generate(&model);
        assert_eq!(jadpo_codegen::generate(&model), output, "a second generation differs");
        plan::runs(&output.files["plan.json"]);
    }
    as_edited(workspace, &report, &files);
}

/// That an editor which cuts a file short, doubles it and puts it back sees what a fresh check says.
fn as_edited(mut workspace: Workspace, report: &Report, files: &[File]) {
    // Of two files with one path the later one counts; what is no text can't be in an editor.
    let by_path: BTreeMap<&str, &File> = files.iter().map(|file| (&*file.path, file)).collect();
    let texts = by_path.values().filter(|file| file.link.is_none());
    let mut texts = texts.filter_map(|file| Some((&*file.path, std::str::from_utf8(&file.bytes).ok()?)));
    let Some((path, text)) = texts.next_back() else { return };
    let path = Path::new(path);
    let is_manifest = path.extension().is_some_and(|extension| extension == "jadpo");
    if !is_manifest || workspace.path_of(path).is_none() {
        return;
    }
    let half = text.floor_char_boundary(text.len() / 2);
    for edited in [&text[..half], &text[half..]] {
        workspace.set_text(path, edited);
        stands(&workspace, &workspace.check());
    }
    workspace.set_text(path, text);
    assert_eq!(workspace.check(), *report, "after edits that were taken back");
}

fn stands(workspace: &Workspace, report: &Report) {
    let mut places = Places { workspace, lines: BTreeMap::new() };
    let mut frames = [false, true].map(|color| Frames::new(|file: &str| workspace.text(file), color));
    for (at, diagnostic) in report.diagnostics.iter().enumerate() {
        assert!(!diagnostic.message.is_empty() && !diagnostic.message.contains('\n'), "{diagnostic:?}");
        places.hold(&diagnostic.file, diagnostic.range, diagnostic);
        for related in &diagnostic.related {
            places.hold(&related.file, related.range, diagnostic);
        }
        for fix in &diagnostic.fixes {
            let mut edits: Vec<_> = fix.edits.iter().map(|edit| (&edit.file, edit.range)).collect();
            edits.sort();
            for (file, range) in &edits {
                places.hold(file, *range, diagnostic);
            }
            let overlap = edits.windows(2).any(|two| two[0].0 == two[1].0 && two[0].1.end > two[1].1.start);
            assert!(!overlap, "edits overlap in {diagnostic:?}");
        }
        if at < DRAWN_MAX {
            let drawn = frames[at % 2].human(diagnostic);
            assert!(drawn.contains(diagnostic.code.text()), "{drawn}");
        }
    }
    let places = report.diagnostics.iter().map(|it| (&it.file, it.range));
    assert!(places.is_sorted(), "diagnostics out of order");
}

/// The texts of a workspace, in which places stand.
struct Places<'w> {
    workspace: &'w Workspace,
    /// By file.
    lines: BTreeMap<String, Option<(Arc<str>, LineIndex)>>,
}

impl Places<'_> {
    fn hold(&mut self, file: &str, range: Range, of: &Diagnostic) {
        assert!(range.start <= range.end, "{range:?} in {of:?}");
        if !self.lines.contains_key(file) {
            let text = self.workspace.text(file);
            let lines = text.map(|text| (text.clone(), LineIndex::new(&text)));
            self.lines.insert(file.to_owned(), lines);
        }
        let Some((text, lines)) = &self.lines[file] else {
            assert_eq!(range, Range::START, "a place in {file}, which has no text, in {of:?}");
            return;
        };
        let bytes = range.start.offset as usize..range.end.offset as usize;
        assert!(text.get(bytes).is_some(), "{range:?} is no place of {file} in {of:?}");
        assert_eq!(Range::of(text, lines, range.span()), range, "in {of:?}");
    }
}
