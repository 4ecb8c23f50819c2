//! What is done is written beside the loop where the store can do that, so that no claim waits until the disk has it.

use std::sync::Arc;

use super::lane::Lane;
use crate::engine::Engine;
use crate::instance;
use crate::notes::Note;
use crate::open_store::OpenStore;
use crate::store::{ClaimDeliveries, Held, StoreError};

impl Lane {
    /// Has what is done written beside the loop, where the store can do that. What ends meanwhile goes together next.
    pub(super) fn settle_apart(&mut self, engine: &Arc<Engine>) {
        let asleep = self.open.settles.asleep_ms(engine.host.monotonic_us()).is_some();
        if !self.open.store.settles_apart() || asleep || !self.settling.may_begin() {
            return;
        }
        let now_ms = engine.now_ms();
        let settle = ClaimDeliveries {
            now_ms,
            token: instance::new_token(&*engine.host),
            instance: engine.instance,
            until_ms: now_ms,
            wanted: Vec::new(),
            at_most: 0,
            hear: false,
            done: self.settling.begin(false),
        };
        let apart = Apart { engine: engine.clone(), open: self.open.clone(), fenced: None };
        engine.spawn(apart.settle(settle));
    }

    /// What was to be written beside the loop is, or is to be written again.
    pub(super) fn settled_apart(&mut self, engine: &Engine, fenced: Option<Result<Vec<Held>, StoreError>>) {
        match self.open.heed_settled(engine, fenced) {
            Some(fenced) => self.done(engine, &fenced),
            None => self.settling.failed(),
        }
    }
}

/// What is written beside the loop. Leaves the note when it is dropped, so that no panic keeps the lane waiting for it.
struct Apart {
    engine: Arc<Engine>,
    open: OpenStore,
    /// `None` until the store has answered.
    fenced: Option<Result<Vec<Held>, StoreError>>,
}

impl Apart {
    async fn settle(mut self, settle: ClaimDeliveries) {
        let settled = self.open.store.claim_deliveries(settle).await;
        self.fenced = Some(settled.map(|settled| settled.fenced));
    }
}

impl Drop for Apart {
    fn drop(&mut self) {
        let store = std::mem::take(&mut self.open.name);
        self.engine.notes.leave(Note::Settled { store, fenced: self.fenced.take() });
    }
}

#[cfg(test)]
#[cfg(feature = "sqlite")]
mod tests {
    use super::*;
    use crate::trial::{Trial, fine};

    #[test]
    fn a_write_that_breaks_off_tells_its_lane() {
        let trial = Trial::new(|_| {});
        let instance = trial.start(1, fine);
        let (engine, open) = (instance.engine.clone(), instance.open());
        drop(Apart { engine: engine.clone(), open, fenced: None });
        assert_eq!(engine.notes.take(), [Note::Settled { store: "main".to_owned(), fenced: None }]);
    }
}
