//! The one thread that writes: commits grouped in one transaction, each in its own savepoint.
//!
//! What waits while a transaction commits goes into the next one together, so a burst costs few commits and a single
//! write waits for nobody.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rusqlite::Connection;

use super::failed::{Failed, kind_of};
use super::reply::reply;
use crate::limits;
use crate::outside::Outside;
use crate::store::{StoreError, StoreErrorKind};

/// What becomes of one piece of work's writes when the work itself went well.
pub enum Then<T> {
    /// They are kept.
    Keep(T),
    /// They are undone, and this is the answer.
    Undo(T),
}

/// The writing thread; it ends when the writer is dropped, after what it was given.
#[derive(Debug)]
pub struct Writer {
    store: String,
    work: Option<Sender<Work>>,
    thread: Option<JoinHandle<()>>,
    outside: Outside,
    asked: AtomicU64,
}

/// Runs inside a savepoint and gives what tells the asker once the transaction has ended, with what failed if it did.
type Work = Box<dyn FnOnce(&Connection) -> (Reply, Option<StoreErrorKind>) + Send>;

/// Given why the transaction failed as a whole, if it did.
type Reply = Box<dyn FnOnce(Option<StoreErrorKind>) + Send>;

impl Writer {
    /// A thread of its own over the connection.
    pub fn start(store: &str, connection: Connection, outside: Outside) -> std::io::Result<Writer> {
        let (work, received) = channel();
        let thread = std::thread::Builder::new()
            .name(format!("jadpo write {store}"))
            .spawn(move || run(&connection, &received))?;
        Ok(Writer {
            store: store.to_owned(),
            work: Some(work),
            thread: Some(thread),
            outside,
            asked: AtomicU64::new(0),
        })
    }

    /// How much work it was handed so far.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Hands work to the thread and waits until it is committed or undone.
    pub async fn write<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<Then<T>, Failed> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = reply();
        let guard = self.outside.begin();
        let boxed: Work = Box::new(move |connection| {
            let result = in_savepoint(connection, work);
            let failed = result.as_ref().err().map(Failed::kind);
            let reply: Reply = Box::new(move |broken| {
                let result = match broken {
                    Some(kind) => Err(Failed::Kind(kind)),
                    None => result,
                };
                // Whoever asked may have gone, as a body that was stopped; the work is committed all the same.
                answer.send(result);
                drop(guard);
            });
            (reply, failed)
        });
        let closed = || Failed::Kind(StoreErrorKind::Closed).of_store(&self.store);
        let work = self.work.as_ref().expect("the sender goes only when the writer is dropped");
        work.send(boxed).map_err(|_| closed())?;
        answered.await.ok_or_else(closed)?.map_err(|failed| failed.of_store(&self.store))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Closing the channel ends the thread after what is queued; waiting for it lets the file be closed whole.
        self.work = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
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
        // A full disk or a broken file makes the engine roll the whole transaction back, the earlier work with it.
        if broken.is_none() && connection.is_autocommit() {
            let why = || StoreErrorKind::Other("the engine rolled the transaction back".to_owned());
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
) -> Result<T, Failed> {
    if connection.is_autocommit() {
        // The group's transaction could not begin or is gone; the group's own error is what the asker hears.
        return Err(Failed::Kind(StoreErrorKind::Other("no transaction is open".to_owned())));
    }
    connection.prepare_cached("SAVEPOINT jadpo_work")?.execute([])?;
    match work(connection) {
        Ok(Then::Keep(value)) => {
            connection.prepare_cached("RELEASE jadpo_work")?.execute([])?;
            Ok(value)
        }
        Ok(Then::Undo(value)) => undo(connection).map(|()| value),
        Err(failed) => {
            if !connection.is_autocommit() {
                undo(connection)?;
            }
            Err(failed)
        }
    }
}

fn undo(connection: &Connection) -> Result<(), Failed> {
    connection.execute_batch("ROLLBACK TO jadpo_work; RELEASE jadpo_work")?;
    Ok(())
}
