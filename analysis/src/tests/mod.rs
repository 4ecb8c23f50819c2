//! Tests through one boundary: a fixture goes in, what a person would read comes out.
#![allow(clippy::unwrap_used, reason = "a test that can't go on should stop")]

mod catalogue;
mod connection;
mod crowded;
mod deployable;
mod desk;
pub mod incremental;
mod mistakes;
mod operation;
mod package_edits;
mod package_mistakes;
mod packages;
mod polls;
mod projects;
mod provider;
mod reruns;
mod stores;
mod subscriber;
mod torn;
mod types;

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use crate::diagnostics::Diagnostic;
use crate::diagnostics::render::Frames;
use crate::recomputed::tests::held_to_the_table;
use crate::system::fixture;
use crate::{Report, Workspace};

/// The workspace of a fixture, opened at `/`.
pub fn open(text: &str) -> Workspace {
    Workspace::open(Arc::new(fixture::parse(text)), Path::new("/"))
}

/// What a check says of a fixture's workspace. A file that is asked for alone, before the others are checked, must say the
/// same.
#[track_caller]
fn checked(workspace: &Workspace, text: &str) -> Report {
    let report = held_to_the_table(|| workspace.check());
    let alone = open(text);
    for file in workspace.files() {
        let of_file =
            |all: &[Diagnostic]| all.iter().filter(|it| it.file == file).cloned().collect::<Vec<_>>();
        assert_eq!(of_file(&alone.check_file(file)), of_file(&report.diagnostics), "{file} alone");
    }
    report
}

/// Every diagnostic of a fixture as people read it, each followed by its fixes; "clean" for none.
pub fn check(text: &str) -> String {
    let workspace = open(text);
    let report = checked(&workspace, text);
    if report.diagnostics.is_empty() {
        return "clean".to_owned();
    }
    let mut out = String::new();
    let mut frames = Frames::new(|path: &str| workspace.text(path), false);
    for diagnostic in &report.diagnostics {
        out += &frames.human(diagnostic);
        out += &fixes(diagnostic);
    }
    out.trim_end().to_owned()
}

/// Every diagnostic in one line: `file:line:column code message`, its help and its fixes' titles indented below.
pub fn brief(text: &str) -> String {
    let mut out = String::new();
    for diagnostic in checked(&open(text), text).diagnostics {
        let start = diagnostic.range.start;
        let Diagnostic { file, code, message, .. } = &diagnostic;
        writeln!(out, "{file}:{}:{} {code} {message}", start.line, start.column).unwrap();
        out += &fixes(&diagnostic);
    }
    if out.is_empty() { "clean".to_owned() } else { out.trim_end().to_owned() }
}

/// The fixture's `/app.jadpo` after the first fix of its only diagnostic.
#[track_caller]
pub fn fixed(text: &str) -> String {
    let workspace = open(text);
    let report = workspace.check();
    let [diagnostic] = &report.diagnostics[..] else {
        panic!("one diagnostic, not {:#?}", report.diagnostics)
    };
    let edit = &diagnostic.fixes.first().expect("a fix").edits[0];
    let mut out = workspace.text(&edit.file).unwrap().to_string();
    out.replace_range(edit.range.start.offset as usize..edit.range.end.offset as usize, &edit.text);
    out
}

fn fixes(diagnostic: &Diagnostic) -> String {
    let mut out = String::new();
    for fix in &diagnostic.fixes {
        let safe = if fix.safe { "" } else { " (a choice)" };
        writeln!(out, "  fix: {}{safe}", fix.title).unwrap();
    }
    out
}
