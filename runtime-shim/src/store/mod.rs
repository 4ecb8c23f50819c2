//! What keeps things: polls, events and deliveries, beside the app's own records in the same database.
//!
//! The trait speaks of facts and rows; each engine writes its own SQL. Every operation is one transaction: it is kept
//! whole or not at all, also when the process dies in it.

mod error;
mod facts;
mod open;
#[cfg(feature = "sqlite")]
pub mod sqlite;

pub use error::{Place, StoreError, StoreErrorKind};
pub use facts::{
    Boundary, BoundaryEnd, ClaimDeliveries, ClaimPoll, ClaimedDelivery, DeliveryCounts, EndedDelivery,
    FailedDelivery, GiveBack, Held, KeepPoll, NewDelivery, NewEvent, Outlook, OutlookAsked, PollClaim,
    PollFailure, PollRow, PollState, PurgeStep, Purged, TakeOver, Wanted, Write,
};

pub use open::{Runs, ToOpen, open};

use std::sync::Arc;

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

    /// Takes due deliveries under one token, each with its attempt counted.
    fn claim_deliveries(&self, claim: ClaimDeliveries) -> Kept<'_, Vec<ClaimedDelivery>>;

    /// Commits a boundary: the fence, the writes, the events emitted with their deliveries, and `done`.
    fn commit(&self, boundary: Boundary) -> Kept<'_, BoundaryEnd>;

    /// Makes a failed delivery due again; `false` when its claim stands no more.
    fn retry_delivery(&self, held: Held, due_ms: i64, error: String) -> Kept<'_, bool>;

    /// Ends a delivery as failed; `false` when its claim stands no more.
    fn fail_delivery(&self, held: Held, now_ms: i64, error: String) -> Kept<'_, bool>;

    /// Gives claims back as they were, their attempts not counted; how many still stood.
    fn give_back(&self, back: Vec<GiveBack>) -> Kept<'_, u64>;

    /// Frees or ends what processes that died, or were too slow, held.
    fn take_over(&self, over: TakeOver) -> Kept<'_, Vec<EndedDelivery>>;

    /// Ends pending deliveries whose time is over, at most `limit`: `subscriber_gone` for those that no plan names.
    fn expire(&self, now_ms: i64, subscribers: Vec<String>, limit: u32) -> Kept<'_, Vec<EndedDelivery>>;

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
}
