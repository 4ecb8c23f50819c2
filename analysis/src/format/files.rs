//! The files of a directory, and what formatting makes of one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Discrepancy, Unformatted, format};
use crate::check::{directory_diagnostics, syntax_diagnostics};
use crate::diagnostics::Diagnostic;
use crate::project::{Layout, ProjectProblem, discover};
use crate::roots;
use crate::source::Source;
use crate::system::System;

/// A file that has been read.
#[derive(Clone, Debug)]
pub struct File {
    /// What it says, as far as it could be read.
    pub text: Arc<str>,
    /// What formatting makes of it.
    pub outcome: Outcome,
}

/// What formatting makes of a file.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// The same: it is canonical.
    Canonical,
    /// Another text, which says the same.
    Formatted(String),
    /// Nothing, since it can't be read or what it says is not clear.
    Unclear(Vec<Diagnostic>),
    /// Nothing, since the formatter would change what it says.
    Unsound(Box<Discrepancy>),
}

/// A manifest in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// As it was found, through links perhaps.
    pub path: PathBuf,
    /// Its one path without links.
    pub canonical: PathBuf,
}

impl File {
    /// The file at `path`, which diagnostics call `name`.
    pub fn open(system: &dyn System, name: &str, path: &Path) -> Self {
        Self::of(name, Source::read(system, path))
    }

    /// What `bytes` say, which diagnostics call `name`.
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        Self::of(name, Source::from_bytes(bytes))
    }

    fn of(name: &str, source: Source) -> Self {
        let text = source.text.clone();
        let formatted = if source.problem.is_some() { None } else { Some(format(&text)) };
        let outcome = match formatted {
            Some(Ok(formatted)) if *formatted == *text => Outcome::Canonical,
            Some(Ok(formatted)) => Outcome::Formatted(formatted),
            Some(Err(Unformatted::Unsound(discrepancy))) => Outcome::Unsound(discrepancy),
            Some(Err(Unformatted::Syntax(_))) | None => Outcome::Unclear(syntax_diagnostics(name, source)),
        };
        Self { text, outcome }
    }
}

/// The manifests of the project or package in `dir`, or, where it is neither, of those beneath it; and what is wrong
/// with the directories.
pub fn beneath(system: &dyn System, dir: &Path) -> (Vec<Found>, Vec<Diagnostic>) {
    let layout = discover(system, dir);
    if !matches!(layout.problems[..], [ProjectProblem::Missing { .. }]) {
        return found(dir, &layout);
    }
    let inside = roots::beneath(system, dir).dirs;
    if inside.is_empty() {
        return found(dir, &layout);
    }
    let all = inside.iter().map(|dir| found(dir, &discover(system, dir)));
    all.fold((Vec::new(), Vec::new()), |mut all, (files, problems)| {
        all.0.extend(files);
        all.1.extend(problems);
        all
    })
}

fn found(dir: &Path, layout: &Layout) -> (Vec<Found>, Vec<Diagnostic>) {
    let files = layout.app.iter().chain(&layout.packages).flat_map(|scope| &scope.files);
    let found = files.map(|file| Found { path: dir.join(&file.path), canonical: file.canonical.clone() });
    let mut problems = directory_diagnostics(&layout.problems);
    for problem in &mut problems {
        // Each directory of several is named by itself.
        problem.file =
            if problem.file == "." { dir.to_owned() } else { dir.join(&problem.file) }.display().to_string();
    }
    (found.collect(), problems)
}
