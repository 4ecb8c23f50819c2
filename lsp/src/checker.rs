//! The thread that checks snapshots and says what has changed for the editor.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;

use jadpo_analysis::Workspace;
use tokio::sync::mpsc::UnboundedSender;
use tower_lsp::lsp_types::{Diagnostic, MessageType, Url};

use crate::convert::Encoding;
use crate::documents::OpenPaths;
use crate::projects::ProjectId;
use crate::report::{self, Listed};

/// What is to be checked: snapshots of the projects that changed, and what is open at the same moment.
pub struct Job {
    /// The projects that changed.
    pub changed: Vec<(ProjectId, Workspace)>,
    /// All projects there are.
    pub all: BTreeSet<ProjectId>,
    /// What is open.
    pub open: OpenPaths,
    /// What columns count.
    pub encoding: Encoding,
}

/// A message to the editor.
#[derive(Debug)]
pub enum Outgoing {
    /// All that is wrong in a document; nothing when it is right again.
    Diagnostics {
        /// The document.
        uri: Url,
        /// Its version, if it is open.
        version: Option<i32>,
        /// What is wrong.
        diagnostics: Vec<Diagnostic>,
    },
    /// Something that a person should see now.
    Say(MessageType, String),
    /// Something for the log.
    Log(MessageType, String),
}

/// Checks one job after the other until there will be none.
pub fn run(jobs: Receiver<Job>, outgoing: UnboundedSender<Outgoing>) {
    let mut checker = Checker { listed: BTreeMap::new(), published: BTreeMap::new(), outgoing };
    for job in jobs {
        // The job's snapshots end after its diagnostics are sent: the next edit waits for that end, so what is sent
        // follows the order of the edits.
        checker.check(&job);
    }
}

struct Checker {
    /// What the last check of each project found.
    listed: BTreeMap<ProjectId, Listed>,
    /// What the editor knows.
    published: BTreeMap<Url, (Option<i32>, Vec<Diagnostic>)>,
    outgoing: UnboundedSender<Outgoing>,
}

impl Checker {
    fn check(&mut self, job: &Job) {
        self.listed.retain(|id, _| job.all.contains(id));
        let mut is_old = false;
        for (id, workspace) in &job.changed {
            let attempt =
                || workspace.attempt(|workspace| report::listed(workspace, &job.open, job.encoding));
            match catch_unwind(AssertUnwindSafe(attempt)) {
                Ok(Some(listed)) => {
                    self.listed.insert(*id, listed);
                }
                Ok(None) => is_old = true,
                Err(_) => self.say_defect(workspace),
            }
        }
        // The edit that made a snapshot old has a job of its own, which says all of this anew.
        if !is_old {
            self.publish(&job.open);
        }
    }

    fn publish(&mut self, open: &OpenPaths) {
        let versions: BTreeMap<&Url, i32> =
            open.iter().flat_map(|(_, opened)| opened).map(|(uri, version)| (uri, *version)).collect();
        let mut merged = self.merged();
        let uris: BTreeSet<Url> =
            self.published.keys().chain(merged.keys()).chain(versions.keys().copied()).cloned().collect();
        for uri in uris {
            let version = versions.get(&uri).copied();
            let diagnostics = merged.remove(&uri).unwrap_or_default();
            let now = (version, diagnostics);
            if self.published.get(&uri) == Some(&now) {
                continue;
            }
            let (version, diagnostics) = now.clone();
            // Nobody listens any more once the session has ended.
            let _ = self.outgoing.send(Outgoing::Diagnostics { uri: uri.clone(), version, diagnostics });
            if now == (None, Vec::new()) {
                self.published.remove(&uri);
            } else {
                self.published.insert(uri, now);
            }
        }
    }

    /// What all projects found; a file of two projects has what either found, once.
    fn merged(&self) -> Listed {
        let mut merged = Listed::new();
        for (uri, diagnostics) in self.listed.values().flatten() {
            let all: &mut Vec<Diagnostic> = merged.entry(uri.clone()).or_default();
            all.extend_from_slice(diagnostics);
        }
        for all in merged.values_mut() {
            all.sort_by_key(|diagnostic| (diagnostic.range.start, diagnostic.range.end));
            *all = once(std::mem::take(all));
        }
        merged
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
