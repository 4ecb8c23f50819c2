//! What a body gathers: it reads what is committed, and its writes wait for the boundary's commit.

use crate::failure::Failure;
use crate::sql::{Params, Row};
use crate::store::{SharedStore, Write};

/// The store that a subscriber writes, as its body sees it.
///
/// Writes are gathered and committed as one with the delivery's end; a body that fails, panics or is stopped leaves none.
pub struct StoreAccess {
    store: SharedStore,
    writes: Vec<Write>,
}

impl StoreAccess {
    pub(crate) fn new(store: SharedStore) -> StoreAccess {
        StoreAccess { store, writes: Vec::new() }
    }

    /// Gathers one statement. One that the engine refuses fails the whole boundary, as a counted attempt.
    pub fn write(&mut self, sql: impl Into<String>, params: impl Params) {
        self.writes.push(Write { sql: sql.into(), params: params.into_values(), rows: None });
    }

    /// Gathers one statement that must touch exactly `rows` rows; another number fails the whole boundary as `conflict`.
    pub fn write_rows(&mut self, rows: u64, sql: impl Into<String>, params: impl Params) {
        self.writes.push(Write { sql: sql.into(), params: params.into_values(), rows: Some(rows) });
    }

    /// Reads what is committed; what this body gathered is not among it.
    pub async fn query(&self, sql: impl Into<String>, params: impl Params) -> Result<Vec<Row>, Failure> {
        let rows = self.store.query(sql.into(), params.into_values()).await?;
        rows.map_err(Failure::new)
    }

    pub(crate) fn take_writes(&mut self) -> Vec<Write> {
        std::mem::take(&mut self.writes)
    }
}
