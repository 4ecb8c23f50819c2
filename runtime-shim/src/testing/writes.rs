//! What the stores of a test have written so far, counted over all starts, and where the process is to end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::sim::Machine;
use crate::store::{Boundary, BoundaryEnd, Fence};

/// Where a process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// Before the write of this number, counted from 1, reaches its store.
    Before(u64),
    /// After it was committed, before anybody hears of that.
    After(u64),
}

/// The writes of all stores of a test, in one order; clones count the same.
#[derive(Clone, Default)]
pub struct Writes {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    count: u64,
    point: Option<Point>,
    /// What was being written where the process ended.
    ended_at: Option<String>,
    /// What runs now.
    machine: Option<Arc<Machine>>,
    tally: Tally,
}

/// What was committed, as the runtime was told.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// By store.
    pub events: BTreeMap<String, u64>,
    /// By store.
    pub deliveries: BTreeMap<String, u64>,
    /// By store, those that the purge took.
    pub purged: BTreeMap<String, u64>,
    /// How often what must happen once was committed: a delivery's boundary, a step of a run.
    pub boundaries: BTreeMap<String, u64>,
    /// Commits of actions that somebody called.
    pub calls: u64,
}

impl Writes {
    /// Ends the process there, once.
    pub fn end_at(&self, point: Option<Point>) {
        self.lock().point = point;
    }

    /// What now runs, and is to end.
    pub fn runs_on(&self, machine: Arc<Machine>) {
        self.lock().machine = Some(machine);
    }

    /// How many writes there were.
    pub fn count(&self) -> u64 {
        self.lock().count
    }

    /// What was being written where the process ended; `None` where it did not come that far.
    pub fn ended_at(&self) -> Option<String> {
        self.lock().ended_at.clone()
    }

    /// What was committed so far.
    pub fn tally(&self) -> Tally {
        self.lock().tally.clone()
    }

    /// A write begins; its number.
    pub fn begin(&self) -> u64 {
        let mut state = self.lock();
        state.count += 1;
        state.count
    }

    /// Ends the process where it is to end here; whether it did.
    pub fn ends(&self, at: Point, what: &str) -> bool {
        let mut state = self.lock();
        if state.point != Some(at) {
            return false;
        }
        state.point = None;
        state.ended_at = Some(what.to_owned());
        let machine = state.machine.clone();
        drop(state);
        if let Some(machine) = machine {
            machine.crash();
        }
        true
    }

    /// Takes down what was committed.
    pub fn note(&self, note: impl FnOnce(&mut Tally)) {
        note(&mut self.lock().tally);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a boundary asks for, before it is handed over.
pub struct Asked {
    once: Option<String>,
    is_call: bool,
    events: u64,
    deliveries: u64,
}

impl Asked {
    /// What this one asks for of a store.
    pub fn of(store: &str, boundary: &Boundary) -> Asked {
        let once = match &boundary.fence {
            Fence::Free | Fence::Schedule { .. } => None,
            Fence::Delivery(held) => Some(format!("delivery {} in {store}", held.id)),
            Fence::Received { store: from, delivery } => Some(format!("delivery {delivery} in {from}")),
            Fence::Step { held, cursor, .. } => {
                Some(format!("the step of batch run {} in {store} that ended at {cursor:?}", held.id))
            }
        };
        Asked {
            once,
            is_call: boundary.fence == Fence::Free,
            events: boundary.events.len() as u64,
            deliveries: boundary.events.iter().map(|event| event.deliveries.len() as u64).sum(),
        }
    }

    /// What it is, for people.
    pub fn shown(&self) -> String {
        self.once.clone().unwrap_or_else(|| "an action".to_owned())
    }

    /// Takes down that it was committed, if it was.
    pub fn note(self, store: &str, end: &BoundaryEnd, tally: &mut Tally) {
        if !matches!(end, BoundaryEnd::Done(_)) {
            return;
        }
        tally.calls += u64::from(self.is_call);
        tally.kept(store, self.events, self.deliveries);
        if let Some(once) = self.once {
            *tally.boundaries.entry(once).or_default() += 1;
        }
    }
}

impl Tally {
    /// So many events were kept, with so many deliveries.
    pub fn kept(&mut self, store: &str, events: u64, deliveries: u64) {
        *self.events.entry(store.to_owned()).or_default() += events;
        *self.deliveries.entry(store.to_owned()).or_default() += deliveries;
    }
}
