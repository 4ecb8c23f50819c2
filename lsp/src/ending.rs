//! How a session ends: whether the editor asked for it, and the signal that wakes the reader of its messages.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

/// The end of one session, shared by all who may bring it about.
#[derive(Debug, Default)]
pub struct Ending {
    /// The editor sent `shutdown`.
    asked: AtomicBool,
    /// Nothing more is to be read.
    ended: AtomicBool,
    /// Who waits for the end.
    reader: Mutex<Option<Waker>>,
}

impl Ending {
    /// The editor asked for a shutdown.
    pub fn ask(&self) {
        self.asked.store(true, Ordering::Release);
    }

    /// Whether the editor asked for a shutdown.
    pub fn was_asked_for(&self) -> bool {
        self.asked.load(Ordering::Acquire)
    }

    /// Nothing more is to be read.
    pub fn end(&self) {
        self.ended.store(true, Ordering::Release);
        if let Some(reader) = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take() {
            reader.wake();
        }
    }

    /// Ready once nothing more is to be read.
    pub fn poll_end(&self, cx: &Context<'_>) -> Poll<()> {
        // The waker is left before the look, so that an end in between is not missed.
        *self.reader.lock().unwrap_or_else(PoisonError::into_inner) = Some(cx.waker().clone());
        if self.ended.load(Ordering::Acquire) { Poll::Ready(()) } else { Poll::Pending }
    }
}
