//! An app, ready to run: its plan, the deployable that this program is, and the user's code.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::dispatch::Dispatch;

/// What a generated program runs. Clones share its code.
#[derive(Clone)]
pub struct App {
    pub(crate) plan_json: String,
    pub(crate) deployable: String,
    pub(crate) dispatch: Arc<dyn Dispatch>,
    /// By store, SQL that is run at every start.
    pub(crate) prepare: Vec<(String, String)>,
    /// By store, the file that it is kept in instead of the plan's.
    pub(crate) files: BTreeMap<String, String>,
    /// Stores whose every commit waits for the disk.
    pub(crate) synced: BTreeSet<String>,
    /// By store, the one in memory that it is kept in instead.
    #[cfg(any(test, feature = "sim"))]
    pub(crate) in_memory: BTreeMap<String, Arc<crate::store::memory::MemoryStore>>,
    /// Environment variables that stand before the process's own.
    environment: BTreeMap<String, String>,
    /// Whether the process's own is left out.
    pub(crate) sealed: bool,
}

impl App {
    /// The program of one deployable of a plan.
    pub fn new(plan_json: &str, deployable: &str, dispatch: impl Dispatch) -> App {
        App {
            plan_json: plan_json.to_owned(),
            deployable: deployable.to_owned(),
            dispatch: Arc::new(dispatch),
            prepare: Vec::new(),
            files: BTreeMap::new(),
            synced: BTreeSet::new(),
            #[cfg(any(test, feature = "sim"))]
            in_memory: BTreeMap::new(),
            environment: BTreeMap::new(),
            sealed: false,
        }
    }

    /// Runs SQL in a store at every start, before anything else does: the app's own tables. It must be safe to run again,
    /// as `CREATE TABLE IF NOT EXISTS …` is.
    #[must_use]
    pub fn prepare(mut self, store: &str, sql: &str) -> App {
        self.prepare.push((store.to_owned(), sql.to_owned()));
        self
    }

    /// Keeps a store in another file than the manifest names.
    #[must_use]
    pub fn store_file(mut self, store: &str, path: impl Into<String>) -> App {
        self.files.insert(store.to_owned(), path.into());
        self
    }

    /// Has each commit of an SQLite store wait until the disk has it, so that a power cut takes back nothing. Without it a
    /// power cut, not the end of a process, may take back the last commits, whole ones only.
    #[must_use]
    pub fn sync_each_commit(mut self, store: &str) -> App {
        self.synced.insert(store.to_owned());
        self
    }

    /// Keeps a store in memory, for tests; clones of it are kept in the same.
    #[cfg(any(test, feature = "sim"))]
    #[must_use]
    pub fn store_in_memory(mut self, store: &str, memory: Arc<crate::store::memory::MemoryStore>) -> App {
        self.in_memory.insert(store.to_owned(), memory);
        self
    }

    /// Gives a setting that `env(…)` names, before the process's own environment is asked.
    #[must_use]
    pub fn env(mut self, name: &str, value: impl Into<String>) -> App {
        self.environment.insert(name.to_owned(), value.into());
        self
    }

    /// The value of an environment variable, as the app's settings see it.
    pub(crate) fn environment(&self, name: &str) -> Option<String> {
        let own = || std::env::var(name).ok().filter(|_| !self.sealed);
        self.environment.get(name).cloned().or_else(own)
    }
}

/// Stands in the code of an app that keeps a store in PostgreSQL.
#[cfg(feature = "postgres")]
#[macro_export]
macro_rules! needs_postgres {
    () => {};
}

/// Stands in the code of an app that keeps a store in PostgreSQL, which this runtime was built without.
#[cfg(not(feature = "postgres"))]
#[macro_export]
macro_rules! needs_postgres {
    () => {
        ::core::compile_error!(
            "a store of this app is kept in PostgreSQL: give `jadpo-runtime` the feature `postgres` in Cargo.toml"
        );
    };
}

/// The generated code of the app that `build.rs` built.
#[macro_export]
macro_rules! include_app {
    () => {
        include!(concat!(env!("OUT_DIR"), "/jadpo/app.rs"));
    };
}
