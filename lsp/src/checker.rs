//! The thread that checks snapshots and says what has changed for the editor: first of the documents that were edited, then of
//! the other open ones, and of the rest once all is checked.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use jadpo_analysis::Workspace;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::lsp_types::{Diagnostic, MessageType, Url};

use crate::convert::Encoding;
use crate::documents::OpenPaths;
use crate::outgoing::{Outgoing, Shown};
use crate::projects::{ProjectId, is_manifest};
use crate::report::{self, Listed};

#[cfg(test)]
mod tests;

/// What is to be checked: snapshots of the projects that changed, and what is open at the same moment.
pub struct Job {
    /// The projects that changed.
    pub changed: Vec<(ProjectId, Workspace)>,
    /// All projects there are.
    pub all: BTreeSet<ProjectId>,
    /// Documents with another text than at the job before.
    pub edited: BTreeSet<PathBuf>,
    /// What is open.
    pub open: OpenPaths,
    /// What columns count.
    pub encoding: Encoding,
}

/// Checks one job after the other until there will be none.
pub fn run(jobs: Receiver<Job>, outgoing: UnboundedSender<Outgoing>) {
    let mut checker = Checker { listed: BTreeMap::new(), published: BTreeMap::new(), outgoing };
    for job in jobs {
        checker.check(job);
    }
}

struct Checker {
    /// What the last check of each project found.
    listed: BTreeMap<ProjectId, Listed>,
    /// What was handed on of each document.
    published: BTreeMap<Url, Arc<Shown>>,
    outgoing: UnboundedSender<Outgoing>,
}

impl Checker {
    /// A snapshot that is old ends at once, since the edit that made it so waits for that; what is new of others is kept. The
    /// others end after their diagnostics are sent, so that what is sent follows the order of the edits.
    fn check(&mut self, mut job: Job) {
        self.listed.retain(|id, _| job.all.contains(id));
        let old = self.check_open(&job);
        job.changed.retain(|(id, _)| Some(*id) != old);
        // The edit has a job of its own, which says all of this anew.
        if self.check_all(&mut job) && old.is_none() {
            let versions = job.open.iter().flat_map(|(_, opened)| opened).map(|(uri, _)| uri);
            let listed = self.listed.values().flat_map(BTreeMap::keys);
            let uris: BTreeSet<Url> = self.published.keys().chain(listed).chain(versions).cloned().collect();
            self.publish(uris, &job.open);
        }
    }

    /// Checks the open documents one by one, and says of each what was found as soon as it is. Gives the first project whose
    /// snapshot is old, and goes no further then.
    fn check_open(&mut self, job: &Job) -> Option<ProjectId> {
        let open = job.open.iter().map(|(place, _)| place);
        let (edited, others): (Vec<_>, Vec<_>) = open.partition(|place| job.edited.contains(*place));
        edited.into_iter().chain(others).find_map(|place| self.check_document(job, place))
    }

    /// Gives a project whose snapshot is old.
    fn check_document(&mut self, job: &Job, place: &Path) -> Option<ProjectId> {
        let uris = job.open.at(place).iter().map(|(uri, _)| uri);
        for (id, workspace) in &job.changed {
            let path = workspace.path_of(place);
            // What is wrong with an accepted surface is found in the file of its provider.
            if path.is_some_and(|path| !is_manifest(Path::new(path))) {
                return None;
            }
            let path = path.unwrap_or_default();
            let read = |workspace: &Workspace| report::of_file(workspace, path, &job.open, job.encoding);
            match catch_unwind(AssertUnwindSafe(|| workspace.attempt(read))) {
                Ok(Some(mut found)) => {
                    let listed = self.listed.entry(*id).or_default();
                    for uri in uris.clone() {
                        match found.remove(uri) {
                            Some(diagnostics) => listed.insert(uri.clone(), diagnostics),
                            None => listed.remove(uri),
                        };
                    }
                }
                Ok(None) => return Some(*id),
                // The check of all will say so.
                Err(_) => return None,
            }
        }
        self.publish(uris.cloned(), &job.open);
        None
    }

    /// Checks the projects that changed, and lets go of those whose snapshot is old; whether there were none.
    fn check_all(&mut self, job: &mut Job) -> bool {
        let Job { changed, open, encoding, .. } = job;
        let all = changed.len();
        changed.retain(|(id, workspace)| self.check_project(*id, workspace, open, *encoding));
        changed.len() == all
    }

    /// False where the snapshot is old.
    fn check_project(
        &mut self,
        id: ProjectId,
        workspace: &Workspace,
        open: &OpenPaths,
        encoding: Encoding,
    ) -> bool {
        let attempt = || workspace.attempt(|workspace| report::listed(workspace, open, encoding));
        match catch_unwind(AssertUnwindSafe(attempt)) {
            Ok(Some(listed)) => {
                self.listed.insert(id, listed);
            }
            Ok(None) => return false,
            Err(_) => self.say_defect(workspace),
        }
        true
    }

    /// Hands on what is wrong in documents where it is not what it was.
    fn publish(&mut self, uris: impl IntoIterator<Item = Url>, open: &OpenPaths) {
        let versions: BTreeMap<&Url, i32> =
            open.iter().flat_map(|(_, opened)| opened).map(|(uri, version)| (uri, *version)).collect();
        for uri in uris {
            let shown = Shown { version: versions.get(&uri).copied(), diagnostics: self.merged(&uri) };
            let published = self.published.get(&uri);
            if published.map_or_else(|| shown.is_nothing(), |published| **published == shown) {
                continue;
            }
            let shown = Arc::new(shown);
            if shown.is_nothing() {
                self.published.remove(&uri);
            } else {
                self.published.insert(uri.clone(), shown.clone());
            }
            // Nobody listens any more once the session has ended.
            let _ = self.outgoing.send(Outgoing::Diagnostics(uri, shown));
        }
    }

    /// What all projects found in a document: of two projects what either found, once.
    fn merged(&self, uri: &Url) -> Vec<Diagnostic> {
        let found = self.listed.values().filter_map(|listed| listed.get(uri)).flatten();
        let mut all: Vec<_> = found.cloned().collect();
        all.sort_by_key(|diagnostic| (diagnostic.range.start, diagnostic.range.end));
        once(all)
    }

    fn say_defect(&self, workspace: &Workspace) {
        let root = workspace.root().display();
        let text = format!("jadpo could not check {root}: a defect of jadpo. What is shown may be old.");
        let _ = self.outgoing.send(Outgoing::Say(MessageType::ERROR, text));
    }
}

/// The diagnostics, sorted by their ranges, each once. Only those of one range are compared with each other, since there
/// may be tens of thousands.
fn once(sorted: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::with_capacity(sorted.len());
    for diagnostic in sorted {
        let mut there = kept.iter().rev().take_while(|other| other.range == diagnostic.range);
        if !there.any(|other| *other == diagnostic) {
            kept.push(diagnostic);
        }
    }
    kept
}
