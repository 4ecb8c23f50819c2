//! A store in a PostgreSQL database, which instances share: pooled connections, one statement for each claim, commits
//! gathered, and word to the other instances once a window.

pub mod address;
mod app_write;
mod backlog;
mod claim_deliveries;
mod claim_poll;
mod claim_run;
mod claim_schedule;
mod commit;
mod executor;
mod expire;
mod failed;
mod fence;
mod give_back_unstarted;
mod group;
mod hear;
mod insert_event;
mod insert_run;
mod keep_poll;
mod lag;
mod listen;
mod migrate;
mod numeric;
mod open;
mod operate;
mod outlook;
mod pool;
mod purge;
mod query;
mod session;
mod settle_delivery;
mod settle_poll;
mod settle_run;
mod settle_schedule;
mod show;
mod show_deferred;
mod statement;
mod take_over;
mod tell;
#[cfg(test)]
mod tests;
mod tls;
mod values;
mod walk;

pub use address::Address;
pub use migrate::VERSION;
pub use open::OpenOptions;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use deadpool_postgres::Client;
use event_listener::{Event, EventListener};
use tokio::sync::Semaphore;

use super::{
    Backlog, Boundary, BoundaryEnd, ClaimDeliveries, ClaimPoll, ClaimRun, ClaimSchedule, Claimed, ClaimedRun,
    DeliveryCounts, EndedDelivery, FailedDelivery, FailedRun, Fence, GiveBack, GivenBack, Held, KeepPoll,
    Kept, Lag, NewRun, Outlook, OutlookAsked, Place, PollClaim, PollFailure, PollRow, PollState, PurgeStep,
    Purged, ReplayDelivery, RunCounts, ScheduleClaim, ScheduleRow, ScheduleState, SetOff, Store, StoreError,
    StoreErrorKind, StoreTransaction, TakeOver,
};
use crate::host::BoxFuture;
use crate::sql::{Row, SqlValue};
use executor::Executor;
use failed::Failed;
use group::Groups;
use pool::Pool;
use session::Session;
use tell::Teller;

/// A store in a PostgreSQL database.
pub struct PostgresStore {
    work: Work,
    executor: Executor,
    /// Notified when another instance has told something, or may have.
    heard: Arc<Event>,
    asked: AtomicU64,
}

/// What work on the store needs, on the store's own executor.
#[derive(Clone, Debug)]
struct Work {
    place: Place,
    pool: Pool,
    groups: Groups,
    teller: Teller,
    /// Transactions that bodies may have open at once.
    bodies: Arc<Semaphore>,
    /// How long one that wants to open another waits, ms.
    wait_ms: u64,
}

/// What one operation does on a connection.
type OnClient<'c, T> = BoxFuture<'c, Result<T, Failed>>;

impl PostgresStore {
    /// Does work on the store's executor, whatever becomes of whoever asks.
    fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Work) -> BoxFuture<'static, Result<T, Failed>> + Send + 'static,
    ) -> Kept<'_, T> {
        Box::pin(async move {
            self.asked.fetch_add(1, Ordering::Relaxed);
            let result = self.executor.run(work(self.work.clone())).await;
            let result = result.unwrap_or(Err(Failed::Kind(StoreErrorKind::Closed)));
            result.map_err(|failed| {
                let kind = failed.kind();
                if kind == StoreErrorKind::ReadOnly {
                    self.work.pool.distrust();
                }
                StoreError { store: self.work.place.clone(), kind }
            })
        })
    }

    /// The same on one connection.
    fn on_client<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(&'c mut Client) -> OnClient<'c, T> + Send + 'static,
    ) -> Kept<'_, T> {
        self.run(|shared| Box::pin(async move { shared.on_client(work).await }))
    }

    /// The same, telling the other instances where it made work due.
    fn on_client_telling<T: Send + 'static>(
        &self,
        tells: impl FnOnce(&T) -> bool + Send + 'static,
        work: impl for<'c> FnOnce(&'c mut Client) -> OnClient<'c, T> + Send + 'static,
    ) -> Kept<'_, T> {
        self.run(|shared| {
            Box::pin(async move {
                let done = shared.on_client(work).await?;
                if tells(&done) {
                    shared.teller.tell();
                }
                Ok(done)
            })
        })
    }
}

impl Work {
    async fn on_client<T>(
        &self,
        work: impl for<'c> FnOnce(&'c mut Client) -> OnClient<'c, T>,
    ) -> Result<T, Failed> {
        work(&mut self.pool.get().await?).await
    }

    async fn begin(self, fence: Fence) -> Result<Result<Session, BoundaryEnd>, Failed> {
        let wait = Duration::from_millis(self.wait_ms);
        let Ok(Ok(turn)) = tokio::time::timeout(wait, self.bodies.acquire_owned()).await else {
            return Err(Failed::Kind(StoreErrorKind::Exhausted));
        };
        let client = self.pool.get().await?;
        Session::begin(client, turn, &fence, self.place, self.teller).await
    }
}

impl fmt::Debug for PostgresStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresStore").field("place", &self.work.place).finish_non_exhaustive()
    }
}

impl Store for PostgresStore {
    fn operations(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    fn clock(&self) -> Kept<'_, Option<i64>> {
        self.on_client(|client| Box::pin(async { show::clock(client).await.map(Some) }))
    }

    fn wakes(&self) -> Option<EventListener> {
        Some(self.heard.listen())
    }

    fn poll_rows(&self) -> Kept<'_, Vec<PollRow>> {
        self.on_client(|client| Box::pin(async { show::poll_rows(client).await }))
    }

    fn claim_poll(&self, claim: ClaimPoll) -> Kept<'_, Option<PollClaim>> {
        self.on_client(|client| Box::pin(async move { claim_poll::run(client, &claim).await }))
    }

    fn keep_poll(&self, keep: KeepPoll) -> Kept<'_, bool> {
        self.on_client_telling(
            |kept| *kept,
            |client| Box::pin(async move { keep_poll::run(client, &keep).await }),
        )
    }

    fn clear_poll_error(&self, name: String, claim_no: i64) -> Kept<'_, bool> {
        self.on_client(move |client| {
            Box::pin(async move { settle_poll::clear(client, &name, claim_no).await })
        })
    }

    fn fail_poll(&self, failure: PollFailure) -> Kept<'_, bool> {
        self.on_client(|client| Box::pin(async move { settle_poll::fail(client, &failure).await }))
    }

    fn give_back_poll(&self, name: String, claim_no: i64, due_ms: i64) -> Kept<'_, bool> {
        self.on_client(move |client| {
            Box::pin(async move { settle_poll::give_back(client, &name, claim_no, due_ms).await })
        })
    }

    fn outlook(&self, asked: OutlookAsked) -> Kept<'_, Outlook> {
        self.on_client(|client| Box::pin(async move { outlook::run(client, &asked).await }))
    }

    fn settles_apart(&self) -> bool {
        true
    }

    fn claim_deliveries(&self, claim: ClaimDeliveries) -> Kept<'_, Claimed> {
        self.on_client(|client| Box::pin(async move { claim_deliveries::run(client, &claim).await }))
    }

    fn commit(&self, boundary: Boundary) -> Kept<'_, BoundaryEnd> {
        self.run(|shared| {
            Box::pin(async move {
                let end = shared.groups.commit(boundary).await?;
                shared.teller.tell_of(&end);
                Ok(end)
            })
        })
    }

    fn begin(&self, fence: Fence) -> Kept<'_, Result<Box<dyn StoreTransaction>, BoundaryEnd>> {
        self.run(|shared| {
            Box::pin(async move {
                let begun = shared.begin(fence).await?;
                Ok(begun.map(|session| Box::new(session) as Box<dyn StoreTransaction>))
            })
        })
    }

    fn finish_delivery(&self, held: Held, now_ms: i64) -> Kept<'_, bool> {
        self.on_client(move |client| Box::pin(async move { fence::finish(client, held, now_ms).await }))
    }

    fn retry_delivery(&self, held: Held, due_ms: i64, error: String) -> Kept<'_, bool> {
        self.on_client(move |client| {
            Box::pin(async move { settle_delivery::retry(client, held, due_ms, &error).await })
        })
    }

    fn fail_delivery(&self, held: Held, now_ms: i64, error: String) -> Kept<'_, bool> {
        self.on_client(move |client| {
            Box::pin(async move { settle_delivery::fail(client, held, now_ms, &error).await })
        })
    }

    fn give_back(&self, back: Vec<GiveBack>) -> Kept<'_, u64> {
        self.on_client(|client| Box::pin(async move { settle_delivery::give_back(client, &back).await }))
    }

    fn give_back_unstarted(&self, tokens: Vec<i64>, now_ms: i64) -> Kept<'_, GivenBack> {
        self.on_client(move |client| {
            Box::pin(async move { give_back_unstarted::run(client, &tokens, now_ms).await })
        })
    }

    fn take_over(&self, over: TakeOver) -> Kept<'_, Vec<EndedDelivery>> {
        self.on_client(|client| Box::pin(async move { take_over::run(client, &over).await }))
    }

    fn expire(&self, now_ms: i64, subscribers: Vec<String>, limit: u32) -> Kept<'_, Vec<EndedDelivery>> {
        self.on_client(move |client| {
            Box::pin(async move { expire::run(client, now_ms, &subscribers, limit).await })
        })
    }

    fn schedule_rows(&self) -> Kept<'_, Vec<ScheduleRow>> {
        self.on_client(|client| Box::pin(async { show_deferred::schedule_rows(client).await }))
    }

    fn claim_schedule(&self, claim: ClaimSchedule) -> Kept<'_, Option<ScheduleClaim>> {
        self.on_client(|client| Box::pin(async move { claim_schedule::run(client, &claim).await }))
    }

    fn fail_schedule(&self, name: String, token: i64, now_ms: i64, error: String) -> Kept<'_, bool> {
        self.on_client(move |client| {
            Box::pin(async move { settle_schedule::fail(client, &name, token, now_ms, &error).await })
        })
    }

    fn give_back_schedule(&self, name: String, token: i64, due_ms: i64) -> Kept<'_, bool> {
        self.on_client(move |client| {
            Box::pin(async move { settle_schedule::give_back(client, &name, token, due_ms).await })
        })
    }

    fn start_run(&self, run: NewRun) -> Kept<'_, i64> {
        self.on_client_telling(
            |_| true,
            |client| Box::pin(async move { insert_run::run_alone(client, &run).await }),
        )
    }

    fn claim_run(&self, claim: ClaimRun) -> Kept<'_, Option<ClaimedRun>> {
        self.on_client(|client| Box::pin(async move { claim_run::run(client, &claim).await }))
    }

    fn renew_run(&self, held: Held, until_ms: i64) -> Kept<'_, bool> {
        self.on_client(move |client| Box::pin(async move { settle_run::renew(client, held, until_ms).await }))
    }

    fn retry_run(&self, held: Held, due_ms: i64, error: String) -> Kept<'_, bool> {
        self.on_client(move |client| {
            Box::pin(async move { settle_run::retry(client, held, due_ms, &error).await })
        })
    }

    fn fail_run(&self, held: Held, now_ms: i64, error: String) -> Kept<'_, bool> {
        self.on_client(move |client| {
            Box::pin(async move { settle_run::fail(client, held, now_ms, &error).await })
        })
    }

    fn give_back_run(&self, held: Held, due_ms: i64) -> Kept<'_, bool> {
        self.on_client(move |client| {
            Box::pin(async move { settle_run::give_back(client, held, due_ms).await })
        })
    }

    fn replay_delivery(&self, replay: ReplayDelivery) -> Kept<'_, Option<SetOff>> {
        self.on_client_telling(Option::is_some, |client| {
            Box::pin(async move { operate::replay_delivery(client, &replay).await })
        })
    }

    fn discard_delivery(&self, id: i64, now_ms: i64) -> Kept<'_, bool> {
        self.on_client(move |client| {
            Box::pin(async move { operate::discard_delivery(client, id, now_ms).await })
        })
    }

    fn replay_run(&self, id: i64, now_ms: i64) -> Kept<'_, Option<SetOff>> {
        self.on_client_telling(Option::is_some, move |client| {
            Box::pin(async move { operate::replay_run(client, id, now_ms).await })
        })
    }

    fn discard_run(&self, id: i64, now_ms: i64) -> Kept<'_, bool> {
        self.on_client(move |client| Box::pin(async move { operate::discard_run(client, id, now_ms).await }))
    }

    fn poll_now(&self, name: String, now_ms: i64) -> Kept<'_, bool> {
        self.on_client(move |client| Box::pin(async move { operate::poll_now(client, &name, now_ms).await }))
    }

    fn hear(&self, instance: i64, now_ms: i64) -> Kept<'_, ()> {
        self.on_client(move |client| Box::pin(async move { hear::run(client, instance, now_ms).await }))
    }

    fn leave(&self, instance: i64) -> Kept<'_, ()> {
        // What it gave back on its way out is the others' to do.
        self.on_client_telling(
            |()| true,
            move |client| Box::pin(async move { hear::leave(client, instance).await }),
        )
    }

    fn purge(&self, step: PurgeStep) -> Kept<'_, Purged> {
        self.on_client(|client| Box::pin(async move { purge::run(client, &step).await }))
    }

    fn query(&self, sql: String, params: Vec<SqlValue>) -> Kept<'_, Result<Vec<Row>, String>> {
        self.on_client(move |client| Box::pin(async move { query::run(client, &sql, &params).await }))
    }

    fn poll_states(&self) -> Kept<'_, Vec<PollState>> {
        self.on_client(|client| Box::pin(async { show::poll_states(client).await }))
    }

    fn delivery_counts(&self) -> Kept<'_, DeliveryCounts> {
        self.on_client(|client| Box::pin(async { show::delivery_counts(client).await }))
    }

    fn failed_deliveries(&self, limit: u32) -> Kept<'_, Vec<FailedDelivery>> {
        self.on_client(move |client| Box::pin(async move { show::failed_deliveries(client, limit).await }))
    }

    fn schedule_states(&self) -> Kept<'_, Vec<ScheduleState>> {
        self.on_client(|client| Box::pin(async { show_deferred::schedule_states(client).await }))
    }

    fn run_counts(&self) -> Kept<'_, RunCounts> {
        self.on_client(|client| Box::pin(async { show_deferred::run_counts(client).await }))
    }

    fn failed_runs(&self, limit: u32) -> Kept<'_, Vec<FailedRun>> {
        self.on_client(move |client| Box::pin(async move { show_deferred::failed_runs(client, limit).await }))
    }

    fn lag(&self, now_ms: i64) -> Kept<'_, Lag> {
        self.on_client(move |client| Box::pin(async move { lag::run(client, now_ms).await }))
    }

    fn backlog(&self, now_ms: i64) -> Kept<'_, Vec<Backlog>> {
        self.on_client(move |client| Box::pin(async move { backlog::run(client, now_ms).await }))
    }
}
