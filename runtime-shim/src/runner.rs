//! The loop that makes deliveries: it claims what free workers can start at once, and sleeps whenever it can't.
//!
//! One task owns all that it knows. Workers and commits leave it notes; it never polls a store while nothing is known to be
//! due, and waits for no store on behalf of another.

mod apart;
mod gathering;
mod lane;
pub mod pause;
mod posts;
mod serve;
mod settling;
#[cfg(test)]
mod tests;

use std::pin::pin;
use std::sync::Arc;

use event_listener::EventListener;
use futures_util::future::{Either, join_all, pending, select, select_all};

use crate::engine::Engine;
use crate::error_budget::machine_slept;
use crate::limits;
use crate::notes::Note;
use crate::open_store::OpenStore;
use crate::status::Count;
use gathering::Gathering;
use lane::Lane;
use pause::Pace;
use posts::Posts;

/// The loop of one app.
pub struct Runner {
    engine: Arc<Engine>,
    /// A lane for each store that the deployable needs.
    posts: Posts,
    pace: Pace,
    gathering: Gathering,
}

/// Why a wait ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Woken {
    Noted,
    Slept,
    /// A lane came back, and left nothing to look for.
    Returned,
}

impl Runner {
    /// The loop of an app, which has looked at nothing yet.
    pub fn new(engine: Arc<Engine>) -> Runner {
        // Any of them may hold any subscriber's deliveries: an event is kept where it came from, by an earlier plan too.
        let lane = |open: &OpenStore| Lane::new(open.clone(), engine.deployable.subscribers.clone());
        // A store that only keeps events has a lane too: what nobody hears any more must end there as well.
        let posts = Posts::new(engine.stores.values().map(lane));
        Runner { engine, posts, pace: Pace::default(), gathering: Gathering::default() }
    }

    /// Runs until the app is stopped and every claim is settled or given back.
    pub async fn run(mut self) {
        let mut woken = Woken::Noted;
        while !self.engine.stop.is_asked() {
            // Listening before looking: what happens in between wakes the wait below.
            let notes = self.engine.notes.listen();
            self.take_notes();
            if let Some(left_ms) = self.gathers() {
                let stop = pin!(self.engine.stop.asked());
                select(select(notes, stop), self.engine.host.sleep(left_ms)).await;
                continue;
            }
            let slots = self.listen_to_slots();
            self.pace.look(self.engine.host.monotonic_us(), woken == Woken::Noted);
            self.engine.tally.one(Count::Looks);
            self.engine.tally.loop_lives(self.engine.now_ms());
            self.posts.send(&self.engine);
            self.gathering.begin(self.posts.running());
            woken = self.until_woken(notes, slots).await;
        }
        self.posts.all_back(&self.engine).await;
        self.drain().await;
    }

    /// How much longer deliveries that ended are gathered, ms; `None` when it is time to look.
    fn gathers(&mut self) -> Option<u64> {
        let (enough, left_ms) = self.gathering.waits(self.engine.host.monotonic_us())?;
        self.engine.notes.gather(enough, self.is_behind()).then_some(left_ms)
    }

    /// Whether some lane waits for the disk before it claims more.
    fn is_behind(&self) -> bool {
        self.posts.here().any(Lane::is_behind)
    }

    fn take_notes(&mut self) {
        let (engine, behind) = (self.engine.clone(), self.is_behind());
        for note in engine.notes.take() {
            self.gathering.hear(note.is_freed(), note.may_wait(behind));
            if matches!(note, Note::Elsewhere { .. } | Note::RunDue) {
                engine.runs.may_be_due();
            }
            match &note {
                Note::Due { store, .. }
                | Note::Freed { store, .. }
                | Note::Settled { store, .. }
                | Note::Elsewhere { store } => {
                    let store = store.clone();
                    self.posts.note(&engine, &store, note);
                }
                Note::Tick => self.posts.note_all(&engine, &note),
                // The store knows which claims those are.
                Note::RunDue | Note::Unstarted => {}
            }
        }
    }

    /// Hears slots of the connections that hold a subscriber back.
    fn listen_to_slots(&self) -> Vec<EventListener> {
        let full = self.posts.here().flat_map(Lane::full_connections);
        full.filter_map(|name| Some(self.engine.connections.get(name)?.slot_freed())).collect()
    }

    /// Waits until there is something to look for. Lanes come back meanwhile.
    async fn until_woken(&mut self, notes: EventListener, slots: Vec<EventListener>) -> Woken {
        let mut wakes = slots;
        wakes.push(notes);
        loop {
            let (pause_ms, asleep_ms) = (self.pause_ms(), self.engine.host.boot_ms());
            let woken = self.wait(&mut wakes, pause_ms).await;
            let passed_ms = self.engine.host.boot_ms().saturating_sub(asleep_ms);
            if machine_slept(&self.engine.deployable.runner, pause_ms, passed_ms) {
                tracing::info!(passed_ms, pause_ms, "the machine slept");
                self.engine.machine_slept().await;
            }
            if woken != Woken::Returned {
                return woken;
            }
        }
    }

    async fn wait(&mut self, wakes: &mut [EventListener], pause_ms: u64) -> Woken {
        // While every lane is away nothing can be done, and what comes meanwhile is taken together.
        let nothing_to_do = self.posts.all_away();
        let noted = async { if nothing_to_do { pending().await } else { select_all(wakes).await } };
        let slept =
            async { if nothing_to_do { pending().await } else { self.engine.host.sleep(pause_ms).await } };
        let (noted, stop) = (pin!(noted), pin!(self.engine.stop.asked()));
        let (back, slept) = (pin!(self.posts.back(&self.engine)), pin!(slept));
        match select(select(noted, stop), select(back, slept)).await {
            Either::Left(_) | Either::Right((Either::Left((true, _)), _)) => Woken::Noted,
            Either::Right((Either::Left((false, _)), _)) => Woken::Returned,
            Either::Right((Either::Right(_), _)) => Woken::Slept,
        }
    }

    /// Waits for what runs to end, and gives back what was stopped.
    async fn drain(&mut self) {
        loop {
            let notes = self.engine.notes.listen();
            self.take_notes();
            let settled = join_all(self.posts.here_mut().map(|lane| lane.settle(&self.engine))).await;
            if settled.contains(&false) {
                self.engine.host.sleep(limits::DRAIN_RETRY_MS).await;
            } else if self.posts.running() > 0 || self.posts.here().any(|lane| lane.settling.is_underway()) {
                notes.await;
            } else {
                break;
            }
        }
        // Whoever looks next need not wait until this process counts as silent.
        join_all(self.posts.here_mut().map(|lane| lane.leave(&self.engine))).await;
    }
}
