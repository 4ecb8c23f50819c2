//! What the loop is told between its turns: new work, workers freed, claims to give back.

use std::sync::{Mutex, PoisonError};

use event_listener::{Event, EventListener};

use crate::store::{GiveBack, SetOff};

/// Notes to the loop; it takes all of them at the start of a turn.
#[derive(Debug, Default)]
pub struct Notes {
    list: Mutex<Vec<Note>>,
    wake: Event,
}

/// One thing that the loop is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// A commit in this process, or a retry, made work due.
    Due {
        /// The store that the delivery is kept in.
        store: String,
        /// The subscriber.
        subscriber: String,
        /// When.
        due_ms: i64,
        /// When its `within:` ends.
        give_up_ms: i64,
    },
    /// A delivery's worker is free again.
    Freed {
        /// The store that the delivery is kept in.
        store: String,
        /// The delivery.
        delivery: i64,
        /// The subscriber.
        subscriber: String,
        /// The claim, where it is to be given back.
        back: Option<Back>,
    },
    /// A minute's tick: what other processes committed is looked for.
    Tick,
}

/// A claim that goes back as it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Back {
    /// The claim.
    pub claim: GiveBack,
    /// When its `within:` ends.
    pub give_up_ms: i64,
    /// The connection whose slots were all out, where that is why.
    pub full: Option<String>,
}

impl Notes {
    /// Leaves a note and wakes the loop.
    pub fn leave(&self, note: Note) {
        self.lock().push(note);
        self.wake.notify(usize::MAX);
    }

    /// A delivery is due then.
    pub fn due(&self, store: &str, subscriber: &str, due_ms: i64, give_up_ms: i64) {
        let (store, subscriber) = (store.to_owned(), subscriber.to_owned());
        self.leave(Note::Due { store, subscriber, due_ms, give_up_ms });
    }

    /// A commit in `store` made work due; what it claimed as well is its claimer's.
    pub fn set_off(&self, store: &str, set_off: &[SetOff]) {
        for one in set_off {
            if let SetOff::Delivery { subscriber, due_ms, give_up_ms, claimed: None, .. } = one {
                self.due(store, subscriber, *due_ms, *give_up_ms);
            }
        }
    }

    /// All notes, in the order they were left.
    pub fn take(&self) -> Vec<Note> {
        std::mem::take(&mut self.lock())
    }

    /// Hears the next note. Listen first, then take.
    pub fn listen(&self) -> EventListener {
        self.wake.listen()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Note>> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
