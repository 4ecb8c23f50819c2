//! How a thread answers the future that asked it: once, or never when the thread is gone.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

/// The thread's side.
pub struct Answerer<T> {
    cell: Arc<Cell<T>>,
}

/// The asker's side; `None` when the answerer was dropped without an answer.
pub struct Answered<T> {
    cell: Arc<Cell<T>>,
}

struct Cell<T> {
    state: Mutex<State<T>>,
}

struct State<T> {
    answer: Option<T>,
    gone: bool,
    waker: Option<Waker>,
}

/// A pair of sides.
pub fn reply<T>() -> (Answerer<T>, Answered<T>) {
    let cell = Arc::new(Cell { state: Mutex::new(State { answer: None, gone: false, waker: None }) });
    (Answerer { cell: cell.clone() }, Answered { cell })
}

impl<T> Answerer<T> {
    /// Answers; nobody hears it where the asker is gone.
    pub fn send(self, answer: T) {
        self.cell.lock().answer = Some(answer);
    }
}

impl<T> Drop for Answerer<T> {
    fn drop(&mut self) {
        let mut state = self.cell.lock();
        state.gone = true;
        let waker = state.waker.take();
        drop(state);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> Future for Answered<T> {
    type Output = Option<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<T>> {
        let mut state = self.cell.lock();
        if state.gone {
            return Poll::Ready(state.answer.take());
        }
        state.waker = Some(context.waker().clone());
        Poll::Pending
    }
}

impl<T> Cell<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // Nothing panics while it is held, so a poisoned lock still holds a whole state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
