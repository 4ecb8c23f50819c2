//! Runs a claimed delivery for the loop, which hears that its worker is free, whatever happened.

use std::sync::Arc;

use super::{Attempt, AttemptEnd};
use crate::engine::Engine;
use crate::notes::{Left, Note};

/// Runs a delivery and tells the loop what there is to do next.
pub async fn run(attempt: Attempt) {
    let mut freed = Freed {
        engine: attempt.engine.clone(),
        store: attempt.open.name.clone(),
        delivery: attempt.claimed.id,
        subscriber: attempt.claimed.subscriber.clone(),
        left: Left::Nothing,
    };
    freed.left = match attempt.run().await {
        AttemptEnd::Back(back) => Left::Back(back),
        AttemptEnd::Bare => Left::Done(attempt.claimed.held()),
        AttemptEnd::Done(..) | AttemptEnd::Pending | AttemptEnd::Failed => Left::Nothing,
    };
}

/// Leaves the note when it is dropped, so that no panic keeps a worker.
struct Freed {
    engine: Arc<Engine>,
    store: String,
    delivery: i64,
    subscriber: String,
    left: Left,
}

impl Drop for Freed {
    fn drop(&mut self) {
        let (store, subscriber) = (std::mem::take(&mut self.store), std::mem::take(&mut self.subscriber));
        let (delivery, left) = (self.delivery, std::mem::replace(&mut self.left, Left::Nothing));
        self.engine.notes.leave(Note::Freed { store, delivery, subscriber, left });
    }
}
