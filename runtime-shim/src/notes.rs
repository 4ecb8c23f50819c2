//! What the loop is told between its turns: new work, workers freed, claims to give back.

use std::sync::{Mutex, PoisonError};

use event_listener::{Event, EventListener};

use crate::store::{GiveBack, Held, SetOff, StoreError};

/// Notes to the loop; it takes all of them at the start of a turn.
#[derive(Debug, Default)]
pub struct Notes {
    list: Mutex<List>,
    wake: Event,
}

#[derive(Debug, Default)]
struct List {
    notes: Vec<Note>,
    /// How many of them only say that a worker is free.
    freed: usize,
    /// How many of those the loop wants before it is woken.
    enough: usize,
    /// Whether it waits for what is being written as done before it claims more.
    behind: bool,
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
        /// The claim that it ran under.
        held: Held,
        /// The subscriber.
        subscriber: String,
        /// What is left to be written.
        left: Left,
    },
    /// What was to be made `done` in a transaction of its own is, or could not be.
    Settled {
        /// The store that the deliveries are kept in.
        store: String,
        /// Those of them whose claims stand no more; `None` where the write broke off.
        fenced: Option<Result<Vec<Held>, StoreError>>,
    },
    /// Another instance committed something to this store.
    Elsewhere {
        /// The store's name in the app.
        store: String,
    },
    /// A commit in this process started a run of a batch.
    RunDue,
    /// The answer to a claim never came, so what it took is to be given back.
    Unstarted,
    /// A minute's tick: what other processes committed is looked for.
    Tick,
}

impl Note {
    /// Whether it only says that a worker is free.
    pub fn is_freed(&self) -> bool {
        matches!(self, Note::Freed { left: Left::Nothing | Left::Done(_), .. })
    }

    /// Whether it may wait until freed workers are gathered: they may, and so may what is written as done, unless a lane is
    /// behind and claims nothing before it hears that.
    pub fn may_wait(&self, behind: bool) -> bool {
        self.is_freed() || !behind && matches!(self, Note::Settled { .. })
    }
}

/// What a delivery leaves to the loop, which writes it together with its next claim, or beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// Nothing: all is written.
    Nothing,
    /// The claim is to be given back.
    Back(Back),
    /// The body has its value and gathered nothing, so all that is left of its boundary is `done`.
    Done(Held),
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
    /// The trouble of the store that its subscriber writes, where that is why.
    pub trouble: Option<String>,
}

impl Notes {
    /// Leaves a note and wakes the loop, unless that still gathers freed workers.
    pub fn leave(&self, note: Note) {
        let mut list = self.lock();
        let waits = note.may_wait(list.behind);
        list.freed += usize::from(note.is_freed());
        list.notes.push(note);
        let wakes = !waits || list.freed >= list.enough;
        drop(list);
        if wakes {
            self.wake.notify(usize::MAX);
        }
    }

    /// A delivery is due then.
    pub fn due(&self, store: &str, subscriber: &str, due_ms: i64, give_up_ms: i64) {
        let (store, subscriber) = (store.to_owned(), subscriber.to_owned());
        self.leave(Note::Due { store, subscriber, due_ms, give_up_ms });
    }

    /// A commit in `store` made work due; what it claimed as well is its claimer's.
    pub fn set_off(&self, store: &str, set_off: &[SetOff]) {
        for one in set_off {
            match one {
                SetOff::Delivery { subscriber, due_ms, give_up_ms, claimed: None, .. } => {
                    self.due(store, subscriber, *due_ms, *give_up_ms);
                }
                SetOff::Run { claimed: None, .. } => self.leave(Note::RunDue),
                SetOff::Delivery { .. } | SetOff::Run { .. } => {}
            }
        }
    }

    /// All notes, in the order they were left. From now on each wakes the loop.
    pub fn take(&self) -> Vec<Note> {
        let mut list = self.lock();
        (list.freed, list.enough, list.behind) = (0, 0, false);
        std::mem::take(&mut list.notes)
    }

    /// Freed workers wake the loop only once there are so many, until the notes are taken; `false` when there is a note by
    /// now that must not wait for them.
    pub fn gather(&self, enough: usize, behind: bool) -> bool {
        let mut list = self.lock();
        (list.enough, list.behind) = (enough, behind);
        list.freed < enough && list.notes.iter().all(|note| note.may_wait(behind))
    }

    /// Hears the next note. Listen first, then take.
    pub fn listen(&self) -> EventListener {
        self.wake.listen()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, List> {
        self.list.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
