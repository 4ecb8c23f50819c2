//! The loop that makes deliveries: it claims what free workers can start at once, and sleeps whenever it can't.
//!
//! One task owns all that it knows. Workers and commits leave it notes; it never polls a store while nothing is known to be
//! due.

mod gathering;
mod lane;
pub mod pause;
mod serve;
#[cfg(test)]
mod tests;

use std::pin::pin;
use std::sync::Arc;

use event_listener::EventListener;
use futures_util::future::{Either, select, select_all};

use crate::engine::Engine;
use crate::error_budget::machine_slept;
use crate::limits;
use crate::notes::Note;
use crate::open_store::OpenStore;
use crate::status::Count;
use gathering::Gathering;
use lane::Lane;
use pause::Pace;

/// The loop of one app.
pub struct Runner {
    engine: Arc<Engine>,
    /// One for each store that the deployable needs.
    lanes: Vec<Lane>,
    /// The lane whose turn is first: another each time, so that no store's backlog takes every free worker.
    first: usize,
    pace: Pace,
    gathering: Gathering,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    ByNote,
    ByTime,
}

impl Runner {
    /// The loop of an app, which has looked at nothing yet.
    pub fn new(engine: Arc<Engine>) -> Runner {
        // Any of them may hold any subscriber's deliveries: an event is kept where it came from, by an earlier plan too.
        let lane = |open: &OpenStore| Lane::new(open.clone(), engine.deployable.subscribers.clone());
        // A store that only keeps events has a lane too: what nobody hears any more must end there as well.
        let lanes = engine.stores.values().map(lane).collect();
        Runner { engine, lanes, first: 0, pace: Pace::default(), gathering: Gathering::default() }
    }

    /// Runs until the app is stopped and every claim is settled or given back.
    pub async fn run(mut self) {
        let mut woken = Woken::ByNote;
        while !self.engine.stop.is_asked() {
            // Listening before looking: what happens in between wakes the wait below.
            let notes = self.engine.notes.listen();
            self.take_notes();
            if let Some(left_ms) = self.gathers() {
                self.wait(notes, Vec::new(), left_ms).await;
                continue;
            }
            let slots = self.listen_to_slots();
            self.pace.look(self.engine.host.monotonic_us(), woken == Woken::ByNote);
            self.engine.tally.one(Count::Looks);
            self.engine.tally.loop_lives(self.engine.now_ms());
            let lanes = self.lanes.len();
            for turn in 0..lanes {
                self.serve((self.first + turn) % lanes).await;
            }
            self.first = (self.first + 1) % lanes.max(1);
            self.gathering.begin(self.lanes.iter().map(Lane::running).sum());
            let pause_ms = self.pause_ms();
            woken = self.wait(notes, slots, pause_ms).await;
        }
        self.drain().await;
    }

    /// Workers that are free.
    fn free(&self) -> u32 {
        let busy: u32 = self.lanes.iter().map(Lane::running).sum();
        self.engine.deployable.runner.workers.saturating_sub(busy)
    }

    /// How much longer deliveries that ended are gathered, ms; `None` when it is time to look.
    fn gathers(&mut self) -> Option<u64> {
        let (enough, left_ms) = self.gathering.waits(self.engine.host.monotonic_us())?;
        self.engine.notes.gather(enough).then_some(left_ms)
    }

    fn take_notes(&mut self) {
        for note in self.engine.notes.take() {
            self.gathering.hear(note.is_freed());
            match note {
                Note::Due { store, subscriber, due_ms, give_up_ms } => {
                    if let Some(lane) = self.lane_of(&store) {
                        lane.due(&subscriber, due_ms, give_up_ms);
                    }
                }
                Note::Freed { store, delivery, subscriber, left } => {
                    let engine = self.engine.clone();
                    if let Some(lane) = self.lane_of(&store) {
                        lane.freed(&engine, delivery, &subscriber, left);
                    }
                }
                Note::Elsewhere { store } => {
                    self.lanes.iter_mut().filter(|lane| lane.open.name == store).for_each(Lane::look_anew);
                    self.engine.runs.may_be_due();
                }
                Note::RunDue => self.engine.runs.may_be_due(),
                // Its store knows of it.
                Note::Unstarted => {}
                Note::Tick => self.lanes.iter_mut().for_each(Lane::tick),
            }
        }
    }

    fn lane_of(&mut self, store: &str) -> Option<&mut Lane> {
        self.lanes.iter_mut().find(|lane| lane.open.name == store)
    }

    /// Hears slots of the connections that hold a subscriber back.
    fn listen_to_slots(&self) -> Vec<EventListener> {
        let full = self.lanes.iter().flat_map(Lane::full_connections);
        full.filter_map(|name| Some(self.engine.connections.get(name)?.slot_freed())).collect()
    }

    async fn wait(&self, notes: EventListener, slots: Vec<EventListener>, pause_ms: u64) -> Woken {
        let host = &self.engine.host;
        let asleep_ms = host.boot_ms();
        let mut wakes = slots;
        wakes.push(notes);
        let stop = pin!(self.engine.stop.asked());
        let wakes = select(select_all(wakes), stop);
        let woken = match select(wakes, host.sleep(pause_ms)).await {
            Either::Left(_) => Woken::ByNote,
            Either::Right(_) => Woken::ByTime,
        };
        let passed_ms = host.boot_ms().saturating_sub(asleep_ms);
        if machine_slept(&self.engine.deployable.runner, pause_ms, passed_ms) {
            tracing::info!(passed_ms, pause_ms, "the machine slept");
            self.engine.machine_slept().await;
        }
        woken
    }

    /// Waits for what runs to end, and gives back what was stopped.
    async fn drain(&mut self) {
        loop {
            let notes = self.engine.notes.listen();
            self.take_notes();
            let mut kept_back = false;
            for lane in &mut self.lanes {
                kept_back |= !lane.give_back(&self.engine).await
                    || !lane.give_back_unstarted(&self.engine).await
                    || !lane.claim(&self.engine, 0).await;
            }
            let running: u32 = self.lanes.iter().map(Lane::running).sum();
            if kept_back {
                self.engine.host.sleep(limits::DRAIN_RETRY_MS).await;
            } else if running > 0 {
                notes.await;
            } else {
                break;
            }
        }
        for lane in &self.lanes {
            // Whoever looks next need not wait until this process counts as silent.
            let left = lane.open.store.leave(self.engine.instance).await;
            let _ = lane.open.heed(&self.engine, left);
        }
    }
}
