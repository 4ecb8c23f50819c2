//! The store as a body sees it: it reads what is committed, and its writes wait for the boundary's commit.

use std::sync::{Mutex, PoisonError};

use crate::failure::Failure;
use crate::sql::{Params, Row};
use crate::store::{BoundaryEnd, Fence, SharedStore, StoreError, StoreTransaction, Write};

/// The store that a body writes.
///
/// Writes are gathered and committed as one with what else the body did; a body that fails, panics or is stopped leaves
/// none.
pub struct StoreAccess {
    store: SharedStore,
    /// What the boundary's commit depends on.
    fence: Fence,
    writes: Vec<Write>,
    /// The transaction that the body opened. The lock is never contended: it lets what borrows the context be shared.
    opened: Mutex<Option<Box<dyn StoreTransaction>>>,
    /// How the boundary ended already, whatever the body makes of it.
    ended: Option<BoundaryEnd>,
    /// What broke the transaction, whatever the body makes of it.
    broken: Option<StoreError>,
    /// The trouble that the store was last in when the body asked it. The lock is as that of `opened`.
    met: Mutex<Option<StoreError>>,
}

impl StoreAccess {
    pub(crate) fn new(store: SharedStore, fence: Fence) -> StoreAccess {
        StoreAccess {
            store,
            fence,
            writes: Vec::new(),
            opened: Mutex::new(None),
            ended: None,
            broken: None,
            met: Mutex::new(None),
        }
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
        let rows = self.store.query(sql.into(), params.into_values()).await;
        rows.map_err(|error| self.meet(error))?.map_err(Failure::new)
    }

    /// Opens the boundary's transaction, unless it is open.
    pub(super) async fn open(&mut self) -> Result<(), Failure> {
        if self.opened().is_some() {
            return Ok(());
        }
        let begun = self.store.begin(self.fence.clone()).await.map_err(|error| self.meet(error))?;
        let transaction = begun.map_err(|end| self.end(end))?;
        *self.opened() = Some(transaction);
        Ok(())
    }

    pub(super) fn opened(&mut self) -> &mut Option<Box<dyn StoreTransaction>> {
        self.opened.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes how the boundary ended; what the body is told.
    pub(super) fn end(&mut self, end: BoundaryEnd) -> Failure {
        let text = match &end {
            BoundaryEnd::Refused(text) => text.clone(),
            BoundaryEnd::Conflict { sql, wanted, got } => conflict(sql, *wanted, *got),
            BoundaryEnd::Fenced | BoundaryEnd::Received | BoundaryEnd::Done(_) => {
                "another already did this, so nothing of it is kept".to_owned()
            }
        };
        self.ended = Some(end);
        Failure::new(text)
    }

    /// Notes that the store failed in the transaction, of which nothing can be kept any more; what the body is told.
    pub(super) fn break_off(&mut self, error: StoreError) -> Failure {
        self.broken = Some(error.clone());
        self.meet(error)
    }

    /// What broke the transaction: what comes after it would only tell of its end.
    pub(super) fn broken(&self) -> Option<&StoreError> {
        self.broken.as_ref()
    }

    /// Notes that the store failed; what the body is told.
    fn meet(&self, error: StoreError) -> Failure {
        let failure = Failure::from(error.clone());
        *self.met.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        failure
    }

    /// Whether nothing was written, and no transaction opened.
    pub(crate) fn is_untouched(&mut self) -> bool {
        self.writes.is_empty() && self.ended.is_none() && self.opened().is_none()
    }

    pub(super) fn take_ended(&mut self) -> Option<BoundaryEnd> {
        self.ended.take()
    }

    /// What broke the transaction.
    pub(super) fn take_broken(&mut self) -> Option<StoreError> {
        self.broken.take()
    }

    /// The trouble that the body met, which is why it failed.
    pub(super) fn take_trouble(&mut self) -> Option<StoreError> {
        let met = self.met.get_mut().unwrap_or_else(PoisonError::into_inner);
        met.take().filter(|error| error.kind.is_trouble())
    }

    pub(super) fn take_writes(&mut self) -> Vec<Write> {
        std::mem::take(&mut self.writes)
    }
}

/// A write that touched another number of rows than it stated, in words.
pub fn conflict(sql: &str, wanted: u64, got: u64) -> String {
    format!("conflict: {got} rows where {wanted} were stated, by {sql}")
}
