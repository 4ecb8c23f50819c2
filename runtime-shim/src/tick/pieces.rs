//! What ticks start: each piece once at a time, and a bounded number of them at once.
//!
//! Pieces wait for their turn in lines, so that those which a connection holds back hold back only their own.

use std::collections::{BTreeMap, BTreeSet};
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::future::{Either, select};

use crate::call::Slots;
use crate::engine::Engine;
use crate::limits;

/// The pieces that run or wait for their turn; clones are the same.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    /// The turns of each line, taken in the order in which its pieces were started. A plan has a fixed number of lines.
    lines: Arc<Mutex<BTreeMap<Line, Slots>>>,
    names: Arc<Names>,
}

/// Those pieces that wait for one another.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// The polls of a connection.
    Polls(String),
    /// The schedules whose actions call through these connections.
    Schedules(Vec<String>),
    /// What else is done over a store: a few pieces, which never wait.
    Store(String),
}

#[derive(Debug, Default)]
struct Names(Mutex<BTreeSet<String>>);

impl Line {
    /// How many of its pieces run at once. No more polls are claimed than their connection has slots for, so that what
    /// waits behind it is claimed when its call can start.
    fn at_once(&self, engine: &Engine) -> u64 {
        let cap = match self {
            Line::Polls(connection) => engine.connections.get(connection).and_then(|one| one.slots().cap),
            Line::Schedules(_) | Line::Store(_) => None,
        };
        cap.unwrap_or(u64::MAX).min(limits::PIECES_AT_ONCE_MAX)
    }
}

impl Pieces {
    /// Starts a piece beside the others, and says so; one of this name that still runs is skipped.
    pub fn start(
        &self,
        engine: &Arc<Engine>,
        line: Line,
        name: &str,
        piece: impl Future<Output = ()> + Send + 'static,
    ) -> bool {
        if !self.names.lock().insert(name.to_owned()) {
            tracing::debug!(piece = name, "still running");
            return false;
        }
        let started = Started { names: self.names.clone(), name: name.to_owned() };
        let (turn, stop) = (self.turns(line, engine).take(None), engine.stop.clone());
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

    fn turns(&self, line: Line, engine: &Engine) -> Slots {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(turns) = lines.get(&line) {
            return turns.clone();
        }
        let turns = Slots::new(Some(line.at_once(engine)));
        lines.insert(line, turns.clone());
        turns
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
