//! The one line of an app's `build.rs`.
//!
//! Cargo runs it again when a manifest changes, when something changes in a directory that holds manifests alone, and
//! when the crate's `src` changes. It can't watch a directory that holds other things too, such as a crate's own, since
//! cargo looks at everything beneath a directory, `target` included: a new manifest there is seen when the code that
//! goes with it is written.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jadpo_analysis::Workspace;
use jadpo_analysis::diagnostics::Severity;
use jadpo_analysis::diagnostics::render::Frames;
use jadpo_analysis::system::OsSystem;

use crate::generate;
use crate::listed::manifests;
use crate::write::write;

/// The name of a project's file.
const MANIFEST: &str = "app.jadpo";

/// Checks the project of `manifest`, the path of its `app.jadpo` relative to the crate, and writes its Rust where
/// `jadpo_runtime::include_app!()` finds it.
///
/// A build script has nobody to give an error to: what is wrong is written to standard error, as `jadpo check` shows
/// it, and the process ends with 1. Warnings become cargo's.
pub fn build(manifest: &str) {
    let Some(out_dir) = env::var_os("OUT_DIR") else {
        return fail("jadpo_codegen::build is for a build script: OUT_DIR is not set\n");
    };
    let built = build_into(Path::new(manifest), &Path::new(&out_dir).join("jadpo"));
    let mut stdout = std::io::stdout().lock();
    // Cargo holds the other end; without it there is nobody left to tell.
    let _ = stdout.write_all(built.for_cargo.as_bytes());
    let _ = stdout.flush();
    if let Err(problem) = built.outcome {
        fail(&problem);
    }
}

fn fail(problem: &str) {
    let _ = std::io::stderr().write_all(problem.as_bytes());
    std::process::exit(1);
}

/// What one run has to say.
struct Built {
    /// Lines for cargo, which hold whatever the outcome.
    for_cargo: String,
    /// What is wrong, for people.
    outcome: Result<(), String>,
}

fn build_into(manifest: &Path, out: &Path) -> Built {
    if manifest.file_name().is_none_or(|name| name != MANIFEST) {
        let problem =
            format!("jadpo_codegen::build wants the path of an {MANIFEST}, not {}\n", manifest.display());
        return Built { for_cargo: String::new(), outcome: Err(problem) };
    }
    let root = match manifest.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let workspace = Workspace::open(Arc::new(OsSystem), root);
    let mut for_cargo = watched(&workspace, manifest);
    let report = workspace.check();
    for warning in report.diagnostics.iter().filter(|found| found.severity == Severity::Warning) {
        // Writing to a String cannot fail; cargo takes one line a warning.
        let _ = writeln!(
            for_cargo,
            "cargo:warning={} [{}] {}",
            warning.file,
            warning.code,
            one_line(&warning.message)
        );
    }
    if !report.is_ok() {
        let errors = report.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        let mut frames = Frames::new(|file: &str| workspace.text(file), false);
        let shown: Vec<_> = errors.map(|found| frames.human(found)).collect();
        return Built { for_cargo, outcome: Err(shown.join("\n")) };
    }
    let Some(project) = workspace.model() else {
        return Built { for_cargo, outcome: Err(format!("there is no app in {}\n", root.display())) };
    };
    let outcome = write(out, &generate(&project).files, &manifests(&workspace))
        .map(|_| ())
        .map_err(|error| format!("{error}\n"));
    Built { for_cargo, outcome }
}

/// Lines that name what cargo is to watch.
fn watched(workspace: &Workspace, manifest: &Path) -> String {
    let files: Vec<PathBuf> = workspace
        .files()
        .into_iter()
        .filter_map(|file| workspace.place_of(file).map(Path::to_owned))
        .collect();
    let directories =
        files.iter().filter_map(|file| file.parent()).filter(|directory| holds_manifests_alone(directory));
    let mut paths: BTreeSet<PathBuf> = directories.map(Path::to_owned).collect();
    paths.insert(manifest.to_owned());
    paths.insert(PathBuf::from("src"));
    paths.extend(files);
    paths.iter().fold(String::new(), |mut lines, path| {
        // Writing to a String cannot fail.
        let _ = writeln!(lines, "cargo:rerun-if-changed={}", path.display());
        lines
    })
}

/// Whether watching a directory with all beneath it watches nothing that changes for other reasons.
fn holds_manifests_alone(directory: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(directory) else { return false };
    entries.into_iter().all(|entry| {
        let Ok(entry) = entry else { return false };
        let (path, kind) = (entry.path(), entry.file_type());
        match kind {
            Ok(kind) if kind.is_dir() => holds_manifests_alone(&path),
            Ok(kind) if kind.is_file() => path
                .extension()
                .is_some_and(|extension| extension == "jadpo" || extension == "json" || extension == "md"),
            _ => false,
        }
    })
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
