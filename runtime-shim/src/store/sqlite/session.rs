//! A transaction that a body has open on the writing thread.

use std::fmt;

use rusqlite::Connection;

use super::failed::Failed;
use super::worker::Asker;
use super::writer::{Then, Writer};
use super::{app_write, commit, show};
use crate::sql::{Row, SqlValue};
use crate::store::app_write::refused;
use crate::store::{Boundary, BoundaryEnd, Kept, StoreErrorKind, StoreTransaction, Write};

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
}

impl Session {
    /// A session that is to be opened.
    pub fn new(writer: Writer, id: u64) -> Session {
        Session { writer, id, refused: None, spoiled: None }
    }
}

impl StoreTransaction for Session {
    fn query(&mut self, sql: String, params: Vec<SqlValue>) -> Kept<'_, Result<Vec<Row>, String>> {
        let most_ms = self.writer.transaction_ms;
        Box::pin(async move {
            let read = if let Some(text) = refused(&sql) {
                Err(text)
            } else {
                let read = move |connection: &Connection| show::query(connection, &sql, &params);
                self.writer.in_session(self.id, |asker| stays_open(asker, most_ms, read)).await?
            };
            if let Err(text) = &read {
                self.spoiled.get_or_insert(BoundaryEnd::Refused(text.clone()));
            }
            Ok(read)
        })
    }

    fn execute(&mut self, write: Write) -> Kept<'_, Result<u64, BoundaryEnd>> {
        let most_ms = self.writer.transaction_ms;
        Box::pin(async move {
            let work = move |connection: &Connection| app_write::run(connection, &write);
            let done = self.writer.in_session(self.id, |asker| stays_open(asker, most_ms, work)).await?;
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
        let mut done = in_session(connection, most_ms, work);
        if done.is_ok() && connection.is_some_and(Connection::is_autocommit) {
            let text = "a statement rolled the whole transaction back".to_owned();
            done = Err(Failed::Kind(StoreErrorKind::Other(text)));
        }
        let stays = done.is_ok();
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
