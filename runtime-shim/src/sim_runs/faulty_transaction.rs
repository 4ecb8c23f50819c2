//! A transaction that a body has open over a line that breaks.

use futures_util::lock::OwnedMutexGuard;

use super::faulty_store::FaultyStore;
use crate::sql::{Row, SqlValue};
use crate::store::{Boundary, BoundaryEnd, Kept, StoreTransaction, Write};

/// A transaction over such a line.
pub struct FaultyTransaction {
    pub line: FaultyStore,
    pub inner: Box<dyn StoreTransaction>,
    /// Ends with it.
    pub turn: OwnedMutexGuard<()>,
}

impl StoreTransaction for FaultyTransaction {
    fn query(&mut self, sql: String, params: Vec<SqlValue>) -> Kept<'_, Result<Vec<Row>, String>> {
        self.inner.query(sql, params)
    }

    fn execute(&mut self, write: Write) -> Kept<'_, Result<u64, BoundaryEnd>> {
        self.inner.execute(write)
    }

    fn commit(self: Box<Self>, rest: Boundary) -> Kept<'static, BoundaryEnd> {
        let FaultyTransaction { line, inner, turn } = *self;
        Box::pin(async move {
            let end = line.commit_of(rest, inner).await;
            drop(turn);
            end
        })
    }
}
