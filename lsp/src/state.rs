//! The world: the one thread that owns documents and projects, and takes what the editor says in its order.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use jadpo_analysis::system::System;
use jadpo_analysis::{Workspace, roots};
use tokio::sync::mpsc::UnboundedSender;
use tokio::sync::oneshot;
use tower_lsp::lsp_types::{MessageType, Url};

use crate::checker::{self, Job};
use crate::convert::Encoding;
use crate::documents::{Documents, OpenPaths};
use crate::limits::{BATCH_MAX, STACK_BYTES};
use crate::notifications::Notification;
use crate::outgoing::Outgoing;
use crate::projects::Projects;
use crate::settings::Settings;

/// The way to the world's queue. The world ends with its last handle.
#[derive(Clone, Debug)]
pub struct World(Sender<Message>);

enum Message {
    Begin(Settings),
    Tell(Notification),
    Read(Url, oneshot::Sender<Reading>),
}

/// A snapshot of all that concerns one document.
pub struct Reading {
    /// Where the document stands, if it is a file.
    pub path: Option<PathBuf>,
    /// The projects that it belongs to.
    pub workspaces: Vec<Workspace>,
    /// What is open.
    pub open: OpenPaths,
    /// What columns count.
    pub encoding: Encoding,
    /// Whether edits may name versions.
    pub versioned_edits: bool,
}

impl World {
    /// The session begins. False when there is no world any more, as in the other methods.
    pub fn begin(&self, settings: Settings) -> bool {
        self.0.send(Message::Begin(settings)).is_ok()
    }

    /// Puts a notification into the queue.
    pub fn tell(&self, notification: Notification) -> bool {
        self.0.send(Message::Tell(notification)).is_ok()
    }

    /// A snapshot of what concerns a document, after everything that is in the queue now.
    pub async fn read(&self, uri: Url) -> Option<Reading> {
        let (reply, reading) = oneshot::channel();
        self.0.send(Message::Read(uri, reply)).ok()?;
        reading.await.ok()
    }
}

/// Starts the world and its checker, each on a thread of its own: an executor's worker that waits for a snapshot to end
/// could wait for itself.
pub fn start(system: Arc<dyn System>, outgoing: UnboundedSender<Outgoing>) -> World {
    let (messages, inbox) = mpsc::channel();
    let (jobs, queue) = mpsc::channel();
    let to_checker = outgoing.clone();
    start_thread("jadpo-check", move || checker::run(queue, to_checker));
    start_thread("jadpo-world", move || State::new(system, jobs, outgoing).run(&inbox));
    World(messages)
}

fn start_thread(name: &str, run: impl FnOnce() + Send + 'static) {
    let builder = thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
    builder.spawn(run).expect("the system gives a thread to a program that has started");
}

/// What the world's thread owns.
pub struct State {
    /// What was agreed; `None` before the session begins.
    pub settings: Option<Settings>,
    /// What is open.
    pub documents: Documents,
    system: Arc<dyn System>,
    projects: Projects,
    /// The roots beneath the editor's folders.
    found: BTreeSet<PathBuf>,
    pending: Pending,
    jobs: Sender<Job>,
    outgoing: UnboundedSender<Outgoing>,
}

/// What notifications have changed and projects don't know yet.
#[derive(Debug, Default)]
struct Pending {
    /// Documents with another text than before, closed ones included.
    texts: BTreeSet<PathBuf>,
    /// Files with another text on disk.
    files: BTreeSet<PathBuf>,
    /// A file came or went.
    layout: bool,
    /// A project may have come or gone in the editor's folders.
    folders: bool,
    /// A document came or went.
    opened: bool,
}

impl State {
    fn new(system: Arc<dyn System>, jobs: Sender<Job>, outgoing: UnboundedSender<Outgoing>) -> Self {
        Self {
            settings: None,
            documents: Documents::default(),
            projects: Projects::new(system.clone()),
            system,
            found: BTreeSet::new(),
            pending: Pending::default(),
            jobs,
            outgoing,
        }
    }

    fn run(mut self, inbox: &Receiver<Message>) {
        while let Ok(message) = inbox.recv() {
            self.take(message);
            // What has come meanwhile goes into the same check.
            inbox.try_iter().take(BATCH_MAX).for_each(|message| self.take(message));
            self.check();
        }
    }

    fn take(&mut self, message: Message) {
        match message {
            Message::Begin(settings) => self.settings = Some(settings),
            // The protocol has nothing before the beginning.
            Message::Tell(notification) if self.settings.is_some() => notification.apply(self),
            Message::Tell(_) => {}
            Message::Read(uri, reply) => {
                self.check();
                // A request that was cancelled waits for nothing.
                let _ = reply.send(self.reading(&uri));
            }
        }
    }

    /// A document has another text, or is open no longer.
    pub fn text_changed(&mut self, path: PathBuf) {
        self.pending.texts.insert(path);
    }

    /// A document came or went.
    pub fn opened_changed(&mut self) {
        self.pending.opened = true;
    }

    /// A file has another text on disk.
    pub fn file_changed(&mut self, path: PathBuf) {
        self.pending.files.insert(path);
    }

    /// A file came or went on disk.
    pub fn layout_changed(&mut self) {
        self.pending.layout = true;
    }

    /// A project may have come or gone beneath the editor's folders.
    pub fn folders_changed(&mut self) {
        self.pending.folders = true;
    }

    /// The one path of a document's file, also of one that was never saved: its directory is then the canonical part.
    pub fn place(&self, uri: &Url) -> Option<PathBuf> {
        let path = (uri.scheme() == "file").then(|| uri.to_file_path().ok()).flatten()?;
        Some(self.canonical(&path))
    }

    /// Writes a line to the editor's log.
    pub fn log(&self, text: String) {
        // Nobody listens any more once the session has ended.
        let _ = self.outgoing.send(Outgoing::Log(MessageType::WARNING, text));
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        if let Ok(path) = self.system.canonical(path) {
            return path;
        }
        let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else { return path.to_owned() };
        self.system.canonical(parent).unwrap_or_else(|_| parent.to_owned()).join(name)
    }

    /// Brings the projects up to date with what is pending, and has those checked that it changed.
    fn check(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        let Pending { texts, files, layout, folders, opened } = &pending;
        if texts.is_empty() && files.is_empty() && !layout && !folders && !opened {
            return;
        }
        if *layout {
            self.projects.refresh_all();
        } else if !files.is_empty() {
            self.projects.refresh_owners(files);
        }
        for path in texts {
            match self.documents.text_at(path) {
                Some(text) => self.projects.set_text(path, &text),
                None => self.projects.close(path),
            }
        }
        if *folders {
            self.find();
        }
        if *folders || *layout || *opened {
            self.projects.arrange(&self.found, &self.documents);
        }
        let job = Job {
            changed: self.projects.take_changed(),
            all: self.projects.ids(),
            edited: pending.texts,
            open: self.documents.open_paths(),
            encoding: self.encoding(),
        };
        // The checker ends before the world only when the process does.
        let _ = self.jobs.send(job);
    }

    /// Looks for projects beneath the editor's folders.
    fn find(&mut self) {
        self.found.clear();
        let folders = self.settings.as_ref().map(|settings| settings.folders.clone()).unwrap_or_default();
        for folder in folders {
            let folder = self.canonical(&folder);
            let found = roots::beneath(&*self.system, &folder);
            if !found.complete {
                let (folder, most) = (folder.display(), roots::DIRS_MAX);
                let text = format!(
                    "jadpo looked into {most} directories of {folder} and no further; open a smaller folder"
                );
                let _ = self.outgoing.send(Outgoing::Say(MessageType::WARNING, text));
            }
            self.found.extend(found.dirs);
        }
    }

    fn reading(&self, uri: &Url) -> Reading {
        let path = self.place(uri);
        Reading {
            workspaces: path.as_deref().map(|path| self.projects.snapshots_of(path)).unwrap_or_default(),
            path,
            open: self.documents.open_paths(),
            encoding: self.encoding(),
            versioned_edits: self.settings.as_ref().is_some_and(|settings| settings.versioned_edits),
        }
    }

    fn encoding(&self) -> Encoding {
        self.settings.as_ref().map(|settings| settings.encoding).unwrap_or_default()
    }
}
