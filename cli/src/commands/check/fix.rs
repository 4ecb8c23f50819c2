//! Which of a report's repairs are made, and to what texts they lead.
//!
//! Everything is tried in memory first. A repair counts only if the project then checks better: at least one diagnostic
//! less for each, and in no file more of any code than before. One that brings others to light, as a corrected keyword
//! may, is tried together with theirs. Only files beneath the directory that was checked are changed, since a package
//! elsewhere is also somebody else's.

mod edits;
#[cfg(test)]
mod tests;
pub mod write;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jadpo_analysis::diagnostics::{Diagnostic, Edit, Position};
use jadpo_analysis::{Report, Workspace};

/// How often something is tried at most, so that a fixpoint that doesn't come is not waited for.
const ATTEMPTS_MAX: usize = 1_000;

/// How often an attempt goes on with repairs of what it has brought to light.
const STEPS_MAX: usize = 8;

/// What came of it.
#[derive(Debug, Default)]
pub struct Plan {
    /// The repairs that were made, in that order.
    pub fixed: Vec<Fixed>,
    /// The files that now say something else.
    pub files: Vec<Changed>,
    /// Whether everything was tried, and it didn't end at a bound.
    pub complete: bool,
}

/// A repair that was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fixed {
    /// The code of the diagnostic that it repairs.
    pub code: &'static str,
    /// Its file, as diagnostics name it.
    pub file: String,
    /// Where it was when it was repaired.
    pub position: Position,
    /// What was done.
    pub title: String,
    /// The files that it edits.
    pub edited: Vec<String>,
}

/// A file with its new text.
#[derive(Debug)]
pub struct Changed {
    /// As diagnostics name it.
    pub file: String,
    /// Where it stands.
    pub place: PathBuf,
    /// What it says on disk.
    pub before: Arc<str>,
    /// What it shall say.
    pub after: Arc<str>,
}

/// Makes the repairs of `workspace` in memory; `root` is the canonical path of its directory.
pub fn plan(workspace: &mut Workspace, root: &Path) -> Plan {
    let mut fixer =
        Fixer { workspace, root, originals: BTreeMap::new(), refused: BTreeSet::new(), fixed: Vec::new() };
    let complete = fixer.run();
    Plan { complete, files: fixer.changed(), fixed: fixer.fixed }
}

struct Fixer<'a> {
    workspace: &'a mut Workspace,
    root: &'a Path,
    /// The texts on disk of the files that were changed.
    originals: BTreeMap<String, Arc<str>>,
    /// What made nothing better when it was tried.
    refused: BTreeSet<Key>,
    fixed: Vec<Fixed>,
}

/// What a diagnostic is known by while places move: its file, its code, its sentence.
type Key = (String, &'static str, String);

/// A repair that can be made together with the others of its list.
struct Candidate {
    key: Key,
    fixed: Fixed,
    edits: Vec<Edit>,
}

impl Fixer<'_> {
    /// Tries until nothing is left to try, and says whether that was so.
    fn run(&mut self) -> bool {
        let mut most = usize::MAX;
        let mut better_since = false;
        for _ in 0..ATTEMPTS_MAX {
            let report = self.workspace.check();
            let mut candidates = self.candidates(&report, |key| !self.refused.contains(key));
            candidates.truncate(most);
            match candidates.len() {
                // What was refused may help now that others have been made.
                0 if better_since && !self.refused.is_empty() => {
                    self.refused.clear();
                    better_since = false;
                }
                0 => return true,
                count if self.attempt(&report, &candidates) => {
                    better_since = true;
                    most = count.saturating_mul(2);
                }
                1 => self.refused.extend(candidates.into_iter().map(|candidate| candidate.key)),
                // One of them spoils it for the others.
                count => most = count / 2,
            }
        }
        false
    }

    /// Makes repairs, and takes them back unless the project checks better for each of them.
    fn attempt(&mut self, before: &Report, candidates: &[Candidate]) -> bool {
        let counts = counted(&before.diagnostics);
        let mut texts = BTreeMap::new();
        let mut fixed = Vec::new();
        let mut follow_up = Vec::new();
        for step in 0..=STEPS_MAX {
            let now = if step == 0 { candidates } else { &follow_up };
            self.apply(now, &mut texts);
            fixed.extend(now.iter().map(|candidate| candidate.fixed.clone()));
            let after = self.workspace.check();
            if is_better(before, &after, candidates.len()) {
                for (file, text) in texts {
                    self.originals.entry(file).or_insert(text);
                }
                self.fixed.extend(fixed);
                return true;
            }
            let now_counts = counted(&after.diagnostics);
            let is_new = |key: &Key| now_counts.get(key) > counts.get(key);
            follow_up = self.candidates(&after, is_new);
            if follow_up.is_empty() {
                break;
            }
        }
        for (file, text) in texts {
            self.set(&file, text);
        }
        false
    }

    /// Edits the texts; those that stood there before the first edit are added to `texts`.
    fn apply(&mut self, candidates: &[Candidate], texts: &mut BTreeMap<String, Arc<str>>) {
        let mut by_file: BTreeMap<&str, Vec<&Edit>> = BTreeMap::new();
        for edit in candidates.iter().flat_map(|candidate| &candidate.edits) {
            by_file.entry(&edit.file).or_default().push(edit);
        }
        for (file, edits) in by_file {
            let Some(text) = self.workspace.text(file) else { continue };
            let edited = edits::applied(&text, &edits);
            texts.entry(file.to_owned()).or_insert(text);
            self.set(file, edited.into());
        }
    }

    fn set(&mut self, file: &str, text: Arc<str>) {
        if let Some(place) = self.workspace.place_of(file).map(Path::to_owned) {
            self.workspace.set_text(&place, text);
        }
    }

    /// The repairs that need no choice and don't touch each other, in the order of the report. Of two that do, the one
    /// that comes first is taken; the other has its turn when the places are known anew.
    fn candidates(&self, report: &Report, is_wanted: impl Fn(&Key) -> bool) -> Vec<Candidate> {
        let mut taken: Vec<Candidate> = Vec::new();
        let mut edited = edits::Places::default();
        for diagnostic in &report.diagnostics {
            let key = key(diagnostic);
            let Some(fix) = diagnostic.fixes.iter().find(|fix| fix.safe) else { continue };
            let fits = |edit: &Edit| {
                self.is_ours(&edit.file)
                    && self.workspace.text(&edit.file).is_some_and(|text| edits::fits(&text, edit))
            };
            if is_wanted(&key) && fix.edits.iter().all(fits) && edited.take(&fix.edits) {
                let fixed = Fixed {
                    code: diagnostic.code.text(),
                    file: diagnostic.file.clone(),
                    position: diagnostic.range.start,
                    title: fix.title.clone(),
                    edited: fix.edits.iter().map(|edit| edit.file.clone()).collect(),
                };
                taken.push(Candidate { key, fixed, edits: fix.edits.clone() });
            }
        }
        taken
    }

    fn is_ours(&self, file: &str) -> bool {
        self.workspace.place_of(file).is_some_and(|place| place.starts_with(self.root))
    }

    fn changed(&self) -> Vec<Changed> {
        let changed = self.originals.iter().filter_map(|(file, before)| {
            let place = self.workspace.place_of(file)?.to_owned();
            let after = self.workspace.text(file)?;
            let changed = Changed { file: file.clone(), place, before: before.clone(), after };
            (changed.before != changed.after).then_some(changed)
        });
        changed.collect()
    }
}

/// Whether `after` is better than `before`: by `count` diagnostics, and in no file worse by any code.
fn is_better(before: &Report, after: &Report, count: usize) -> bool {
    let by_code = |report: &Report| {
        let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
        for diagnostic in &report.diagnostics {
            *counts.entry((diagnostic.file.clone(), diagnostic.code.text())).or_default() += 1;
        }
        counts
    };
    let counts = by_code(before);
    after.diagnostics.len() + count <= before.diagnostics.len()
        && by_code(after).iter().all(|(key, count)| counts.get(key).is_some_and(|before| count <= before))
}

fn counted(diagnostics: &[Diagnostic]) -> BTreeMap<Key, usize> {
    let mut counts = BTreeMap::new();
    for diagnostic in diagnostics {
        *counts.entry(key(diagnostic)).or_default() += 1;
    }
    counts
}

fn key(diagnostic: &Diagnostic) -> Key {
    (diagnostic.file.clone(), diagnostic.code.text(), diagnostic.message.clone())
}
