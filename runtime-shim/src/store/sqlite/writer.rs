//! The one thread that writes: commits grouped in one transaction, each in its own savepoint.
//!
//! What waits while a transaction commits goes into the next one together, so a burst costs few commits and a single
//! write waits for nobody.

use std::sync::mpsc::Receiver;

use rusqlite::Connection;

use super::failed::{Failed, kind_of};
use super::worker::{Asker, Worker};
use crate::limits;
use crate::store::{Place, Runs, StoreError, StoreErrorKind};

/// What becomes of one piece of work's writes when the work itself went well.
pub enum Then<T> {
    /// They are kept.
    Keep(T),
    /// They are undone, and this is the answer.
    Undo(T),
}

/// The writing thread.
#[derive(Debug)]
pub struct Writer {
    worker: Worker<Work>,
}

/// Runs inside a savepoint and gives what tells the asker once the transaction has ended, with what failed if it did.
type Work = Box<dyn FnOnce(&Connection) -> (Reply, Option<StoreErrorKind>) + Send>;

/// Given why the transaction failed as a whole, if it did.
type Reply = Box<dyn FnOnce(Option<StoreErrorKind>) + Send>;

impl Writer {
    /// A thread of its own over the connection.
    pub fn start(store: Place, connection: Connection, runs: Runs) -> std::io::Result<Writer> {
        Ok(Writer { worker: Worker::start(store, "write", connection, runs, run)? })
    }

    /// How much work it was handed so far.
    pub fn asked(&self) -> u64 {
        self.worker.asked()
    }

    /// Hands work to the thread and waits until it is committed or undone.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<Then<T>, Failed> + Send + 'static,
    ) -> Result<T, StoreError> {
        let boxed = |asker: Asker<T>| -> Work {
            Box::new(move |connection| {
                let result = in_savepoint(connection, work);
                let failed = result.as_ref().err().map(Failed::kind);
                let reply: Reply = Box::new(move |broken| {
                    asker.answer(match (result, broken) {
                        // What was undone anyway is no other for the transaction's failure.
                        (Ok(Then::Undo(value)), _) | (Ok(Then::Keep(value)), None) => Ok(value),
                        (Ok(Then::Keep(_)) | Err(_), Some(kind)) => Err(Failed::Kind(kind)),
                        (Err(failed), None) => Err(failed),
                    });
                });
                (reply, failed)
            })
        };
        self.worker.ask(boxed).await
    }
}

fn run(connection: &Connection, received: &Receiver<Work>) {
    while let Ok(first) = received.recv() {
        let batch: Vec<Work> =
            std::iter::once(first).chain(received.try_iter()).take(limits::COMMITS_GROUPED_MAX).collect();
        let (replies, broken) = run_group(connection, batch);
        for reply in replies {
            reply(broken.clone());
        }
    }
}

/// Runs a group in one transaction; why it failed as a whole, if it did.
fn run_group(connection: &Connection, batch: Vec<Work>) -> (Vec<Reply>, Option<StoreErrorKind>) {
    let mut broken = connection.execute_batch("BEGIN IMMEDIATE").err().as_ref().map(kind_of);
    let mut replies = Vec::with_capacity(batch.len());
    for work in batch {
        let (reply, failed) = work(connection);
        replies.push(reply);
        // A full disk, a broken file or a statement's own `OR ROLLBACK` rolls back the whole transaction, the earlier work
        // with it.
        if broken.is_none() && connection.is_autocommit() {
            let why = || StoreErrorKind::Other("a statement rolled the whole transaction back".to_owned());
            broken = Some(failed.unwrap_or_else(why));
        }
    }
    if broken.is_none() {
        broken = connection.execute_batch("COMMIT").err().as_ref().map(kind_of);
    }
    if !connection.is_autocommit() {
        drop(connection.execute_batch("ROLLBACK"));
    }
    (replies, broken)
}

fn in_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<Then<T>, Failed>,
) -> Result<Then<T>, Failed> {
    if connection.is_autocommit() {
        // The group's transaction could not begin or is gone; the group's own error is what the asker hears.
        return Err(Failed::Kind(StoreErrorKind::Other("no transaction is open".to_owned())));
    }
    connection.prepare_cached("SAVEPOINT jadpo_work")?.execute([])?;
    let result = work(connection);
    match &result {
        Ok(Then::Keep(_)) => {
            connection.prepare_cached("RELEASE jadpo_work")?.execute([])?;
        }
        // Where the whole transaction was rolled back, so was this.
        Ok(Then::Undo(_)) | Err(_) if connection.is_autocommit() => {}
        Ok(Then::Undo(_)) | Err(_) => {
            connection.execute_batch("ROLLBACK TO jadpo_work; RELEASE jadpo_work")?;
        }
    }
    result
}
