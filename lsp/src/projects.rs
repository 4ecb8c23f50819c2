//! The projects that are served: those of the editor's folders, and those of the documents outside of them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use jadpo_analysis::system::{FileKind, System};
use jadpo_analysis::{Workspace, roots};

use crate::documents::Documents;

/// A project, as long as it is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProjectId(u64);

/// All projects that are served.
pub struct Projects {
    system: Arc<dyn System>,
    served: Vec<Project>,
    next: u64,
}

struct Project {
    id: ProjectId,
    workspace: Workspace,
    /// Something changed since its last check began.
    is_changed: bool,
}

impl Projects {
    /// None yet.
    pub fn new(system: Arc<dyn System>) -> Self {
        Self { system, served: Vec::new(), next: 0 }
    }

    /// Which projects there are.
    pub fn ids(&self) -> BTreeSet<ProjectId> {
        self.served.iter().map(|project| project.id).collect()
    }

    /// Snapshots of the projects that changed since they were last taken.
    pub fn take_changed(&mut self) -> Vec<(ProjectId, Workspace)> {
        let take = |project: &mut Project| {
            let is_changed = std::mem::take(&mut project.is_changed);
            is_changed.then(|| (project.id, project.workspace.clone()))
        };
        self.served.iter_mut().filter_map(take).collect()
    }

    /// Snapshots of the projects that a path belongs to.
    pub fn snapshots_of(&self, path: &Path) -> Vec<Workspace> {
        let owners = self.served.iter().filter(|project| project.owns(path));
        owners.map(|project| project.workspace.clone()).collect()
    }

    /// Gives a file the text of its document.
    pub fn set_text(&mut self, path: &Path, text: &Arc<str>) {
        for project in &mut self.served {
            project.set_text(path, text.clone());
        }
    }

    /// A document was closed: what is on disk counts again.
    pub fn close(&mut self, path: &Path) {
        for project in self.served.iter_mut().filter(|project| project.concerns(path)) {
            project.workspace.remove(path);
            project.is_changed = true;
        }
    }

    /// Reads the projects again that have one of `paths`.
    pub fn refresh_owners(&mut self, paths: &BTreeSet<PathBuf>) {
        self.refresh_where(|project| paths.iter().any(|path| project.owns(path)));
    }

    /// Reads all projects again: a file came or went, and `packages:` may lead anywhere.
    pub fn refresh_all(&mut self) {
        self.refresh_where(|_| true);
    }

    /// Serves the projects in the directories `found` and those of open documents that belong to none of these; no others.
    pub fn arrange(&mut self, found: &BTreeSet<PathBuf>, documents: &Documents) {
        let mut wanted = found.clone();
        for root in found {
            self.open(root, documents);
        }
        let manifests: BTreeSet<_> =
            documents.paths().filter(|path| is_manifest(path)).map(Path::to_owned).collect();
        for path in &manifests {
            let is_owned =
                |project: &Project| wanted.contains(project.workspace.root()) && project.owns(path);
            if self.served.iter().any(is_owned) {
                continue;
            }
            // A document that was never saved makes a project as well as a file does.
            let is_file =
                |file: &Path| manifests.contains(file) || self.system.kind(file) == Some(FileKind::File);
            // Without a project the directory is opened all the same, which then says what is missing.
            let root = roots::above(path, is_file).or(path.parent()).map(Path::to_owned);
            if let Some(root) = root {
                self.open(&root, documents);
                wanted.insert(root);
            }
        }
        self.served.retain(|project| wanted.contains(project.workspace.root()));
        self.drop_covered();
    }

    /// Drops packages opened alone that another project has too, since that one knows more of them.
    fn drop_covered(&mut self) {
        let is_covered = |package: &Project| {
            let manifest = package.workspace.place_of("provider.jadpo");
            let others = self.served.iter().filter(|project| project.id != package.id);
            manifest.is_some_and(|manifest| others.into_iter().any(|project| project.owns(manifest)))
        };
        let covered: BTreeSet<_> =
            self.served.iter().filter(|project| is_covered(project)).map(|project| project.id).collect();
        self.served.retain(|project| !covered.contains(&project.id));
    }

    fn open(&mut self, root: &Path, documents: &Documents) {
        if self.served.iter().any(|project| project.workspace.root() == root) {
            return;
        }
        let workspace = Workspace::open(self.system.clone(), root);
        let mut project = Project { id: ProjectId(self.next), workspace, is_changed: true };
        self.next += 1;
        for path in documents.paths() {
            if let Some(text) = documents.text_at(path) {
                project.set_text(path, text);
            }
        }
        self.served.push(project);
    }

    fn refresh_where(&mut self, is_meant: impl Fn(&Project) -> bool) {
        for project in self.served.iter_mut().filter(|project| is_meant(project)) {
            project.workspace.refresh();
            project.is_changed = true;
        }
    }
}

impl Project {
    fn owns(&self, path: &Path) -> bool {
        self.workspace.path_of(path).is_some()
    }

    /// Whether a path is one of the project's, or could become one.
    fn concerns(&self, path: &Path) -> bool {
        self.owns(path) || path.starts_with(self.workspace.root())
    }

    fn set_text(&mut self, path: &Path, text: Arc<str>) {
        if self.concerns(path) {
            self.workspace.set_text(path, text);
            self.is_changed |= self.owns(path);
        }
    }
}

/// Whether a document is one that a project may have.
pub fn is_manifest(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jadpo")
}
