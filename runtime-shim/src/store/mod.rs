//! What keeps things: polls, events and deliveries, beside the app's own records in the same database.
//!
//! The trait speaks of facts and rows; each engine writes its own SQL. Every operation is one transaction: it is kept
//! whole or not at all, also when the process dies in it.

#[cfg(any(feature = "sqlite", feature = "postgres", test, feature = "sim"))]
mod app_write;
#[cfg(all(test, feature = "sqlite", feature = "native"))]
pub(crate) mod conformance;
mod error;
mod facts;
#[cfg(any(test, feature = "sim"))]
pub mod memory;
mod open;
#[cfg(feature = "postgres")]
pub mod postgres;
#[cfg(feature = "sqlite")]
pub mod sqlite;

pub use error::{Place, StoreError, StoreErrorKind};
pub use facts::{
    Backlog, Boundary, BoundaryEnd, ClaimDeliveries, ClaimOwn, ClaimPoll, ClaimRun, ClaimSchedule, Claimed,
    ClaimedDelivery, ClaimedRun, DeliveryCounts, EndedDelivery, FailedDelivery, FailedRun, Fence, GiveBack,
    GivenBack, Held, KeepPoll, Lag, NewDelivery, NewEvent, NewRun, Outlook, OutlookAsked, PollClaim,
    PollFailure, PollRow, PollState, PurgeStep, Purged, ReplayDelivery, RunCounts, ScheduleClaim,
    ScheduleRow, ScheduleState, SetOff, Skipped, TakeOver, Wanted, Write,
};

pub use open::{KeptIn, Runs, ToOpen, open};

use std::sync::Arc;

use event_listener::EventListener;

use crate::host::BoxFuture;
use crate::sql::{Row, SqlValue};

/// A store, shared by everything that works on it.
pub type SharedStore = Arc<dyn Store>;

/// What an operation gives.
pub type Kept<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

/// A database with jadpo's tables in it.
pub trait Store: Send + Sync + 'static {
    /// How many operations it was asked for so far.
    fn operations(&self) -> u64;

    /// The time of a store that instances share, in milliseconds since the epoch; `None` where the host's clock is the store's.
    fn clock(&self) -> Kept<'_, Option<i64>>;

    /// Hears the next commit of another instance that made work due; `None` where none can be heard.
    fn wakes(&self) -> Option<EventListener>;

    /// Every poll that ever ran here: what a tick needs to tell which are due.
    fn poll_rows(&self) -> Kept<'_, Vec<PollRow>>;

    /// Takes a poll that is due at the tick's time, or has never run, and moves it on; `None` when it isn't due.
    fn claim_poll(&self, claim: ClaimPoll) -> Kept<'_, Option<PollClaim>>;

    /// Keeps a changed answer's event with its deliveries and the digest, all or nothing; `false` when a rival was first.
    fn keep_poll(&self, keep: KeepPoll) -> Kept<'_, bool>;

    /// Forgets the last error of a poll whose answer was the same; `false` when the claim is another's.
    fn clear_poll_error(&self, name: String, claim_no: i64) -> Kept<'_, bool>;

    /// Writes down why a poll failed and when it is due again; `false` when the claim is another's.
    fn fail_poll(&self, failure: PollFailure) -> Kept<'_, bool>;

    /// Makes a poll due at once whose call was stopped; `false` when the claim is another's.
    fn give_back_poll(&self, name: String, claim_no: i64, due_ms: i64) -> Kept<'_, bool>;

    /// When there is next something to do, in one statement.
    fn outlook(&self, asked: OutlookAsked) -> Kept<'_, Outlook>;

    /// Takes due deliveries under one token, each with its attempt counted, and first settles those that are done: both or
    /// neither.
    fn claim_deliveries(&self, claim: ClaimDeliveries) -> Kept<'_, Claimed>;

    /// Commits a boundary: the fence, the writes, the events emitted with their deliveries, the runs, and `done`.
    fn commit(&self, boundary: Boundary) -> Kept<'_, BoundaryEnd>;

    /// Opens a transaction that a body reads and writes in, if the fence lets it. It is held for at most
    /// [`crate::limits::TRANSACTION_MS_MAX`], since others may wait for it; dropping it keeps nothing.
    fn begin(&self, fence: Fence) -> Kept<'_, Result<Box<dyn StoreTransaction>, BoundaryEnd>>;

    /// Makes a delivery `done` whose boundary was committed in another store; `false` when its claim stands no more.
    fn finish_delivery(&self, held: Held, now_ms: i64) -> Kept<'_, bool>;

    /// Makes a failed delivery due again; `false` when its claim stands no more.
    fn retry_delivery(&self, held: Held, due_ms: i64, error: String) -> Kept<'_, bool>;

    /// Ends a delivery as failed; `false` when its claim stands no more.
    fn fail_delivery(&self, held: Held, now_ms: i64, error: String) -> Kept<'_, bool>;

    /// Whether claims and what is done are written each in a transaction of its own, at once: so no claim waits until the
    /// disk has what was done before.
    fn settles_apart(&self) -> bool;

    /// Gives claims back as they were, their attempts not counted; how many still stood.
    fn give_back(&self, back: Vec<GiveBack>) -> Kept<'_, u64>;

    /// Gives back what was claimed under these tokens, none of it started and its attempts not counted: deliveries and batch
    /// runs due as they were, schedules due now.
    fn give_back_unstarted(&self, tokens: Vec<i64>, now_ms: i64) -> Kept<'_, GivenBack>;

    /// Frees or ends what processes that died, or were too slow, held.
    fn take_over(&self, over: TakeOver) -> Kept<'_, Vec<EndedDelivery>>;

    /// Ends pending deliveries whose time is over, at most `limit`: `subscriber_gone` for those that no plan names.
    fn expire(&self, now_ms: i64, subscribers: Vec<String>, limit: u32) -> Kept<'_, Vec<EndedDelivery>>;

    /// Every schedule that was ever seen here: what a tick needs to tell which are due.
    fn schedule_rows(&self) -> Kept<'_, Vec<ScheduleRow>>;

    /// Takes the run of a schedule that is due and not claimed, or whose last run was lost; `None` when there is none.
    fn claim_schedule(&self, claim: ClaimSchedule) -> Kept<'_, Option<ScheduleClaim>>;

    /// Ends a schedule's run as failed; it waits for its next time. `false` when its claim stands no more.
    fn fail_schedule(&self, name: String, token: i64, now_ms: i64, error: String) -> Kept<'_, bool>;

    /// Gives a schedule's run back as it was, due then; `false` when its claim stands no more.
    fn give_back_schedule(&self, name: String, token: i64, due_ms: i64) -> Kept<'_, bool>;

    /// Keeps a batch run, due at once; its id.
    fn start_run(&self, run: NewRun) -> Kept<'_, i64>;

    /// Takes the batch run that has been due longest, also one whose claim was lost.
    fn claim_run(&self, claim: ClaimRun) -> Kept<'_, Option<ClaimedRun>>;

    /// Makes the lease of a batch run longer, between its steps; `false` when its claim stands no more.
    fn renew_run(&self, held: Held, until_ms: i64) -> Kept<'_, bool>;

    /// Makes a failed step due again; `false` when its run's claim stands no more.
    fn retry_run(&self, held: Held, due_ms: i64, error: String) -> Kept<'_, bool>;

    /// Ends a batch run as failed; `false` when its claim stands no more.
    fn fail_run(&self, held: Held, now_ms: i64, error: String) -> Kept<'_, bool>;

    /// Gives a batch run back as it was, the attempt not counted; `false` when its claim stands no more.
    fn give_back_run(&self, held: Held, due_ms: i64) -> Kept<'_, bool>;

    /// Makes a failed or discarded delivery due again from its first attempt; `None` when there is none.
    fn replay_delivery(&self, replay: ReplayDelivery) -> Kept<'_, Option<SetOff>>;

    /// Discards a failed or pending delivery; `false` when there is none.
    fn discard_delivery(&self, id: i64, now_ms: i64) -> Kept<'_, bool>;

    /// Makes a failed or discarded batch run due again, from where its last committed step ended; `None` when there is none.
    fn replay_run(&self, id: i64, now_ms: i64) -> Kept<'_, Option<SetOff>>;

    /// Discards a failed or pending batch run; `false` when there is none.
    fn discard_run(&self, id: i64, now_ms: i64) -> Kept<'_, bool>;

    /// Makes a poll due at once; `false` when it has never run.
    fn poll_now(&self, name: String, now_ms: i64) -> Kept<'_, bool>;

    /// Says that this instance lives.
    fn hear(&self, instance: i64, now_ms: i64) -> Kept<'_, ()>;

    /// Forgets this instance, which holds nothing any more.
    fn leave(&self, instance: i64) -> Kept<'_, ()>;

    /// One bounded step of the purge.
    fn purge(&self, step: PurgeStep) -> Kept<'_, Purged>;

    /// The app's own query over what is committed.
    fn query(&self, sql: String, params: Vec<SqlValue>) -> Kept<'_, Result<Vec<Row>, String>>;

    /// Every poll with its last change and last error.
    fn poll_states(&self) -> Kept<'_, Vec<PollState>>;

    /// Deliveries by state.
    fn delivery_counts(&self) -> Kept<'_, DeliveryCounts>;

    /// Failed deliveries, the latest first, at most `limit`.
    fn failed_deliveries(&self, limit: u32) -> Kept<'_, Vec<FailedDelivery>>;

    /// Every schedule with its last run and last error.
    fn schedule_states(&self) -> Kept<'_, Vec<ScheduleState>>;

    /// Batch runs by state.
    fn run_counts(&self) -> Kept<'_, RunCounts>;

    /// Failed batch runs, the latest first, at most `limit`.
    fn failed_runs(&self, limit: u32) -> Kept<'_, Vec<FailedRun>>;

    /// How long the oldest work that is due has waited to be taken.
    fn lag(&self, now_ms: i64) -> Kept<'_, Lag>;

    /// Deliveries that are not over, by event, connection and subscriber, in no order.
    fn backlog(&self, now_ms: i64) -> Kept<'_, Vec<Backlog>>;
}

/// A transaction that a body has open; dropped before its commit, it is rolled back.
///
/// What the engine refuses, and a write that touches another number of rows than it stated, ends it: nothing of it can be
/// kept any more, and the commit answers the same. So does the store's own trouble, which every later statement answers too.
pub trait StoreTransaction: Send {
    /// Reads what is committed and what was written in it.
    fn query(&mut self, sql: String, params: Vec<SqlValue>) -> Kept<'_, Result<Vec<Row>, String>>;

    /// Runs one statement; how many rows it touched.
    fn execute(&mut self, write: Write) -> Kept<'_, Result<u64, BoundaryEnd>>;

    /// Commits it with the rest of the boundary, whose fence is compared again.
    fn commit(self: Box<Self>, rest: Boundary) -> Kept<'static, BoundaryEnd>;
}
