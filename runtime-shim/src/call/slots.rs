//! The cap on attempts at once: slots, given out strictly in the order they were asked for.
//!
//! A slot that is given back while somebody waits is handed to the longest waiter, so that it is never free in between and
//! no newcomer can take it first.

use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use event_listener::{Event, EventListener};
use serde::{Deserialize, Serialize};

/// The slots of one connection; clones share them.
#[derive(Clone, Debug)]
pub struct Slots {
    shared: Arc<Shared>,
}

/// Who holds a slot. Two are the same only if one is a copy of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner(u64);

/// What can be seen of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotFacts {
    /// The most that are out at once; `None`: no cap.
    pub cap: Option<u64>,
    /// Held by an attempt.
    pub out: u64,
    /// Attempts that wait for one.
    pub waiting: u64,
}

/// What became of asking for a slot without waiting.
#[derive(Debug)]
pub enum Asked {
    /// It is held.
    Taken(Slot),
    /// All are out, at least one with somebody else.
    Out,
    /// All are out, every one with the owner that asks, so only its own work can free one.
    OutToAsker,
}

#[derive(Debug)]
struct Shared {
    cap: u64,
    state: Mutex<State>,
    freed: Event,
}

#[derive(Debug, Default)]
struct State {
    out: u64,
    /// Only owners that hold some, with how many.
    owned: Vec<(Owner, u64)>,
    next_ticket: u64,
    /// By ticket, so the first is the one that has waited longest. One that is gone from here was handed a slot.
    waiters: VecDeque<Waiter>,
}

#[derive(Debug)]
struct Waiter {
    ticket: u64,
    owner: Option<Owner>,
    waker: Waker,
}

impl Owner {
    /// One that is like no other of this process.
    pub fn unique() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

impl SlotFacts {
    /// Whether an attempt would get one at once.
    pub fn any_free(&self) -> bool {
        self.cap.is_none_or(|cap| self.out < cap)
    }
}

impl Slots {
    /// `cap` slots, or any number of them.
    pub fn new(cap: Option<u64>) -> Self {
        let shared = Shared { cap: cap.unwrap_or(u64::MAX), state: Mutex::default(), freed: Event::new() };
        Self { shared: Arc::new(shared) }
    }

    /// Takes one, waiting behind those that already wait. Dropping the future leaves the queue.
    pub fn take(&self, owner: Option<Owner>) -> Take {
        Take { slots: Some(self.clone()), owner, ticket: None }
    }

    /// Takes one if any is free.
    pub fn ask(&self, owner: Owner) -> Asked {
        let mut state = self.shared.lock();
        if state.out < self.shared.cap {
            state.count(Some(owner));
            drop(state);
            return Asked::Taken(Slot { slots: self.clone(), owner: Some(owner) });
        }
        let own = state.owned.iter().find(|(known, _)| *known == owner).map_or(0, |(_, held)| *held);
        if own == state.out { Asked::OutToAsker } else { Asked::Out }
    }

    /// What can be seen.
    pub fn facts(&self) -> SlotFacts {
        let state = self.shared.lock();
        let cap = Some(self.shared.cap).filter(|cap| *cap != u64::MAX);
        SlotFacts { cap, out: state.out, waiting: state.waiters.len() as u64 }
    }

    /// Hears the next slot that comes free with nobody waiting for it. Listen first, then look at the facts.
    pub fn listen(&self) -> EventListener {
        self.shared.freed.listen()
    }

    /// Hands a slot to the longest waiter, or back to the free ones.
    fn give_back(&self, owner: Option<Owner>) {
        let mut state = self.shared.lock();
        state.uncount(owner);
        let Some(next) = state.waiters.pop_front() else {
            drop(state);
            self.shared.freed.notify(usize::MAX);
            return;
        };
        state.count(next.owner);
        drop(state);
        next.waker.wake();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Where the waiter with this ticket stands; none where it was handed a slot.
    fn place(&self, ticket: u64) -> Option<usize> {
        self.waiters.binary_search_by_key(&ticket, |waiter| waiter.ticket).ok()
    }

    fn count(&mut self, owner: Option<Owner>) {
        self.out += 1;
        let Some(owner) = owner else { return };
        match self.owned.iter_mut().find(|(known, _)| *known == owner) {
            Some((_, held)) => *held += 1,
            None => self.owned.push((owner, 1)),
        }
    }

    fn uncount(&mut self, owner: Option<Owner>) {
        debug_assert!(self.out > 0, "a slot is given back once");
        self.out -= 1;
        let Some(owner) = owner else { return };
        if let Some(index) = self.owned.iter().position(|(known, _)| *known == owner) {
            self.owned[index].1 -= 1;
            if self.owned[index].1 == 0 {
                self.owned.swap_remove(index);
            }
        }
    }
}

/// A slot that is out; dropping it gives it back, whatever made it drop.
#[derive(Debug)]
pub struct Slot {
    slots: Slots,
    owner: Option<Owner>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.give_back(self.owner);
    }
}

/// Waits for a slot.
#[derive(Debug)]
#[must_use = "nothing is taken before it is awaited"]
pub struct Take {
    /// Gone once a slot was given.
    slots: Option<Slots>,
    owner: Option<Owner>,
    /// Its place in the queue, once it stands there.
    ticket: Option<u64>,
}

impl Future for Take {
    type Output = Slot;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Slot> {
        let this = &mut *self;
        let slots = this.slots.as_ref().expect("nobody asks a future again that gave its slot");
        let mut state = slots.shared.lock();
        match this.ticket {
            None if state.out < slots.shared.cap => state.count(this.owner),
            None => {
                let ticket = state.next_ticket;
                state.next_ticket += 1;
                state.waiters.push_back(Waiter { ticket, owner: this.owner, waker: context.waker().clone() });
                this.ticket = Some(ticket);
                return Poll::Pending;
            }
            Some(ticket) => {
                if let Some(place) = state.place(ticket) {
                    state.waiters[place].waker.clone_from(context.waker());
                    return Poll::Pending;
                }
                this.ticket = None;
            }
        }
        drop(state);
        let slots = this.slots.take().expect("it is there, as above");
        Poll::Ready(Slot { slots, owner: this.owner })
    }
}

impl Drop for Take {
    fn drop(&mut self) {
        let (Some(ticket), Some(slots)) = (self.ticket, &self.slots) else { return };
        let mut state = slots.shared.lock();
        if let Some(place) = state.place(ticket) {
            let left = state.waiters.remove(place);
            drop(state);
            drop(left);
            return;
        }
        drop(state);
        // It was handed a slot that it never came to see.
        slots.give_back(self.owner);
    }
}
