//! Counts the tasks that run, so that a stop can wait for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use event_listener::Event;

/// The tasks of one app; clones count together.
#[derive(Clone, Debug, Default)]
pub struct Tasks {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    running: AtomicUsize,
    ended: Event,
}

/// A running task; however it ends, dropping this counts it off.
#[derive(Debug)]
pub struct Running {
    shared: Arc<Shared>,
}

impl Tasks {
    /// Counts a task from before it is handed to the host, so that none is missed in between.
    pub fn begin(&self) -> Running {
        self.shared.running.fetch_add(1, Ordering::SeqCst);
        Running { shared: self.shared.clone() }
    }

    /// How many run.
    pub fn running(&self) -> usize {
        self.shared.running.load(Ordering::SeqCst)
    }

    /// Ends once none runs.
    pub async fn all_ended(&self) {
        loop {
            let listener = self.shared.ended.listen();
            if self.running() == 0 {
                return;
            }
            listener.await;
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.shared.running.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.shared.ended.notify(usize::MAX);
        }
    }
}
