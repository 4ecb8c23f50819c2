//! A thread of its own over one connection, and how it is asked: SQLite blocks, and no executor may.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rusqlite::Connection;

use super::failed::Failed;
use super::reply::{Answerer, reply};
use crate::outside::{Guard, Outside};
use crate::store::{Place, StoreError, StoreErrorKind};

/// A thread that does work of the kind `W`; it ends when this is dropped, after what it was given.
pub struct Worker<W> {
    store: Place,
    work: Option<Sender<W>>,
    thread: Option<JoinHandle<()>>,
    outside: Outside,
    asked: AtomicU64,
}

/// How a piece of work answers whoever asked for it.
pub struct Asker<T> {
    answer: Answerer<Result<T, Failed>>,
    /// The work counts as pending until its asker can see the answer.
    pending: Guard,
}

impl<W: Send + 'static> Worker<W> {
    /// A thread over the connection; `what` it does is in its name.
    pub fn start(
        store: Place,
        what: &str,
        connection: Connection,
        outside: Outside,
        run: fn(&Connection, &Receiver<W>),
    ) -> std::io::Result<Worker<W>> {
        let (work, received) = channel();
        let thread = std::thread::Builder::new()
            .name(format!("jadpo {what} {}", store.name))
            .spawn(move || run(&connection, &received))?;
        Ok(Worker { store, work: Some(work), thread: Some(thread), outside, asked: AtomicU64::new(0) })
    }

    /// How much work it was handed so far.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// Hands work to the thread and waits until it was answered.
    pub async fn ask<T>(&self, work: impl FnOnce(Asker<T>) -> W) -> Result<T, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = reply();
        let work = work(Asker { answer, pending: self.outside.begin() });
        let sender = self.work.as_ref().expect("the sender goes only when the worker is dropped");
        // A thread that is gone drops the work, and with it the asker, which answers nothing.
        let _ = sender.send(work);
        let answer = answered.await.unwrap_or(Err(Failed::Kind(StoreErrorKind::Closed)));
        answer.map_err(|failed| StoreError { store: self.store.clone(), kind: failed.kind() })
    }
}

impl<W> fmt::Debug for Worker<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worker")
            .field("store", &self.store)
            .field("asked", &self.asked)
            .finish_non_exhaustive()
    }
}

impl<W> Drop for Worker<W> {
    fn drop(&mut self) {
        // Closing the channel ends the thread after what is queued; waiting for it lets the file be closed whole.
        self.work = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

impl<T> Asker<T> {
    /// Answers. Whoever asked may have gone, as a body that was stopped; then nobody hears it.
    pub fn answer(self, result: Result<T, Failed>) {
        self.answer.send(result);
        drop(self.pending);
    }
}
