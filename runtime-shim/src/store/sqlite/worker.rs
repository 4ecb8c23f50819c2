//! The one who works on a connection, and how it is asked. SQLite blocks, and no executor may, so it has a thread of its
//! own; only in virtual time, where a race would make each run another, it works where it is asked.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;
use std::thread::JoinHandle;

use super::failed::Failed;
use super::reply::{Answerer, reply};
use crate::store::{Place, Runs, StoreError, StoreErrorKind};

/// Does work of the kind `W`; dropping it waits for what it was given.
pub struct Worker<W> {
    store: Place,
    way: Way<W>,
    asked: AtomicU64,
    answered: Arc<AtomicU64>,
}

/// Where it works.
enum Way<W> {
    /// Both are gone once it is dropped.
    Thread(Option<(Sender<W>, JoinHandle<()>)>),
    Here(Mutex<Run<W>>),
}

/// Works until nobody can hand it anything more.
pub type Run<W> = Box<dyn FnMut(&Receiver<W>) + Send>;

/// How a piece of work answers whoever asked for it.
pub struct Asker<T> {
    answer: Answerer<Result<T, Failed>>,
    /// Counts it off, also where it never answers.
    _ends: CountOff,
}

struct CountOff(Arc<AtomicU64>);

impl<W: Send + 'static> Worker<W> {
    /// Works by `run`, which has the connection; `what` it does is in its thread's name.
    pub fn start(store: Place, what: &str, runs: Runs, mut run: Run<W>) -> std::io::Result<Worker<W>> {
        let way = match runs {
            Runs::InOrder => Way::Here(Mutex::new(run)),
            Runs::OnThreads => {
                let (work, received) = channel();
                let thread = std::thread::Builder::new()
                    .name(format!("jadpo {what} {}", store.name))
                    .spawn(move || run(&received))?;
                Way::Thread(Some((work, thread)))
            }
        };
        Ok(Worker { store, way, asked: AtomicU64::new(0), answered: Arc::default() })
    }

    /// How much work it was handed so far.
    pub fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// How much of it was not answered yet.
    pub fn pending(&self) -> u64 {
        self.asked().saturating_sub(self.answered.load(Ordering::Relaxed))
    }

    /// Hands it work and waits until that was answered.
    pub async fn ask<T>(&self, work: impl FnOnce(Asker<T>) -> W) -> Result<T, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        if matches!(self.way, Way::Here(_)) {
            others_first().await;
        }
        let (answer, answered) = reply();
        self.hand(work(Asker { answer, _ends: CountOff(self.answered.clone()) }));
        let answer = answered.await.unwrap_or(Err(Failed::Kind(StoreErrorKind::Closed)));
        answer.map_err(|failed| StoreError { store: self.store.clone(), kind: failed.kind() })
    }

    /// Hands it work that nobody waits for.
    pub fn hand(&self, work: W) {
        match &self.way {
            // A thread that is gone drops the work, and with it the asker, which answers nothing.
            Way::Thread(thread) => drop(thread.as_ref().map(|(sender, _)| sender.send(work))),
            Way::Here(run) => {
                let (sender, received) = channel();
                drop(sender.send(work));
                drop(sender);
                run.lock().unwrap_or_else(PoisonError::into_inner)(&received);
            }
        }
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
        if let Way::Thread(thread) = &mut self.way
            && let Some((sender, thread)) = thread.take()
        {
            // Closing the channel ends the thread after what is queued; waiting for it lets the file be closed whole.
            drop(sender);
            drop(thread.join());
        }
    }
}

/// Lets what else is ready run, as it would while a thread works.
async fn others_first() {
    let mut waited = false;
    std::future::poll_fn(|context| {
        if std::mem::replace(&mut waited, true) {
            return Poll::Ready(());
        }
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

impl Drop for CountOff {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }
}

impl<T> Asker<T> {
    /// Answers. Whoever asked may have gone, as a body that was stopped; then nobody hears it.
    pub fn answer(self, result: Result<T, Failed>) {
        self.answer.send(result);
    }
}
