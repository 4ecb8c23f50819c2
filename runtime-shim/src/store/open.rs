//! Opens what a plan calls a store, with the engine that this program was built with.

use super::{SharedStore, StoreError};

/// A store to be opened.
#[derive(Clone, Debug)]
pub struct ToOpen {
    /// Its name in the app.
    pub name: String,
    /// Where it is kept.
    pub kept_in: KeptIn,
    /// SQL that is run at every start: the app's own tables.
    pub prepare: Vec<String>,
    /// How long a lock that another process holds is waited for, ms.
    pub busy_ms: u64,
    /// Whether each commit waits until the disk has it.
    pub sync_each_commit: bool,
    /// Where its work is done.
    pub runs: Runs,
}

/// Where a store is kept.
#[derive(Clone, Debug)]
pub enum KeptIn {
    /// An SQLite file of this path.
    File(String),
    /// A PostgreSQL database.
    #[cfg(feature = "postgres")]
    Database(Box<super::postgres::Address>),
    /// Nowhere.
    #[cfg(any(test, feature = "sim"))]
    Memory(std::sync::Arc<super::memory::MemoryStore>),
}

/// Where a store's work is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runs {
    /// On threads of the store's own, since an executor may not be blocked.
    OnThreads,
    /// On the thread that asks, one piece after another in the order they were asked for; a database has its own all the same.
    InOrder,
}

/// Opens a store.
pub fn open(to_open: ToOpen) -> Result<SharedStore, StoreError> {
    match to_open.kept_in.clone() {
        KeptIn::File(path) => file(to_open, path),
        #[cfg(feature = "postgres")]
        KeptIn::Database(address) => {
            let options = super::postgres::OpenOptions {
                prepare: to_open.prepare,
                ..super::postgres::OpenOptions::new(&to_open.name, *address)
            };
            Ok(std::sync::Arc::new(options.open()?))
        }
        #[cfg(any(test, feature = "sim"))]
        KeptIn::Memory(memory) => Ok(memory),
    }
}

#[cfg(feature = "sqlite")]
fn file(to_open: ToOpen, path: String) -> Result<SharedStore, StoreError> {
    use super::sqlite::OpenOptions;
    let options = OpenOptions {
        prepare: to_open.prepare,
        busy_ms: to_open.busy_ms,
        sync_each_commit: to_open.sync_each_commit,
        runs: to_open.runs,
        ..OpenOptions::new(&to_open.name, path)
    };
    Ok(std::sync::Arc::new(options.open()?))
}

/// Says that there is no engine for it.
#[cfg(not(feature = "sqlite"))]
fn file(to_open: ToOpen, path: String) -> Result<SharedStore, StoreError> {
    let text = format!("this program was built without the feature `sqlite`, which {path} needs");
    let store = super::Place { name: to_open.name, file: path };
    Err(StoreError { store, kind: super::StoreErrorKind::Other(text) })
}
