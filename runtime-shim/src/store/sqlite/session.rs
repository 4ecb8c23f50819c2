//! A transaction that a body has open on the writing thread.

use std::fmt;

use rusqlite::Connection;

use super::failed::Failed;
use super::worker::Asker;
use super::writer::{Then, Writer};
use super::{app_write, commit, show};
use crate::sql::{Row, SqlValue};
use crate::store::app_write::refused;
use crate::store::{Boundary, BoundaryEnd, Kept, StoreError, StoreErrorKind, StoreTransaction, Write};

/// Given the connection while the session is open; whether it stays open.
pub type SessionWork = Box<dyn FnOnce(Option<&Connection>) -> bool + Send>;

/// A body's transaction. Dropping it rolls it back, unless it was committed.
pub struct Session {
    writer: Writer,
    id: u64,
    /// Why it was not opened.
    pub refused: Option<BoundaryEnd>,
    /// Why nothing of it can be kept any more.
    spoiled: Option<BoundaryEnd>,
    /// The trouble that ended it, which what is asked afterwards would not tell.
    broken: Option<StoreError>,
}

impl Session {
    /// A session that is to be opened.
    pub fn new(writer: Writer, id: u64) -> Session {
        Session { writer, id, refused: None, spoiled: None, broken: None }
    }

    /// Runs in the transaction, unless trouble has ended it.
    async fn run<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&Connection) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, StoreError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        let most_ms = self.writer.transaction_ms;
        let done = self.writer.in_session(self.id, |asker| stays_open(asker, most_ms, work)).await;
        if let Err(error) = &done {
            self.broken = Some(error.clone());
        }
        done
    }
}

impl StoreTransaction for Session {
    fn query(&mut self, sql: String, params: Vec<SqlValue>) -> Kept<'_, Result<Vec<Row>, String>> {
        Box::pin(async move {
            if let Some(BoundaryEnd::Refused(text)) = &self.spoiled {
                return Ok(Err(text.clone()));
            }
            let read = match refused(&sql) {
                Some(text) => Err(text),
                None => self.run(move |connection| show::query(connection, &sql, &params)).await?,
            };
            if let Err(text) = &read {
                self.spoiled.get_or_insert(BoundaryEnd::Refused(text.clone()));
            }
            Ok(read)
        })
    }

    fn execute(&mut self, write: Write) -> Kept<'_, Result<u64, BoundaryEnd>> {
        Box::pin(async move {
            if let Some(end) = &self.spoiled {
                return Ok(Err(end.clone()));
            }
            let done = self.run(move |connection| app_write::run(connection, &write)).await?;
            if let Err(end) = &done {
                self.spoiled.get_or_insert(end.clone());
            }
            Ok(done)
        })
    }

    fn commit(mut self: Box<Self>, rest: Boundary) -> Kept<'static, BoundaryEnd> {
        let most_ms = self.writer.transaction_ms;
        Box::pin(async move {
            if let Some(end) = self.spoiled.take() {
                return Ok(end);
            }
            if let Some(error) = self.broken.take() {
                return Err(error);
            }
            let work = move |connection: &Connection| end(connection, &rest);
            self.writer.in_session(self.id, |asker| ends(asker, most_ms, work)).await
        })
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.writer.close(self.id);
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Commits with the rest of the boundary, or rolls back.
fn end(connection: &Connection, rest: &Boundary) -> Result<BoundaryEnd, Failed> {
    match commit::run(connection, rest)? {
        Then::Undo(end) => Ok(end),
        Then::Keep(end) => {
            connection.execute_batch("COMMIT")?;
            Ok(end)
        }
    }
}

fn stays_open<T: Send + 'static>(
    asker: Asker<T>,
    most_ms: u64,
    work: impl FnOnce(&Connection) -> Result<T, Failed> + Send + 'static,
) -> SessionWork {
    Box::new(move |connection| {
        let done = in_session(connection, most_ms, work);
        // A statement's own `OR ROLLBACK` is refused, and has ended the transaction.
        let stays = done.is_ok() && !connection.is_some_and(Connection::is_autocommit);
        asker.answer(done);
        stays
    })
}

fn ends<T: Send + 'static>(
    asker: Asker<T>,
    most_ms: u64,
    work: impl FnOnce(&Connection) -> Result<T, Failed> + Send + 'static,
) -> SessionWork {
    Box::new(move |connection| {
        asker.answer(in_session(connection, most_ms, work));
        false
    })
}

fn in_session<T>(
    connection: Option<&Connection>,
    most_ms: u64,
    work: impl FnOnce(&Connection) -> Result<T, Failed>,
) -> Result<T, Failed> {
    match connection {
        Some(connection) => work(connection),
        None => Err(Failed::Kind(StoreErrorKind::TransactionTooLong(most_ms))),
    }
}
