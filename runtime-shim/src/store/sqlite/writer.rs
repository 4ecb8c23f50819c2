//! The one who writes: commits grouped in one transaction, each in its own savepoint.
//!
//! What waits while a transaction commits goes into the next one together, so a burst costs few commits and a single
//! write waits for nobody.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rusqlite::Connection;

use super::failed::{Failed, kind_of};
use super::session::{Session, SessionWork};
use super::turns::{Task, Turns};
use super::worker::{Asker, Worker};
use crate::store::{Fence, Place, Runs, StoreError, StoreErrorKind};

/// What becomes of one piece of work's writes when the work itself went well.
pub enum Then<T> {
    /// They are kept.
    Keep(T),
    /// They are undone, and this is the answer.
    Undo(T),
}

/// The writing thread.
#[derive(Clone, Debug)]
pub struct Writer {
    worker: Arc<Worker<Task>>,
    /// How many transactions were asked for so far.
    sessions: Arc<AtomicU64>,
    /// How long a body may hold one open, ms.
    pub transaction_ms: u64,
}

/// Runs in the group's transaction and gives what tells the asker once that has ended, with what failed if it did.
pub type Work = Box<dyn FnOnce(&Connection) -> (Reply, Option<StoreErrorKind>) + Send>;

/// Given why the transaction failed as a whole, if it did.
type Reply = Box<dyn FnOnce(Option<StoreErrorKind>) + Send>;

impl Writer {
    /// A thread of its own over the connection.
    pub fn start(
        store: Place,
        connection: Connection,
        runs: Runs,
        transaction_ms: u64,
    ) -> std::io::Result<Writer> {
        let mut turns = Turns::new(connection, (runs == Runs::OnThreads).then_some(transaction_ms));
        let run = Box::new(move |received: &_| turns.run(received));
        let worker = Arc::new(Worker::start(store, "write", runs, run)?);
        Ok(Writer { worker, sessions: Arc::default(), transaction_ms })
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
        self.grouped(|connection| in_savepoint(connection, work)).await
    }

    /// The same for work whose statements are each kept or undone alone, which needs no savepoint.
    pub async fn write_alone<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.grouped(|connection| in_transaction(connection).and_then(|()| work(connection)).map(Then::Keep))
            .await
    }

    async fn grouped<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<Then<T>, Failed> + Send + 'static,
    ) -> Result<T, StoreError> {
        let boxed = |asker: Asker<T>| {
            Task::Grouped(Box::new(move |connection: &Connection| {
                let result = work(connection);
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
            }))
        };
        self.worker.ask(boxed).await
    }

    /// Opens a session, if the fence lets it, once those before it have ended.
    pub async fn open(&self, fence: Fence) -> Result<Session, StoreError> {
        let id = self.sessions.fetch_add(1, Ordering::Relaxed);
        // Dropping the session ends it, also while it waits for its turn.
        let mut session = Session::new(self.clone(), id);
        session.refused = self.worker.ask(|asker| Task::Open { session: id, fence, asker }).await?.err();
        Ok(session)
    }

    /// Hands a session's work to the thread and waits for its answer.
    pub async fn in_session<T>(
        &self,
        session: u64,
        work: impl FnOnce(Asker<T>) -> SessionWork,
    ) -> Result<T, StoreError> {
        self.worker.ask(|asker| Task::InSession { session, work: work(asker) }).await
    }

    /// Rolls a session back that is open, or waits for its turn.
    pub fn close(&self, session: u64) {
        self.worker.hand(Task::Close { session });
    }
}

/// Runs a group in one transaction and answers each.
pub fn run_group(connection: &Connection, group: Vec<Work>) {
    let mut broken = run_statement(connection, "BEGIN IMMEDIATE").err().as_ref().map(kind_of);
    let mut replies = Vec::with_capacity(group.len());
    for work in group {
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
        broken = run_statement(connection, "COMMIT").err().as_ref().map(kind_of);
    }
    if !connection.is_autocommit() {
        drop(connection.execute_batch("ROLLBACK"));
    }
    for reply in replies {
        reply(broken.clone());
    }
}

/// The group's transaction could not begin or is gone; the group's own error is what the asker hears.
fn in_transaction(connection: &Connection) -> Result<(), Failed> {
    if connection.is_autocommit() {
        return Err(Failed::Kind(StoreErrorKind::Other("no transaction is open".to_owned())));
    }
    Ok(())
}

fn in_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<Then<T>, Failed>,
) -> Result<Then<T>, Failed> {
    in_transaction(connection)?;
    run_statement(connection, "SAVEPOINT jadpo_work")?;
    let result = work(connection);
    match &result {
        Ok(Then::Keep(_)) => run_statement(connection, "RELEASE jadpo_work")?,
        // Where the whole transaction was rolled back, so was this.
        Ok(Then::Undo(_)) | Err(_) if connection.is_autocommit() => {}
        Ok(Then::Undo(_)) | Err(_) => {
            connection.execute_batch("ROLLBACK TO jadpo_work; RELEASE jadpo_work")?;
        }
    }
    result
}

/// Runs one statement that takes nothing and gives nothing back.
pub fn run_statement(connection: &Connection, sql: &str) -> rusqlite::Result<()> {
    connection.prepare_cached(sql)?.execute([])?;
    Ok(())
}
