//! The threads that read: what is committed, beside the writer and never waiting for it.
//!
//! The loop has one of its own, and the app the rest, so that no query of the app's, however long, holds the loop up.

use rusqlite::Connection;

use super::failed::Failed;
use super::worker::{Asker, Worker};
use crate::store::{Place, Runs, StoreError};

/// Reading threads over connections that can't write.
#[derive(Debug)]
pub struct Reader {
    workers: Vec<Worker<Work>>,
}

type Work = Box<dyn FnOnce(&Connection) + Send>;

impl Reader {
    /// A thread of its own over each of the connections.
    pub fn start(store: &Place, connections: Vec<Connection>, runs: Runs) -> std::io::Result<Reader> {
        let start = |connection: Connection| {
            let run = move |received: &std::sync::mpsc::Receiver<Work>| {
                while let Ok(work) = received.recv() {
                    work(&connection);
                }
            };
            Worker::start(store.clone(), "read", runs, Box::new(run))
        };
        Ok(Reader { workers: connections.into_iter().map(start).collect::<Result<_, _>>()? })
    }

    /// How much work it was handed so far.
    pub fn asked(&self) -> u64 {
        self.workers.iter().map(Worker::asked).sum()
    }

    /// Hands work to the thread that has least to do and waits for what it read.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, StoreError> {
        let boxed = |asker: Asker<T>| -> Work { Box::new(move |connection| asker.answer(work(connection))) };
        let worker = self.workers.iter().min_by_key(|worker| worker.pending());
        worker.expect("a reader is started over at least one connection").ask(boxed).await
    }
}
