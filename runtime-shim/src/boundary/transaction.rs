//! The boundary's transaction, opened by a body that must read its own writes.

use super::StoreAccess;
use crate::failure::Failure;
use crate::sql::{Params, Row};
use crate::store::{StoreError, StoreTransaction, Write};

/// The transaction of one boundary.
///
/// It borrows the body's context, so that no provider is called while others wait for what it locks. It stays open until the
/// body has its value, and is then committed with what the body gathered; a body that fails, panics or is stopped rolls it
/// back. A statement that the engine refuses ends it: whatever the body does then, nothing of it is kept.
pub struct Transaction<'a> {
    access: &'a mut StoreAccess,
}

impl<'a> Transaction<'a> {
    /// Opens it, or goes on with the one that is open.
    pub(crate) async fn of(access: &'a mut StoreAccess) -> Result<Transaction<'a>, Failure> {
        access.open().await?;
        Ok(Transaction { access })
    }

    /// Reads what is committed and what was written in this transaction.
    pub async fn query(&mut self, sql: impl Into<String>, params: impl Params) -> Result<Vec<Row>, Failure> {
        let rows = self.opened()?.query(sql.into(), params.into_values()).await;
        rows.map_err(|error| self.access.break_off(error))?.map_err(Failure::new)
    }

    /// Runs one statement; how many rows it touched.
    pub async fn execute(&mut self, sql: impl Into<String>, params: impl Params) -> Result<u64, Failure> {
        self.run(Write { sql: sql.into(), params: params.into_values(), rows: None }).await
    }

    /// Runs one statement that must touch exactly `rows` rows; another number fails the whole boundary as `conflict`.
    pub async fn execute_rows(
        &mut self,
        rows: u64,
        sql: impl Into<String>,
        params: impl Params,
    ) -> Result<(), Failure> {
        self.run(Write { sql: sql.into(), params: params.into_values(), rows: Some(rows) }).await?;
        Ok(())
    }

    async fn run(&mut self, write: Write) -> Result<u64, Failure> {
        let done: Result<_, StoreError> = self.opened()?.execute(write).await;
        done.map_err(|error| self.access.break_off(error))?.map_err(|end| self.access.end(end))
    }

    fn opened(&mut self) -> Result<&mut Box<dyn StoreTransaction>, Failure> {
        if let Some(error) = self.access.broken() {
            return Err(Failure::from(error.clone()));
        }
        self.access.opened().as_mut().ok_or_else(|| Failure::new("the transaction is over"))
    }
}
