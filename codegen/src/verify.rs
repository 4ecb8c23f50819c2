//! Compares generated files on disk with what would be generated now, and writes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use crate::listed::{GENERATOR, digest};
use crate::write::{WriteError, read, read_list};

/// What a directory of generated files is worth; shows as what `jadpo build --verify` says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The app's name.
    pub app: String,
    /// Where the files stand.
    pub directory: PathBuf,
    /// How many files are as they would be generated now.
    pub right: usize,
    /// What isn't, by path.
    pub findings: BTreeMap<String, Finding>,
}

/// What is wrong with one generated file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Somebody changed it after it was generated.
    Edited,
    /// It was generated and isn't there any more.
    Missing,
    /// The manifests have changed since: it would be generated with other bytes, or is new, or isn't generated any more.
    Stale,
    /// The manifests are the same, but this version of jadpo generates something else than the one that wrote it.
    Drifted {
        /// The version that wrote it.
        from: String,
    },
    /// It was never generated here.
    New,
}

impl Verified {
    /// Whether everything is as it would be generated now.
    pub fn is_ok(&self) -> bool {
        self.findings.is_empty()
    }
}

impl fmt::Display for Verified {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (app, directory) = (&self.app, self.directory.display());
        match self.findings.len() {
            0 => {
                writeln!(out, "verified {app}: {} in {directory}", files(self.right))?;
            }
            wrong => {
                writeln!(out, "differs  {app}: {wrong} of {} in {directory}", files(self.right + wrong))?;
            }
        }
        for (path, finding) in &self.findings {
            let (word, why) = finding.says();
            writeln!(out, "{word:<9}{path}: {why}")?;
        }
        Ok(())
    }
}

fn files(count: usize) -> String {
    format!("{count} {}", if count == 1 { "file" } else { "files" })
}

impl Finding {
    fn says(&self) -> (&'static str, String) {
        match self {
            Finding::Edited => ("edited", "it was changed by hand after it was generated".to_owned()),
            Finding::Missing => ("missing", "it was generated, and is gone".to_owned()),
            Finding::Stale => ("stale", "the manifests have changed since it was generated".to_owned()),
            Finding::Drifted { from } if from == GENERATOR => {
                ("drifted", format!("another build of jadpo {from} generated it, from the same manifests"))
            }
            Finding::Drifted { from } => {
                ("drifted", format!("jadpo {from} generated it; {GENERATOR} generates something else"))
            }
            Finding::New => ("new", "it was never generated here".to_owned()),
        }
    }
}

/// Compares `files`, made from manifests of this digest, with what stands in `directory`.
pub fn verify(
    app: &str,
    directory: &Path,
    files: &BTreeMap<String, String>,
    manifests: &str,
) -> Result<Verified, WriteError> {
    let listed = read_list(directory)?.unwrap_or_default();
    let same_manifests = listed.manifests == manifests;
    let mut verified = Verified {
        app: app.to_owned(),
        directory: directory.to_owned(),
        right: 0,
        findings: BTreeMap::new(),
    };
    let paths: BTreeSet<_> = files.keys().chain(listed.files.keys()).collect();
    for path in paths {
        let generated = files.get(path).map(|text| digest(text.as_bytes()));
        let there = read(&directory.join(path))?.map(|bytes| digest(&bytes));
        if generated.is_some() && generated == there {
            verified.right += 1;
            continue;
        }
        let finding = match (listed.files.get(path), there) {
            (Some(listed), Some(there)) if *listed != there => Finding::Edited,
            (Some(_), None) if generated.is_some() => Finding::Missing,
            // It is generated no more, and whoever built last may have removed it by hand.
            (Some(_), None) => continue,
            (None, _) if listed.files.is_empty() => Finding::New,
            _ if same_manifests => Finding::Drifted { from: listed.generator.clone() },
            _ => Finding::Stale,
        };
        verified.findings.insert(path.clone(), finding);
    }
    Ok(verified)
}

#[cfg(test)]
mod tests;
