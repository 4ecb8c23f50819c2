//! Pieces of work that somebody waits for: who runs one tells here how it ended, and what it set off is waited for too.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use event_listener::{Event, EventListener};

use crate::limits;
use crate::store::{ClaimedDelivery, SetOff};

/// A piece of deferred work, by its record.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Piece {
    /// A delivery.
    Delivery {
        /// The store that its record is in.
        store: String,
        /// Its id there.
        id: i64,
    },
    /// A run of a batch or a backfill.
    Run {
        /// The store that its record is in.
        store: String,
        /// Its id there.
        id: i64,
    },
}

/// How a piece ended for good.
#[derive(Clone, Copy, Debug)]
pub enum PieceEnd<'a> {
    /// It is done.
    Done {
        /// The store that its boundary was committed in.
        store: &'a str,
        /// What that set off.
        set_off: &'a [SetOff],
    },
    /// It has failed.
    Failed,
}

/// What this process's waits have in common. Pieces that another process ends are never told here.
#[derive(Debug, Default)]
pub struct Watched {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    waits: BTreeMap<Piece, Weak<Shared>>,
    /// How many waits there are.
    waiting: usize,
    /// Pieces that ended with nobody to tell, the latest last: the loop may be done with one before its wait has begun.
    recent: VecDeque<(Piece, Ended)>,
}

/// The same as [`PieceEnd`], kept.
#[derive(Clone, Debug)]
enum Ended {
    Done(String, Vec<SetOff>),
    Failed,
}

/// A wait for some pieces and for all that they set off.
#[derive(Debug)]
pub struct Wait<'w> {
    watched: &'w Watched,
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    state: Mutex<State>,
    changed: Event,
}

#[derive(Debug, Default)]
struct State {
    pending: BTreeSet<Piece>,
    failed: u64,
    /// Claimed for this wait, and to be run by it, with the store of each.
    to_run: Vec<(String, ClaimedDelivery)>,
}

impl Watched {
    /// A wait, which waits for nothing yet. It must begin before the commit whose pieces it waits for.
    pub fn wait(&self) -> Wait<'_> {
        self.lock().waiting += 1;
        Wait { watched: self, shared: Arc::default() }
    }

    /// Whether anybody waits for anything.
    pub fn has_waits(&self) -> bool {
        self.lock().waiting > 0
    }

    /// A piece ended for good.
    pub fn ended(&self, piece: &Piece, end: &PieceEnd<'_>) {
        let mut inner = self.lock();
        if inner.waiting == 0 {
            return;
        }
        let end = match *end {
            PieceEnd::Done { store, set_off } => Ended::Done(store.to_owned(), set_off.to_vec()),
            PieceEnd::Failed => Ended::Failed,
        };
        match inner.waits.remove(piece).and_then(|wait| wait.upgrade()) {
            Some(wait) => inner.apply(&wait, piece.clone(), end),
            None => inner.remember(piece.clone(), end),
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// A piece of a wait ended, and so may some that it set off already have.
    fn apply(&mut self, wait: &Arc<Shared>, piece: Piece, end: Ended) {
        let mut ends = vec![(piece, end)];
        while let Some((piece, end)) = ends.pop() {
            wait.lock().pending.remove(&piece);
            match end {
                Ended::Failed => wait.lock().failed += 1,
                Ended::Done(store, set_off) => ends.extend(self.add(wait, &store, set_off)),
            }
        }
        wait.changed.notify(usize::MAX);
    }

    /// Waits for what a commit set off; those that ended already.
    fn add(&mut self, wait: &Arc<Shared>, store: &str, set_off: Vec<SetOff>) -> Vec<(Piece, Ended)> {
        let mut over = Vec::new();
        for one in set_off {
            let (piece, claimed) = match one {
                SetOff::Delivery { id, claimed, .. } => {
                    (Piece::Delivery { store: store.to_owned(), id }, claimed)
                }
                SetOff::Run { id, .. } => (Piece::Run { store: store.to_owned(), id }, None),
            };
            wait.lock().pending.insert(piece.clone());
            if let Some(at) = self.recent.iter().position(|(known, _)| *known == piece) {
                over.extend(self.recent.remove(at));
                continue;
            }
            self.waits.insert(piece, Arc::downgrade(wait));
            wait.lock().to_run.extend(claimed.map(|claimed| (store.to_owned(), *claimed)));
        }
        over
    }

    fn remember(&mut self, piece: Piece, end: Ended) {
        if self.recent.len() >= limits::ENDS_REMEMBERED_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back((piece, end));
    }
}

impl Wait<'_> {
    /// Waits for what a commit in `store` set off, and for all that this sets off.
    pub fn add(&self, store: &str, set_off: Vec<SetOff>) {
        let mut inner = self.watched.lock();
        for (piece, end) in inner.add(&self.shared, store, set_off) {
            inner.apply(&self.shared, piece, end);
        }
    }

    /// What was claimed for this wait and is to be run now.
    pub fn take_to_run(&self) -> Vec<(String, ClaimedDelivery)> {
        std::mem::take(&mut self.shared.lock().to_run)
    }

    /// How many pieces have not ended.
    pub fn pending(&self) -> u64 {
        self.shared.lock().pending.len() as u64
    }

    /// How many have failed for good.
    pub fn failed(&self) -> u64 {
        self.shared.lock().failed
    }

    /// Hears the next piece that ends. Listen first, then look.
    pub fn listen(&self) -> EventListener {
        self.shared.changed.listen()
    }
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        let mut inner = self.watched.lock();
        for piece in std::mem::take(&mut self.shared.lock().pending) {
            inner.waits.remove(&piece);
        }
        inner.waiting = inner.waiting.saturating_sub(1);
        if inner.waiting == 0 {
            inner.recent.clear();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
