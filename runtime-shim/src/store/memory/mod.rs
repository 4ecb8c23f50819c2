//! A store that is kept nowhere, for tests and simulation: the rules of the others with no thread, file or chance beneath.
//!
//! It has no SQL: what the app writes is recorded as it came, and nothing of it can be read.

mod boundary;
mod deferred;
mod deliveries;
mod polls;
mod purge;
mod state;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use event_listener::{Event, EventListener};

use super::{
    Backlog, Boundary, BoundaryEnd, ClaimDeliveries, ClaimPoll, ClaimRun, ClaimSchedule, Claimed, ClaimedRun,
    DeliveryCounts, EndedDelivery, FailedDelivery, FailedRun, Fence, GiveBack, GivenBack, Held, KeepPoll,
    Kept, Lag, NewRun, Outlook, OutlookAsked, Place, PollClaim, PollFailure, PollRow, PollState, PurgeStep,
    Purged, ReplayDelivery, RunCounts, ScheduleClaim, ScheduleRow, ScheduleState, SetOff, Store, StoreError,
    StoreErrorKind, StoreTransaction, TakeOver, Write,
};
use crate::sql::{Row, SqlValue};
use state::State;

/// What it says to the app's SQL.
const NO_SQL: &str = "a store in memory has no SQL";

/// The time of a store that instances share.
type SharedClock = Arc<dyn Fn() -> i64 + Send + Sync>;

/// A store that is kept nowhere.
pub struct MemoryStore {
    place: Place,
    state: Mutex<State>,
    clock: Option<SharedClock>,
    /// Notified by commits that make work due, where instances share it.
    heard: Event,
}

impl MemoryStore {
    /// An empty one.
    pub fn new(name: &str) -> MemoryStore {
        MemoryStore {
            place: Place { name: name.to_owned(), file: "memory".to_owned() },
            state: Mutex::default(),
            clock: None,
            heard: Event::new(),
        }
    }

    /// An empty one that instances share as they would a database, with a time of its own and word of each other's work.
    pub fn shared(name: &str, clock: impl Fn() -> i64 + Send + Sync + 'static) -> MemoryStore {
        MemoryStore { clock: Some(Arc::new(clock)), ..MemoryStore::new(name) }
    }

    /// What the app wrote and was kept, in the order of the commits.
    pub fn writes(&self) -> Vec<Write> {
        self.lock().writes.clone()
    }

    /// One operation, whole at once.
    fn at_once<T: Send + 'static>(&self, work: impl FnOnce(&mut State) -> T) -> Kept<'static, T> {
        let mut state = self.lock();
        state.operations += 1;
        let done = work(&mut state);
        Box::pin(std::future::ready(Ok(done)))
    }

    /// The same for one that may make work due.
    fn telling<T: Send + 'static>(&self, work: impl FnOnce(&mut State) -> T) -> Kept<'static, T> {
        let done = self.at_once(work);
        self.heard.notify(usize::MAX);
        done
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // An operation that panics fails its test; what it leaves is nobody's any more.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for MemoryStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryStore").field("place", &self.place).finish_non_exhaustive()
    }
}

impl Store for MemoryStore {
    fn operations(&self) -> u64 {
        self.lock().operations
    }

    fn clock(&self) -> Kept<'_, Option<i64>> {
        let now_ms = self.clock.as_ref().map(|clock| clock());
        self.at_once(|_| now_ms)
    }

    fn wakes(&self) -> Option<EventListener> {
        self.clock.as_ref().map(|_| self.heard.listen())
    }

    fn settles_apart(&self) -> bool {
        self.clock.is_some()
    }

    fn poll_rows(&self) -> Kept<'_, Vec<PollRow>> {
        self.at_once(|state| state.poll_rows())
    }

    fn claim_poll(&self, claim: ClaimPoll) -> Kept<'_, Option<PollClaim>> {
        self.at_once(|state| state.claim_poll(&claim))
    }

    fn keep_poll(&self, keep: KeepPoll) -> Kept<'_, bool> {
        self.telling(|state| state.keep_poll(&keep))
    }

    fn clear_poll_error(&self, name: String, claim_no: i64) -> Kept<'_, bool> {
        self.at_once(|state| state.clear_poll_error(&name, claim_no))
    }

    fn fail_poll(&self, failure: PollFailure) -> Kept<'_, bool> {
        self.at_once(|state| state.fail_poll(failure))
    }

    fn give_back_poll(&self, name: String, claim_no: i64, due_ms: i64) -> Kept<'_, bool> {
        self.at_once(|state| state.give_back_poll(&name, claim_no, due_ms))
    }

    fn outlook(&self, asked: OutlookAsked) -> Kept<'_, Outlook> {
        self.at_once(|state| state.outlook(&asked))
    }

    fn claim_deliveries(&self, claim: ClaimDeliveries) -> Kept<'_, Claimed> {
        self.at_once(|state| state.claim_deliveries(&claim))
    }

    fn commit(&self, boundary: Boundary) -> Kept<'_, BoundaryEnd> {
        if boundary.events.is_empty() && boundary.runs.is_empty() {
            return self.at_once(|state| state.commit(boundary));
        }
        self.telling(|state| state.commit(boundary))
    }

    fn begin(&self, _: Fence) -> Kept<'_, Result<Box<dyn StoreTransaction>, BoundaryEnd>> {
        let kind = StoreErrorKind::Unsupported(NO_SQL.to_owned());
        let error = StoreError { store: self.place.clone(), kind };
        Box::pin(std::future::ready(Err(error)))
    }

    fn finish_delivery(&self, held: Held, now_ms: i64) -> Kept<'_, bool> {
        self.at_once(|state| state.finish(held, now_ms))
    }

    fn retry_delivery(&self, held: Held, due_ms: i64, error: String) -> Kept<'_, bool> {
        self.at_once(|state| state.retry_delivery(held, due_ms, error))
    }

    fn fail_delivery(&self, held: Held, now_ms: i64, error: String) -> Kept<'_, bool> {
        self.at_once(|state| state.fail_delivery(held, now_ms, error))
    }

    fn give_back(&self, back: Vec<GiveBack>) -> Kept<'_, u64> {
        self.at_once(|state| state.give_back(&back))
    }

    fn give_back_unstarted(&self, tokens: Vec<i64>, now_ms: i64) -> Kept<'_, GivenBack> {
        self.at_once(|state| state.give_back_unstarted(&tokens, now_ms))
    }

    fn take_over(&self, over: TakeOver) -> Kept<'_, Vec<EndedDelivery>> {
        self.at_once(|state| state.take_over(&over))
    }

    fn expire(&self, now_ms: i64, subscribers: Vec<String>, limit: u32) -> Kept<'_, Vec<EndedDelivery>> {
        self.at_once(|state| state.expire(now_ms, &subscribers, limit))
    }

    fn schedule_rows(&self) -> Kept<'_, Vec<ScheduleRow>> {
        self.at_once(|state| state.schedule_rows())
    }

    fn claim_schedule(&self, claim: ClaimSchedule) -> Kept<'_, Option<ScheduleClaim>> {
        self.at_once(|state| state.claim_schedule(claim))
    }

    fn fail_schedule(&self, name: String, token: i64, now_ms: i64, error: String) -> Kept<'_, bool> {
        self.at_once(|state| state.fail_schedule(&name, token, now_ms, error))
    }

    fn give_back_schedule(&self, name: String, token: i64, due_ms: i64) -> Kept<'_, bool> {
        self.at_once(|state| state.give_back_schedule(&name, token, due_ms))
    }

    fn start_run(&self, run: NewRun) -> Kept<'_, i64> {
        self.telling(|state| state.start_run(run, None))
    }

    fn claim_run(&self, claim: ClaimRun) -> Kept<'_, Option<ClaimedRun>> {
        self.at_once(|state| state.claim_run(&claim))
    }

    fn renew_run(&self, held: Held, until_ms: i64) -> Kept<'_, bool> {
        self.at_once(|state| state.renew_run(held, until_ms))
    }

    fn retry_run(&self, held: Held, due_ms: i64, error: String) -> Kept<'_, bool> {
        self.at_once(|state| state.retry_run(held, due_ms, error))
    }

    fn fail_run(&self, held: Held, now_ms: i64, error: String) -> Kept<'_, bool> {
        self.at_once(|state| state.fail_run(held, now_ms, error))
    }

    fn give_back_run(&self, held: Held, due_ms: i64) -> Kept<'_, bool> {
        self.at_once(|state| state.give_back_run(held, due_ms))
    }

    fn replay_delivery(&self, replay: ReplayDelivery) -> Kept<'_, Option<SetOff>> {
        self.telling(|state| state.replay_delivery(&replay))
    }

    fn discard_delivery(&self, id: i64, now_ms: i64) -> Kept<'_, bool> {
        self.at_once(|state| state.discard_delivery(id, now_ms))
    }

    fn replay_run(&self, id: i64, now_ms: i64) -> Kept<'_, Option<SetOff>> {
        self.telling(|state| state.replay_run(id, now_ms))
    }

    fn discard_run(&self, id: i64, now_ms: i64) -> Kept<'_, bool> {
        self.at_once(|state| state.discard_run(id, now_ms))
    }

    fn poll_now(&self, name: String, now_ms: i64) -> Kept<'_, bool> {
        self.at_once(|state| state.poll_now(&name, now_ms))
    }

    fn hear(&self, instance: i64, now_ms: i64) -> Kept<'_, ()> {
        self.at_once(|state| state.hear(instance, now_ms))
    }

    fn leave(&self, instance: i64) -> Kept<'_, ()> {
        self.telling(|state| {
            state.instances.remove(&instance);
        })
    }

    fn purge(&self, step: PurgeStep) -> Kept<'_, Purged> {
        self.at_once(|state| state.purge(&step))
    }

    fn query(&self, _: String, _: Vec<SqlValue>) -> Kept<'_, Result<Vec<Row>, String>> {
        self.at_once(|_| Err(NO_SQL.to_owned()))
    }

    fn poll_states(&self) -> Kept<'_, Vec<PollState>> {
        self.at_once(|state| state.poll_states())
    }

    fn delivery_counts(&self) -> Kept<'_, DeliveryCounts> {
        self.at_once(|state| state.delivery_counts())
    }

    fn failed_deliveries(&self, limit: u32) -> Kept<'_, Vec<FailedDelivery>> {
        self.at_once(|state| state.failed_deliveries(limit))
    }

    fn schedule_states(&self) -> Kept<'_, Vec<ScheduleState>> {
        self.at_once(|state| state.schedule_states())
    }

    fn run_counts(&self) -> Kept<'_, RunCounts> {
        self.at_once(|state| state.run_counts())
    }

    fn failed_runs(&self, limit: u32) -> Kept<'_, Vec<FailedRun>> {
        self.at_once(|state| state.failed_runs(limit))
    }

    fn lag(&self, now_ms: i64) -> Kept<'_, Lag> {
        self.at_once(|state| state.lag(now_ms))
    }

    fn backlog(&self, now_ms: i64) -> Kept<'_, Vec<Backlog>> {
        self.at_once(|state| state.backlog(now_ms))
    }
}
