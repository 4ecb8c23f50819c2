//! Which files belong to a project: the app's, its packages' beneath it and through `packages:`, each file once.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use jadpo_syntax::tree::{Body, Declaration, Keyword, ValueKind};

use crate::inputs::ScopeKind;
use crate::source::{FILE_BYTES_MAX, Source};
use crate::system::{FileKind, System};

/// Directories that are never part of a project, besides hidden ones.
const SKIPPED_DIRS: [&str; 3] = ["build", "target", "node_modules"];

/// What was found beneath a directory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The app's files, unless a package is checked alone.
    pub app: Option<FoundScope>,
    /// The packages: those beneath the app in path order, then those of `packages:`.
    pub packages: Vec<FoundScope>,
    /// What stands at each path of `app`'s `packages:`.
    pub package_paths: Vec<PackagePath>,
    /// What is wrong with the directories themselves.
    pub problems: Vec<ProjectProblem>,
}

/// A scope's directory and files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundScope {
    /// Relative to the root; empty for the root itself.
    pub dir: String,
    /// In path order.
    pub files: Vec<FoundFile>,
    /// A package's `surface.json`.
    pub accepted: Option<FoundFile>,
}

/// A file that belongs to a scope.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FoundFile {
    /// Relative to the root, with `/` between its parts.
    pub path: String,
    /// Its one path without links.
    pub canonical: PathBuf,
}

/// One path of `app`'s `packages:`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PackagePath {
    /// As written.
    pub path: Box<str>,
    /// Whether a package stands there.
    pub found: bool,
}

/// What is wrong with a directory. Paths are relative to the root.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ProjectProblem {
    /// The root has neither `app.jadpo` nor `provider.jadpo`.
    Missing {
        /// What the root is; `None` where there is nothing.
        root: Option<FileKind>,
    },
    /// A directory has both.
    Ambiguous {
        /// The directory.
        dir: String,
    },
    /// A link leads to a directory that holds it.
    LinkCycle {
        /// The link.
        path: String,
    },
    /// A directory could not be listed.
    Unlisted {
        /// The directory.
        dir: String,
        /// What the system said.
        why: String,
    },
}

/// Finds the project or the package in `root`.
pub fn discover(system: &dyn System, root: &Path) -> Layout {
    let has = |name: &str| system.kind(&root.join(name)) == Some(FileKind::File);
    let mut finder =
        Finder { system, root, layout: Layout::default(), seen: BTreeSet::new(), links: Vec::new() };
    match (has(ScopeKind::App.file_name()), has(ScopeKind::Package.file_name())) {
        (true, false) => finder.app(),
        (false, true) => finder.package_alone(),
        (true, true) => finder.problem(ProjectProblem::Ambiguous { dir: String::new() }),
        (false, false) => finder.problem(ProjectProblem::Missing { root: system.kind(root) }),
    }
    finder.accepted_surfaces();
    finder.layout
}

/// The paths of `packages:` in the text of `app.jadpo`, as written.
pub fn package_paths(app_text: &str) -> Vec<Box<str>> {
    let split = jadpo_syntax::split(app_text);
    let apps = split.chunks.iter().filter(|chunk| chunk.keyword == Some(Keyword::App));
    apps.filter_map(|chunk| {
        let text = &app_text[chunk.span.start as usize..chunk.span.end as usize];
        jadpo_syntax::parse(text).declaration
    })
    .flat_map(|declaration| paths_of(&declaration))
    .collect()
}

fn paths_of(app: &Declaration) -> Vec<Box<str>> {
    let Body::Block(block) = &app.body else { return Vec::new() };
    let lists = block.entries.iter().filter(|entry| &*entry.key.text == "packages");
    let lists = lists.filter_map(|entry| match &entry.value.as_ref()?.kind {
        ValueKind::List(values) => Some(values),
        _ => None,
    });
    let values = lists.flatten();
    values
        .filter_map(|value| match &value.kind {
            ValueKind::String(text) => Some(text.value.clone()),
            _ => None,
        })
        .collect()
}

struct Finder<'a> {
    system: &'a dyn System,
    root: &'a Path,
    layout: Layout,
    /// Canonical paths of what was taken already.
    seen: BTreeSet<PathBuf>,
    /// Links to directories, walked after everything real so that a file is known by its own path.
    links: Vec<Link>,
}

/// A link to a directory and who would own what is beneath it.
struct Link {
    path: String,
    owner: Owner,
    /// The canonical directories that hold the link.
    above: Vec<PathBuf>,
}

/// Who owns the files of a directory.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    App,
    /// The package of this index.
    Package(usize),
}

impl Finder<'_> {
    fn app(&mut self) {
        self.layout.app = Some(FoundScope::default());
        self.walk("", Owner::App, &[]);
        self.follow_links();
        self.named_packages();
        self.sort();
    }

    fn package_alone(&mut self) {
        self.layout.packages.push(FoundScope::default());
        self.walk("", Owner::Package(0), &[]);
        self.follow_links();
        self.sort();
    }

    /// The packages that `app`'s `packages:` names.
    fn named_packages(&mut self) {
        let bytes = self.system.read(&self.root.join(ScopeKind::App.file_name()), FILE_BYTES_MAX + 1);
        let Ok(source) = bytes.map(Source::from_bytes) else { return };
        if source.problem.is_some() {
            return;
        }
        for path in package_paths(&source.text) {
            let dir = path.trim_end_matches('/').to_owned();
            let found = self.has(&dir, ScopeKind::Package.file_name());
            self.layout.package_paths.push(PackagePath { path, found });
            if found {
                self.walk(&dir, Owner::App, &[]);
                self.follow_links();
            }
        }
    }

    /// Takes what stands in `dir`; `above` are the canonical directories that hold it.
    fn walk(&mut self, dir: &str, owner: Owner, above: &[PathBuf]) {
        let full = self.root.join(dir);
        let Ok(canonical) = self.system.canonical(&full) else { return };
        if !self.seen.insert(canonical.clone()) {
            return;
        }
        let entries = match self.system.list(&full) {
            Ok(entries) => entries,
            Err(error) => {
                return self
                    .problem(ProjectProblem::Unlisted { dir: dir.to_owned(), why: error.to_string() });
            }
        };
        let Some(owner) = self.owner_of(dir, owner) else { return };
        let above: Vec<_> = above.iter().cloned().chain([canonical.clone()]).collect();
        let mut dirs = Vec::new();
        for entry in entries {
            let path = if dir.is_empty() { entry.name.clone() } else { format!("{dir}/{}", entry.name) };
            let kind = match entry.kind {
                FileKind::Link => self.system.kind(&self.root.join(&path)),
                kind => Some(kind),
            };
            match (entry.kind, kind) {
                (_, Some(FileKind::Dir)) if is_skipped(&entry.name) => {}
                (FileKind::Link, Some(FileKind::Dir)) => {
                    self.links.push(Link { path, owner, above: above.clone() });
                }
                (_, Some(FileKind::Dir)) => dirs.push(path),
                _ if is_manifest(&entry.name) => {
                    self.take(dir, &entry.name, path, &canonical, entry.kind, owner);
                }
                _ => {}
            }
        }
        for path in dirs {
            self.walk(&path, owner, &above);
        }
    }

    /// Who owns the files of `dir`, which `around` owns unless it is a package of its own; `None` for nobody here.
    fn owner_of(&mut self, dir: &str, around: Owner) -> Option<Owner> {
        if dir.is_empty() || !self.has(dir, ScopeKind::Package.file_name()) {
            return Some(around);
        }
        if self.has(dir, ScopeKind::App.file_name()) {
            self.problem(ProjectProblem::Ambiguous { dir: dir.to_owned() });
            return None;
        }
        self.layout.app.as_ref()?;
        self.layout.packages.push(FoundScope { dir: dir.to_owned(), ..FoundScope::default() });
        Some(Owner::Package(self.layout.packages.len() - 1))
    }

    fn take(
        &mut self,
        dir: &str,
        name: &str,
        path: String,
        canonical_dir: &Path,
        kind: FileKind,
        owner: Owner,
    ) {
        let canonical = match kind {
            FileKind::Link => self.system.canonical(&self.root.join(dir).join(name)).ok(),
            _ => None,
        };
        let canonical = canonical.unwrap_or_else(|| canonical_dir.join(name));
        if kind == FileKind::Link && !self.seen.insert(canonical.clone()) {
            return;
        }
        let scope = match owner {
            Owner::App => self.layout.app.as_mut(),
            Owner::Package(index) => self.layout.packages.get_mut(index),
        };
        if let Some(scope) = scope {
            scope.files.push(FoundFile { path, canonical });
        }
    }

    fn follow_links(&mut self) {
        while let Some(link) = self.links.pop() {
            let Ok(target) = self.system.canonical(&self.root.join(&link.path)) else { continue };
            if link.above.iter().any(|dir| dir.starts_with(&target)) {
                self.problem(ProjectProblem::LinkCycle { path: link.path });
            } else {
                self.walk(&link.path, link.owner, &link.above);
            }
        }
    }

    /// Puts files in path order and keeps each file once, under its real path where it has one here.
    fn sort(&mut self) {
        let mut taken = BTreeSet::new();
        for scope in self.layout.app.iter_mut().chain(&mut self.layout.packages) {
            scope.files.sort();
            scope.files.sort_by_key(|file| !self.root.join(&file.path).eq(&file.canonical));
            scope.files.retain(|file| taken.insert(file.canonical.clone()));
            scope.files.sort();
        }
        self.layout.packages.sort_by_key(|scope| scope.dir.starts_with("..") || scope.dir.starts_with('/'));
    }

    /// The `surface.json` beside each `provider.jadpo` that has one.
    fn accepted_surfaces(&mut self) {
        for package in &mut self.layout.packages {
            let name = crate::surface::FILE_NAME;
            let path =
                if package.dir.is_empty() { name.to_owned() } else { format!("{}/{name}", package.dir) };
            let full = self.root.join(&path);
            if self.system.kind(&full) == Some(FileKind::File)
                && let Ok(canonical) = self.system.canonical(&full)
            {
                package.accepted = Some(FoundFile { path, canonical });
            }
        }
    }

    fn has(&self, dir: &str, name: &str) -> bool {
        self.system.kind(&self.root.join(dir).join(name)) == Some(FileKind::File)
    }

    fn problem(&mut self, problem: ProjectProblem) {
        self.layout.problems.push(problem);
    }
}

/// Whether a directory of this name is never part of a project.
pub(crate) fn is_skipped(dir_name: &str) -> bool {
    dir_name.starts_with('.') || SKIPPED_DIRS.contains(&dir_name)
}

/// Whether a file of this name is a manifest.
pub fn is_manifest(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == "jadpo") && !name.starts_with('.')
}
