//! What ticks start: each piece once at a time, and a bounded number of them at once.

use std::collections::BTreeSet;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::{Either, select};

use crate::call::Slots;
use crate::engine::Engine;
use crate::limits;

/// The pieces that run or wait for their turn; clones are the same.
#[derive(Clone, Debug)]
pub struct Pieces {
    /// In the order they were started.
    turns: Slots,
    names: Arc<Names>,
}

#[derive(Debug, Default)]
struct Names(Mutex<BTreeSet<String>>);

impl Default for Pieces {
    fn default() -> Pieces {
        Pieces { turns: Slots::new(Some(limits::PIECES_AT_ONCE_MAX)), names: Arc::default() }
    }
}

impl Pieces {
    /// Starts a piece beside the others, and says so; one of this name that still runs is skipped.
    pub fn start(
        &self,
        engine: &Arc<Engine>,
        name: &str,
        piece: impl Future<Output = ()> + Send + 'static,
    ) -> bool {
        if !self.names.lock().insert(name.to_owned()) {
            tracing::debug!(piece = name, "still running");
            return false;
        }
        let started = Started { names: self.names.clone(), name: name.to_owned() };
        let (turn, stop) = (self.turns.take(None), engine.stop.clone());
        engine.spawn(async move {
            let slot = match select(pin!(stop.asked()), turn).await {
                Either::Left(_) => return,
                Either::Right((slot, _)) => slot,
            };
            if !stop.is_asked() {
                piece.await;
            }
            drop(slot);
            drop(started);
        });
        true
    }
}

/// Takes the name off when it is dropped, so that a panic skips no later tick.
struct Started {
    names: Arc<Names>,
    name: String,
}

impl Drop for Started {
    fn drop(&mut self) {
        self.names.lock().remove(&self.name);
    }
}

impl Names {
    fn lock(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
