//! Opens what a plan calls a store, with the engine that this program was built with.

use super::{SharedStore, StoreError};
use crate::outside::Outside;

/// A store to be opened.
#[derive(Clone, Debug)]
pub struct ToOpen {
    /// Its name in the app.
    pub name: String,
    /// Its SQLite file.
    pub path: String,
    /// SQL that is run at every start: the app's own tables.
    pub prepare: Vec<String>,
    /// How long a lock that another process holds is waited for, ms.
    pub busy_ms: u64,
}

/// Opens a store; `outside` counts its statements as real work.
#[cfg(feature = "sqlite")]
pub fn open(to_open: ToOpen, outside: Outside) -> Result<SharedStore, StoreError> {
    use super::sqlite::OpenOptions;
    let options = OpenOptions {
        prepare: to_open.prepare,
        busy_ms: to_open.busy_ms,
        outside,
        ..OpenOptions::new(&to_open.name, to_open.path)
    };
    Ok(std::sync::Arc::new(options.open()?))
}

/// Says that there is no engine for it.
#[cfg(not(feature = "sqlite"))]
pub fn open(to_open: ToOpen, _outside: Outside) -> Result<SharedStore, StoreError> {
    let text = format!("this program was built without the feature `sqlite`, which {} needs", to_open.path);
    let store = super::Place { name: to_open.name, file: to_open.path };
    Err(StoreError { store, kind: super::StoreErrorKind::Other(text) })
}
