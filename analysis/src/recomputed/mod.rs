//! Which queries a check runs again after an edit, and why.
//!
//! The database tells what runs, and not what was read: that stands in the table of [`queries`]. So a reason names the
//! queries that the table lets a query read and that ran before it since the last check; where several of one kind did,
//! it can't be told which of them it was.

mod entities;
mod queries;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use salsa::DatabaseKeyIndex;

use self::entities::Entities;
use self::queries::{Input, query};
use crate::db::Database;
use crate::system::System;
use crate::workspace::{Report, Workspace};

/// A workspace that keeps account of the queries that run.
pub struct Recorded {
    /// The workspace.
    pub workspace: Workspace,
    log: Arc<Mutex<Vec<Ran>>>,
    /// All that has ever run.
    known: HashSet<DatabaseKeyIndex>,
    /// What the files said at the last check.
    texts: BTreeMap<String, Arc<str>>,
}

/// A query that ran, by its name in the code.
struct Ran {
    key: DatabaseKeyIndex,
    name: String,
}

/// What a check ran again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recomputed {
    /// In the order in which they ran.
    pub runs: Vec<Run>,
    /// How many queries the checks so far have asked.
    pub all: usize,
}

/// A query that ran again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Which.
    pub query: Asked,
    /// What it is, in words that follow what it was asked of.
    pub words: &'static str,
    /// Why it ran.
    pub why: Why,
}

/// A query and what it was asked of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// Its name in the code.
    pub name: String,
    /// A declaration, a file or a namespace, as people call it; `None` for what has no name.
    pub of: Option<String>,
}

/// Why a query ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was never asked before.
    New,
    /// The text that it reads itself is another, or stands elsewhere.
    Text,
    /// There are other files or packages.
    Layout,
    /// One of these, which it reads, ran again before and gave another answer.
    Since(Vec<Asked>),
    /// What it reads is another in a way that the table has no word for.
    Other,
}

impl Recorded {
    /// Opens the project or package in the directory `root`.
    pub fn open(system: Arc<dyn System>, root: &Path) -> Self {
        let log = Arc::<Mutex<Vec<Ran>>>::default();
        let sink = log.clone();
        let db = Database::listening(move |key| {
            let name = format!("{key:?}");
            let name = name.split('(').next().unwrap_or_default().to_owned();
            sink.lock().unwrap_or_else(PoisonError::into_inner).push(Ran { key, name });
        });
        let workspace = Workspace::with_database(db, system, root);
        Self { workspace, log, known: HashSet::new(), texts: BTreeMap::new() }
    }

    /// Checks, and says what ran for it.
    pub fn check(&mut self) -> (Report, Recomputed) {
        let report = self.workspace.check();
        let ran = std::mem::take(&mut *self.log());
        let recomputed = self.explained(&ran);
        // To name things asks queries too.
        self.log().clear();
        let texts = self.workspace.files().into_iter();
        let texts = texts.filter_map(|file| Some((file.to_owned(), self.workspace.text(file)?)));
        self.texts = texts.collect();
        (report, recomputed)
    }

    fn explained(&mut self, ran: &[Ran]) -> Recomputed {
        let entities = Entities::of(&self.workspace);
        let asked = |ran: &Ran| Asked {
            name: ran.name.clone(),
            of: entities.name(ran.key.key_index()).map(str::to_owned),
        };
        let mut runs = Vec::with_capacity(ran.len());
        for (at, run) in ran.iter().enumerate() {
            let why = if self.known.contains(&run.key) { self.why(run, &ran[..at], asked) } else { Why::New };
            let words = query(&run.name).map_or("the answer", |query| query.words);
            runs.push(Run { query: asked(run), words, why });
        }
        self.known.extend(ran.iter().map(|run| run.key));
        Recomputed { runs, all: self.known.len() }
    }

    /// Why something ran that had run before; `before` ran before it since the last check.
    fn why(&self, run: &Ran, before: &[Ran], asked: impl Fn(&Ran) -> Asked) -> Why {
        let Some(query) = query(&run.name) else { return Why::Other };
        let read: Vec<&Ran> = before.iter().filter(|it| query.reads.contains(&&*it.name)).collect();
        // What was asked of the same thing is what it read for sure.
        let id = run.key.key_index();
        let of_own: Vec<&Ran> = read.iter().copied().filter(|it| it.key.key_index() == id).collect();
        let since = |ran: Vec<&Ran>| Why::Since(ran.into_iter().map(&asked).collect());
        let texts_differ = || {
            let now = |file: &String| self.workspace.text(file);
            self.texts.iter().any(|(file, text)| now(file).is_some_and(|now| now != *text))
        };
        if !of_own.is_empty() {
            since(of_own)
        } else if query.inputs.contains(&Input::File) && texts_differ() {
            Why::Text
        } else if !read.is_empty() {
            since(read)
        } else if query.inputs.contains(&Input::Declaration) && texts_differ() {
            Why::Text
        } else if query.inputs.contains(&Input::Layout) {
            Why::Layout
        } else {
            Why::Other
        }
    }

    fn log(&self) -> MutexGuard<'_, Vec<Ran>> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
