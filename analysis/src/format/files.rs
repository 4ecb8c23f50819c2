//! The files of a directory, and what formatting does with the bytes of one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{Discrepancy, Unformatted, format};
use crate::check::{directory_diagnostics, syntax_diagnostics};
use crate::diagnostics::Diagnostic;
use crate::project::discover;
use crate::source::Source;
use crate::system::System;

/// A file that has been read.
#[derive(Clone, Debug)]
pub struct File {
    /// What it says, as far as it could be read.
    pub text: Arc<str>,
    /// What its layout is.
    pub outcome: Outcome,
}

/// What formatting makes of a file.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// Nothing: it is canonical.
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

/// Formats the bytes of a file that diagnostics call `name`.
pub fn file(name: &str, bytes: Vec<u8>) -> File {
    let source = Source::from_bytes(bytes);
    let text = source.text.clone();
    let formatted = if source.problem.is_some() { None } else { Some(format(&text)) };
    let outcome = match formatted {
        Some(Ok(formatted)) if *formatted == *text => Outcome::Canonical,
        Some(Ok(formatted)) => Outcome::Formatted(formatted),
        Some(Err(Unformatted::Unsound(discrepancy))) => Outcome::Unsound(discrepancy),
        Some(Err(Unformatted::Syntax(_))) | None => Outcome::Unclear(syntax_diagnostics(name, source)),
    };
    File { text, outcome }
}

/// The manifests of the project or package in `root`, or of those beneath it where it is neither, and what is wrong
/// with the directories.
pub fn beneath(system: &dyn System, root: &Path) -> (Vec<Found>, Vec<Diagnostic>) {
    let layout = discover(system, root);
    let scopes = layout.app.iter().chain(&layout.packages);
    let files = scopes.flat_map(|scope| &scope.files);
    let found = files.map(|file| Found { path: root.join(&file.path), canonical: file.canonical.clone() });
    (found.collect(), directory_diagnostics(&layout.problems))
}
