//! The thread that reads: what is committed, beside the writer and never waiting for it.

use std::sync::mpsc::Receiver;

use rusqlite::Connection;

use super::failed::Failed;
use super::worker::Worker;
use crate::store::{Place, Runs, StoreError};

/// The reading thread, over a connection that can't write.
#[derive(Debug)]
pub struct Reader {
    worker: Worker<Work>,
}

type Work = Box<dyn FnOnce(&Connection) + Send>;

impl Reader {
    /// A thread of its own over the connection.
    pub fn start(store: Place, connection: Connection, runs: Runs) -> std::io::Result<Reader> {
        Ok(Reader { worker: Worker::start(store, "read", connection, runs, run)? })
    }

    /// How much work it was handed so far.
    pub fn asked(&self) -> u64 {
        self.worker.asked()
    }

    /// Hands work to the thread and waits for what it read.
    pub async fn read<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, Failed> + Send + 'static,
    ) -> Result<T, StoreError> {
        let boxed = |asker: super::worker::Asker<T>| -> Work {
            Box::new(move |connection| asker.answer(work(connection)))
        };
        self.worker.ask(boxed).await
    }
}

fn run(connection: &Connection, received: &Receiver<Work>) {
    while let Ok(work) = received.recv() {
        work(connection);
    }
}
