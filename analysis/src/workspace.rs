//! The façade: a directory opened, kept current and asked.

use std::collections::BTreeMap;
use std::io;
use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use salsa::{Durability, Setter};

use crate::check::{file_diagnostics, project_diagnostics, shown_in};
use crate::db::Database;
use crate::diagnostics::{Diagnostic, Severity};
use crate::inputs::{Project, Scope, ScopeKind, SourceFile};
use crate::items::file_items;
use crate::model;
use crate::names::owner;
use crate::project::{FoundScope, Layout, discover, is_manifest, package_paths};
use crate::source::{FILE_BYTES_MAX, SURFACE_BYTES_MAX, Source};
use crate::system::{DirEntry, FileKind, System};
use crate::workers::{OnWorkers, on_workers};

/// A project or a package, opened. A clone is a snapshot for reading on another thread: the next change waits until
/// every clone is dropped, and cancels what they compute.
#[derive(Clone)]
pub struct Workspace {
    db: Database,
    system: Arc<dyn System>,
    root: PathBuf,
    project: Project,
    /// By path relative to the root, removed ones included: salsa never frees an input.
    files: BTreeMap<String, SourceFile>,
    /// By directory and kind, for the same reason.
    scopes: BTreeMap<(String, bool), Scope>,
    /// Texts that an editor holds, which stand before those of the system. By relative path.
    open: BTreeMap<String, Arc<str>>,
    /// Shared, since every snapshot has them.
    places: Arc<Places>,
}

/// Between the paths of diagnostics and the places on the system, for the files that are checked.
#[derive(Debug, Default)]
struct Places {
    by_path: BTreeMap<String, PathBuf>,
    by_place: BTreeMap<PathBuf, String>,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// By file, then offset.
    pub diagnostics: Vec<Diagnostic>,
    /// How many files were checked.
    pub files: usize,
    /// How many declarations they hold.
    pub declarations: usize,
    /// The deployables that are built for Workers, by name.
    pub on_workers: Vec<OnWorkers>,
}

impl Report {
    /// Whether nothing is an error.
    pub fn is_ok(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error)
    }
}

impl Workspace {
    /// Opens the project or package in the directory `root`. A directory without either opens too, and
    /// [`Workspace::check`] says what is missing.
    pub fn open(system: Arc<dyn System>, root: &Path) -> Self {
        Self::with_database(Database::default(), system, root)
    }

    /// Opens with a database of the caller's.
    pub(crate) fn with_database(db: Database, system: Arc<dyn System>, root: &Path) -> Self {
        let project = Project::new(&db, None, Vec::new(), Vec::new(), Vec::new());
        let mut workspace = Self {
            db,
            system,
            root: root.to_owned(),
            project,
            files: BTreeMap::new(),
            scopes: BTreeMap::new(),
            open: BTreeMap::new(),
            places: Arc::default(),
        };
        workspace.refresh();
        workspace
    }

    /// What queries of this crate are asked with.
    pub(crate) fn db(&self) -> &Database {
        &self.db
    }

    /// The input that holds all others.
    pub(crate) fn project(&self) -> Project {
        self.project
    }

    /// The directory that was opened.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The files of the project, as diagnostics name them.
    pub fn files(&self) -> Vec<&str> {
        self.current_files().into_iter().map(|file| file.path(&self.db)).collect()
    }

    /// The text of a file as it is checked.
    pub fn text(&self, path: &str) -> Option<Arc<str>> {
        Some(self.files.get(path)?.text(&self.db).clone())
    }

    /// The app's name as its manifest has it, checked or not; `None` where a package is opened alone.
    pub fn app_name(&self) -> Option<&str> {
        let app = self.project.app(&self.db)?;
        Some(owner(&self.db, app)?.name_text(&self.db))
    }

    /// Gives all that the check and the meaning of the project depend on to `take`, piece by piece, always in one order.
    pub fn each_input(&self, mut take: impl FnMut(&str)) {
        let (db, project) = (&self.db, self.project);
        take(&format!("{:?} {:?}", project.package_paths(db), project.problems(db)));
        for scope in project.app(db).into_iter().chain(project.packages(db).iter().copied()) {
            let files = scope.files(db);
            take(&format!("{:?} {} {}", scope.kind(db), files.len(), scope.dir(db)));
            for file in files.iter().copied().chain(scope.accepted(db)) {
                take(file.path(db));
                take(file.text(db));
                take(&format!("{:?}", file.problem(db)));
            }
        }
    }

    /// The path, as diagnostics name it, of the file that stands at a canonical path, if it is one of the project's.
    pub fn path_of(&self, place: &Path) -> Option<&str> {
        self.places.by_place.get(place).map(String::as_str)
    }

    /// The canonical path of a file of the project, named as diagnostics name it.
    pub fn place_of(&self, path: &str) -> Option<&Path> {
        self.places.by_path.get(path).map(PathBuf::as_path)
    }

    /// What `read` makes of this snapshot; `None` when a change of the original has made it useless meanwhile.
    pub fn attempt<T>(&self, read: impl FnOnce(&Self) -> T) -> Option<T> {
        salsa::Cancelled::catch(AssertUnwindSafe(|| read(self))).ok()
    }

    /// Checks everything.
    pub fn check(&self) -> Report {
        let files = self.current_files();
        let mut diagnostics = project_diagnostics(&self.db, self.project);
        let mut declarations = 0;
        for file in &files {
            diagnostics.extend_from_slice(file_diagnostics(&self.db, *file));
            declarations += file_items(&self.db, *file).decls.len();
        }
        sort(&mut diagnostics);
        let app = self.project.app(&self.db);
        let on_workers = app.map(|app| on_workers(&self.db, app).to_vec()).unwrap_or_default();
        Report { diagnostics, files: files.len(), declarations, on_workers }
    }

    /// What [`Workspace::check`] says of one file, named as diagnostics name it, and of directories. Other files are checked
    /// only as far as this one depends on them, and nothing but directories where the project has no file of this name.
    pub fn check_file(&self, path: &str) -> Vec<Diagnostic> {
        let file = self.files.get(path).copied().filter(|file| self.is_current(*file));
        let mut diagnostics = project_diagnostics(&self.db, self.project);
        diagnostics.extend(file.into_iter().flat_map(|file| shown_in(&self.db, file)));
        sort(&mut diagnostics);
        diagnostics
    }

    /// The meaning of a project without errors; `None` where there is one, or where a package is checked alone.
    pub fn model(&self) -> Option<Arc<model::Project>> {
        if !self.check().is_ok() {
            return None;
        }
        crate::lower::project(&self.db, self.project).map(Arc::new)
    }

    /// The path of a file as diagnostics name it.
    pub fn relative(&self, path: &Path) -> String {
        if let Some(path) = self.path_of(path) {
            return path.to_owned();
        }
        let canonical = || self.system.canonical(path).ok();
        let root = || self.system.canonical(&self.root).ok();
        let inside = path.strip_prefix(&self.root).map(Path::to_owned).ok();
        let inside = inside.or_else(|| canonical()?.strip_prefix(root()?).map(Path::to_owned).ok());
        let path = inside.unwrap_or_else(|| path.to_owned());
        let parts = path.components().map(|part| part.as_os_str().to_string_lossy());
        parts.collect::<Vec<_>>().join("/").replacen("//", "/", 1)
    }

    /// Gives a file a text that an editor holds, whatever the system says.
    pub fn set_text(&mut self, path: &Path, text: impl Into<Arc<str>>) {
        let path = self.relative(path);
        let text = text.into();
        let before = self.open.insert(path.clone(), text.clone());
        match self.files.get(&path).copied().filter(|file| self.is_current(*file)) {
            Some(file) => {
                let paths_differ = path == ScopeKind::App.file_name()
                    && package_paths(file.text(&self.db)) != package_paths(&text);
                // A file that is opened will change often: what depends on it is no longer taken to be stable.
                self.set_source(file, Source::from_text(text), Durability::LOW, before.is_none());
                if paths_differ {
                    self.refresh();
                }
            }
            None if before.is_none() && is_manifest(&path) => self.refresh(),
            None => {}
        }
    }

    /// Forgets the text that an editor held: the system's counts again.
    pub fn remove(&mut self, path: &Path) {
        if self.open.remove(&self.relative(path)).is_some() {
            self.refresh();
        }
    }

    /// Reads directories and files again, after something outside changed them.
    pub fn refresh(&mut self) {
        let system = Overlay { inner: &*self.system, root: &self.root, open: &self.open };
        let layout = discover(&system, &self.root);
        self.places = Arc::new(Places::of(&layout));
        let app = layout.app.map(|found| self.scope(&found, ScopeKind::App));
        let packages: Vec<_> =
            layout.packages.iter().map(|found| self.scope(found, ScopeKind::Package)).collect();
        let (db, project) = (&mut self.db, self.project);
        if project.app(db) != app {
            project.set_app(db).with_durability(Durability::HIGH).to(app);
        }
        if project.packages(db) != packages {
            project.set_packages(db).with_durability(Durability::HIGH).to(packages);
        }
        if project.package_paths(db) != layout.package_paths {
            project.set_package_paths(db).with_durability(Durability::HIGH).to(layout.package_paths);
        }
        if project.problems(db) != layout.problems {
            project.set_problems(db).with_durability(Durability::HIGH).to(layout.problems);
        }
    }

    /// The scope of a directory, its files read and set.
    fn scope(&mut self, found: &FoundScope, kind: ScopeKind) -> Scope {
        let key = (found.dir.clone(), kind == ScopeKind::App);
        let scope = *self.scopes.entry(key).or_insert_with(|| {
            let scope = Scope::builder(self.project, kind, found.dir.as_str().into(), Vec::new(), None);
            scope.durability(Durability::HIGH).new(&self.db)
        });
        let files: Vec<_> = found.files.iter().map(|file| self.file(scope, &file.path)).collect();
        if scope.files(&self.db) != files {
            scope.set_files(&mut self.db).with_durability(Durability::HIGH).to(files);
        }
        let accepted = found.accepted.as_ref().map(|file| self.file(scope, &file.path));
        if scope.accepted(&self.db) != accepted {
            scope.set_accepted(&mut self.db).with_durability(Durability::HIGH).to(accepted);
        }
        scope
    }

    fn file(&mut self, scope: Scope, path: &str) -> SourceFile {
        let (source, durability) = match self.open.get(path) {
            Some(text) => (Source::from_text(text.clone()), Durability::LOW),
            None => {
                (Source::read_within(&*self.system, &self.root.join(path), bytes_max(path)), Durability::HIGH)
            }
        };
        let Some(file) = self.files.get(path).copied() else {
            let file = SourceFile::builder(scope, path.into(), source.text, source.problem);
            let file = file.durability(durability).new(&self.db);
            self.files.insert(path.to_owned(), file);
            return file;
        };
        if file.scope(&self.db) != scope {
            file.set_scope(&mut self.db).with_durability(Durability::HIGH).to(scope);
        }
        self.set_source(file, source, durability, false);
        file
    }

    /// Sets only what differs, since every setting starts a new revision; `always` sets a new durability too.
    fn set_source(&mut self, file: SourceFile, source: Source, durability: Durability, always: bool) {
        if always || *file.text(&self.db) != source.text {
            file.set_text(&mut self.db).with_durability(durability).to(source.text);
        }
        if file.problem(&self.db) != source.problem.as_ref() {
            file.set_problem(&mut self.db).with_durability(durability).to(source.problem);
        }
    }

    fn current_files(&self) -> Vec<SourceFile> {
        let scopes =
            self.project.app(&self.db).into_iter().chain(self.project.packages(&self.db).iter().copied());
        scopes.flat_map(|scope| scope.files(&self.db).iter().copied()).collect()
    }

    fn is_current(&self, file: SourceFile) -> bool {
        file.scope(&self.db).files(&self.db).contains(&file)
    }
}

impl Places {
    fn of<'l>(layout: &'l Layout) -> Self {
        let mut places = Self::default();
        let files = |scope: &'l FoundScope| scope.files.iter().chain(&scope.accepted);
        for file in layout.app.iter().chain(&layout.packages).flat_map(files) {
            places.by_path.insert(file.path.clone(), file.canonical.clone());
            places.by_place.insert(file.canonical.clone(), file.path.clone());
        }
        places
    }
}

/// By file, then offset.
fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| (&a.file, a.range).cmp(&(&b.file, b.range)));
}

/// The longest that a file of this name may be.
fn bytes_max(path: &str) -> usize {
    if is_manifest(path) { FILE_BYTES_MAX } else { SURFACE_BYTES_MAX }
}

/// A system with the texts that an editor holds in front, so that a file which is not saved yet is found.
#[derive(Debug)]
struct Overlay<'a> {
    inner: &'a dyn System,
    root: &'a Path,
    open: &'a BTreeMap<String, Arc<str>>,
}

impl Overlay<'_> {
    fn open_text(&self, path: &Path) -> Option<&Arc<str>> {
        let path = path.strip_prefix(self.root).unwrap_or(path);
        self.open.get(path.to_str()?)
    }
}

impl System for Overlay<'_> {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        match self.open_text(path) {
            Some(text) => Ok(text.as_bytes()[..text.len().min(limit)].to_vec()),
            None => self.inner.read(path, limit),
        }
    }

    fn list(&self, dir: &Path) -> io::Result<Vec<DirEntry>> {
        let mut entries = self.inner.list(dir)?;
        for path in self.open.keys().map(|path| self.root.join(path)) {
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            if path.parent() == Some(dir)
                && let Some(name) = name
                && !entries.iter().any(|entry| entry.name == name)
            {
                entries.push(DirEntry { name, kind: FileKind::File });
            }
        }
        entries.sort();
        Ok(entries)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        self.inner.canonical(path)
    }

    fn kind(&self, path: &Path) -> Option<FileKind> {
        self.inner.kind(path).or_else(|| self.open_text(path).map(|_| FileKind::File))
    }
}
