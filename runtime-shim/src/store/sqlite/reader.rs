//! The thread that reads: what is committed, beside the writer and never waiting for it.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use rusqlite::Connection;

use super::failed::Failed;
use super::reply::reply;
use crate::outside::Outside;
use crate::store::{StoreError, StoreErrorKind};

/// The reading thread; it ends when the reader is dropped.
#[derive(Debug)]
pub struct Reader {
    store: String,
    work: Option<Sender<Work>>,
    thread: Option<JoinHandle<()>>,
    outside: Outside,
    asked: AtomicU64,
}

type Work = Box<dyn FnOnce(&Connection) + Send>;

impl Reader {
    /// A thread of its own over a connection that can't write.
    pub fn start(store: &str, connection: Connection, outside: Outside) -> std::io::Result<Reader> {
        let (work, received) = channel();
        let thread = std::thread::Builder::new()
            .name(format!("jadpo read {store}"))
            .spawn(move || run(&connection, &received))?;
        Ok(Reader {
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

    /// Hands work to the thread and waits for what it read.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = reply();
        let guard = self.outside.begin();
        let boxed: Work = Box::new(move |connection| {
            answer.send(work(connection));
            drop(guard);
        });
        let closed = || Failed::Kind(StoreErrorKind::Closed).of_store(&self.store);
        let work = self.work.as_ref().expect("the sender goes only when the reader is dropped");
        work.send(boxed).map_err(|_| closed())?;
        answered.await.ok_or_else(closed)?.map_err(|failed| failed.of_store(&self.store))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.work = None;
        if let Some(thread) = self.thread.take() {
            drop(thread.join());
        }
    }
}

fn run(connection: &Connection, received: &Receiver<Work>) {
    while let Ok(work) = received.recv() {
        work(connection);
    }
}
