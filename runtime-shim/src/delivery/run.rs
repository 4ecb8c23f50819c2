//! Runs a claimed delivery for the loop, which hears that its worker is free, whatever happened.

use super::{Attempt, AttemptEnd};
use crate::notes::{Left, Note};

/// Runs a delivery and tells the loop what there is to do next.
pub async fn run(attempt: Attempt) {
    let mut freed = Freed { attempt, left: Left::Nothing };
    let end = freed.attempt.run().await;
    freed.left = match end {
        AttemptEnd::Back(back) => Left::Back(back),
        AttemptEnd::Bare => Left::Done(freed.attempt.claimed.held()),
        AttemptEnd::Done(..) | AttemptEnd::Pending | AttemptEnd::Failed => Left::Nothing,
    };
}

/// Leaves the note when it is dropped, so that no panic keeps a worker.
struct Freed {
    attempt: Attempt,
    left: Left,
}

impl Drop for Freed {
    fn drop(&mut self) {
        let Attempt { engine, open, claimed, .. } = &mut self.attempt;
        let (store, subscriber) = (std::mem::take(&mut open.name), std::mem::take(&mut claimed.subscriber));
        let left = std::mem::replace(&mut self.left, Left::Nothing);
        engine.notes.leave(Note::Freed { store, held: claimed.held(), subscriber, left });
    }
}
