//! Where a store's work on its connections is done: a thread of the store's own with a small executor.
//!
//! Whoever asks may run on any executor, or on none at the start, and may go away in the middle: what was begun is brought
//! to its end all the same, so no connection goes back to the pool with half a transaction in it.

use std::future::Future;
use std::thread::JoinHandle;

use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// A thread with an executor on it; dropping it ends both.
#[derive(Debug)]
pub struct Executor {
    handle: Handle,
    /// Both are gone once it is dropped.
    thread: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Executor {
    /// Starts the thread; `name` is what it is called.
    pub fn start(name: String) -> std::io::Result<Executor> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let handle = runtime.handle().clone();
        let (end, ended) = oneshot::channel::<()>();
        let thread = std::thread::Builder::new().name(name).spawn(move || {
            // Told to end, or whoever could tell it is gone; both mean the same.
            drop(runtime.block_on(ended));
        })?;
        Ok(Executor { handle, thread: Some((end, thread)) })
    }

    /// What spawns on it.
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Runs work on it and waits for what it gives; `None` when the thread is gone.
    pub async fn run<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> Option<T> {
        self.handle.spawn(work).await.ok()
    }

    /// The same for one that may block its thread, as a start may.
    pub fn run_blocking<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Option<T> {
        let (answer, answered) = std::sync::mpsc::channel();
        self.handle.spawn(async move {
            // Nobody can be gone who waits below.
            drop(answer.send(work.await));
        });
        answered.recv().ok()
    }
}

impl Drop for Executor {
    fn drop(&mut self) {
        let Some((end, thread)) = self.thread.take() else { return };
        drop(end);
        // The last one who held the store may have been a task of this very executor, which can't wait for its own end.
        if thread.thread().id() != std::thread::current().id() {
            drop(thread.join());
        }
    }
}
