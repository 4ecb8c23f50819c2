//! A store in an SQLite file: one thread that writes, others that read, write-ahead logging between them.

mod app_write;
mod backlog;
mod claim_deliveries;
mod claim_poll;
mod claim_run;
mod claim_schedule;
mod commit;
mod expire;
mod failed;
mod fence;
mod give_back_unstarted;
mod hear;
mod insert_event;
mod insert_run;
mod keep_poll;
mod lag;
mod migrate;
mod open;
mod operate;
mod outlook;
mod purge;
mod reader;
mod reply;
mod session;
mod settle_delivery;
mod settle_poll;
mod settle_run;
mod settle_schedule;
mod show;
mod show_deferred;
mod take_over;
#[cfg(test)]
mod tests;
mod turns;
mod values;
mod worker;
mod writer;

pub use migrate::VERSION;
pub use open::OpenOptions;

use event_listener::EventListener;
use rusqlite::Connection;
use serde::Serialize;

use super::{
    Backlog, Boundary, BoundaryEnd, ClaimDeliveries, ClaimPoll, ClaimRun, ClaimSchedule, Claimed, ClaimedRun,
    DeliveryCounts, EndedDelivery, FailedDelivery, FailedRun, Fence, GiveBack, GivenBack, Held, KeepPoll,
    Kept, Lag, NewRun, Outlook, OutlookAsked, PollClaim, PollFailure, PollRow, PollState, PurgeStep, Purged,
    ReplayDelivery, RunCounts, ScheduleClaim, ScheduleRow, ScheduleState, SetOff, Store, StoreTransaction,
    TakeOver,
};
use crate::sql::{Row, SqlValue};
use reader::Reader;
use writer::{Then, Writer};

/// A store in an SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    /// The loop's and the ticks'.
    reader: Reader,
    /// The app's, and whoever looks.
    queries: Reader,
}

impl Store for SqliteStore {
    fn operations(&self) -> u64 {
        self.writer.asked() + self.reader.asked() + self.queries.asked()
    }

    fn clock(&self) -> Kept<'_, Option<i64>> {
        Box::pin(async { Ok(None) })
    }

    fn wakes(&self) -> Option<EventListener> {
        None
    }

    fn settles_apart(&self) -> bool {
        false
    }

    fn poll_rows(&self) -> Kept<'_, Vec<PollRow>> {
        Box::pin(self.reader.read(show::poll_rows))
    }

    fn claim_poll(&self, claim: ClaimPoll) -> Kept<'_, Option<PollClaim>> {
        Box::pin(self.writer.write_alone(move |connection| claim_poll::run(connection, &claim)))
    }

    fn keep_poll(&self, keep: KeepPoll) -> Kept<'_, bool> {
        Box::pin(self.writer.write(move |connection| keep_poll::run(connection, &keep)))
    }

    fn clear_poll_error(&self, name: String, claim_no: i64) -> Kept<'_, bool> {
        Box::pin(self.writer.write_alone(move |connection| settle_poll::clear(connection, &name, claim_no)))
    }

    fn fail_poll(&self, failure: PollFailure) -> Kept<'_, bool> {
        Box::pin(self.writer.write_alone(move |connection| settle_poll::fail(connection, &failure)))
    }

    fn give_back_poll(&self, name: String, claim_no: i64, due_ms: i64) -> Kept<'_, bool> {
        Box::pin(
            self.writer
                .write_alone(move |connection| settle_poll::give_back(connection, &name, claim_no, due_ms)),
        )
    }

    fn outlook(&self, asked: OutlookAsked) -> Kept<'_, Outlook> {
        Box::pin(self.reader.read(move |connection| outlook::run(connection, &asked)))
    }

    fn claim_deliveries(&self, claim: ClaimDeliveries) -> Kept<'_, Claimed> {
        if claim.done.is_empty() {
            return Box::pin(
                self.writer.write_alone(move |connection| claim_deliveries::run(connection, &claim)),
            );
        }
        let work = move |connection: &Connection| claim_deliveries::run(connection, &claim).map(Then::Keep);
        Box::pin(self.writer.write(work))
    }

    fn commit(&self, boundary: Boundary) -> Kept<'_, BoundaryEnd> {
        if commit::is_bare(&boundary) {
            return Box::pin(
                self.writer.write_alone(move |connection| commit::run_bare(connection, &boundary)),
            );
        }
        Box::pin(self.writer.write(move |connection| commit::run(connection, &boundary)))
    }

    fn begin(&self, fence: Fence) -> Kept<'_, Result<Box<dyn StoreTransaction>, BoundaryEnd>> {
        Box::pin(async move {
            let mut session = self.writer.open(fence).await?;
            Ok(match session.refused.take() {
                Some(end) => Err(end),
                None => Ok(Box::new(session) as Box<dyn StoreTransaction>),
            })
        })
    }

    fn finish_delivery(&self, held: Held, now_ms: i64) -> Kept<'_, bool> {
        Box::pin(self.writer.write_alone(move |connection| fence::finish(connection, held, now_ms)))
    }

    fn retry_delivery(&self, held: Held, due_ms: i64, error: String) -> Kept<'_, bool> {
        Box::pin(
            self.writer
                .write_alone(move |connection| settle_delivery::retry(connection, held, due_ms, &error)),
        )
    }

    fn fail_delivery(&self, held: Held, now_ms: i64, error: String) -> Kept<'_, bool> {
        Box::pin(
            self.writer
                .write_alone(move |connection| settle_delivery::fail(connection, held, now_ms, &error)),
        )
    }

    fn give_back(&self, back: Vec<GiveBack>) -> Kept<'_, u64> {
        Box::pin(self.writer.write_alone(move |connection| settle_delivery::give_back(connection, &back)))
    }

    fn give_back_unstarted(&self, tokens: Vec<i64>, now_ms: i64) -> Kept<'_, GivenBack> {
        let work = move |connection: &Connection| give_back_unstarted::run(connection, &tokens, now_ms);
        Box::pin(self.writer.write_alone(work))
    }

    fn take_over(&self, over: TakeOver) -> Kept<'_, Vec<EndedDelivery>> {
        Box::pin(self.writer.write_alone(move |connection| take_over::run(connection, &over)))
    }

    fn expire(&self, now_ms: i64, subscribers: Vec<String>, limit: u32) -> Kept<'_, Vec<EndedDelivery>> {
        Box::pin(
            self.writer.write_alone(move |connection| expire::run(connection, now_ms, &subscribers, limit)),
        )
    }

    fn schedule_rows(&self) -> Kept<'_, Vec<ScheduleRow>> {
        Box::pin(self.reader.read(show_deferred::schedule_rows))
    }

    fn claim_schedule(&self, claim: ClaimSchedule) -> Kept<'_, Option<ScheduleClaim>> {
        Box::pin(self.writer.write_alone(move |connection| claim_schedule::run(connection, &claim)))
    }

    fn fail_schedule(&self, name: String, token: i64, now_ms: i64, error: String) -> Kept<'_, bool> {
        Box::pin(
            self.writer.write_alone(move |connection| {
                settle_schedule::fail(connection, &name, token, now_ms, &error)
            }),
        )
    }

    fn give_back_schedule(&self, name: String, token: i64, due_ms: i64) -> Kept<'_, bool> {
        Box::pin(
            self.writer
                .write_alone(move |connection| settle_schedule::give_back(connection, &name, token, due_ms)),
        )
    }

    fn start_run(&self, run: NewRun) -> Kept<'_, i64> {
        Box::pin(self.writer.write_alone(move |connection| insert_run::run_alone(connection, &run)))
    }

    fn claim_run(&self, claim: ClaimRun) -> Kept<'_, Option<ClaimedRun>> {
        Box::pin(self.writer.write_alone(move |connection| claim_run::run(connection, &claim)))
    }

    fn renew_run(&self, held: Held, until_ms: i64) -> Kept<'_, bool> {
        Box::pin(self.writer.write_alone(move |connection| settle_run::renew(connection, held, until_ms)))
    }

    fn retry_run(&self, held: Held, due_ms: i64, error: String) -> Kept<'_, bool> {
        Box::pin(
            self.writer.write_alone(move |connection| settle_run::retry(connection, held, due_ms, &error)),
        )
    }

    fn fail_run(&self, held: Held, now_ms: i64, error: String) -> Kept<'_, bool> {
        Box::pin(
            self.writer.write_alone(move |connection| settle_run::fail(connection, held, now_ms, &error)),
        )
    }

    fn give_back_run(&self, held: Held, due_ms: i64) -> Kept<'_, bool> {
        Box::pin(self.writer.write_alone(move |connection| settle_run::give_back(connection, held, due_ms)))
    }

    fn replay_delivery(&self, replay: ReplayDelivery) -> Kept<'_, Option<SetOff>> {
        Box::pin(self.writer.write_alone(move |connection| operate::replay_delivery(connection, &replay)))
    }

    fn discard_delivery(&self, id: i64, now_ms: i64) -> Kept<'_, bool> {
        Box::pin(self.writer.write_alone(move |connection| operate::discard_delivery(connection, id, now_ms)))
    }

    fn replay_run(&self, id: i64, now_ms: i64) -> Kept<'_, Option<SetOff>> {
        Box::pin(self.writer.write_alone(move |connection| operate::replay_run(connection, id, now_ms)))
    }

    fn discard_run(&self, id: i64, now_ms: i64) -> Kept<'_, bool> {
        Box::pin(self.writer.write_alone(move |connection| operate::discard_run(connection, id, now_ms)))
    }

    fn poll_now(&self, name: String, now_ms: i64) -> Kept<'_, bool> {
        Box::pin(self.writer.write_alone(move |connection| operate::poll_now(connection, &name, now_ms)))
    }

    fn hear(&self, instance: i64, now_ms: i64) -> Kept<'_, ()> {
        Box::pin(self.writer.write_alone(move |connection| hear::run(connection, instance, now_ms)))
    }

    fn leave(&self, instance: i64) -> Kept<'_, ()> {
        Box::pin(self.writer.write_alone(move |connection| hear::leave(connection, instance)))
    }

    fn purge(&self, step: PurgeStep) -> Kept<'_, Purged> {
        Box::pin(self.writer.write(move |connection| purge::run(connection, &step).map(Then::Keep)))
    }

    fn query(&self, sql: String, params: Vec<SqlValue>) -> Kept<'_, Result<Vec<Row>, String>> {
        Box::pin(self.queries.read(move |connection| show::query(connection, &sql, &params)))
    }

    fn poll_states(&self) -> Kept<'_, Vec<PollState>> {
        Box::pin(self.queries.read(show::poll_states))
    }

    fn delivery_counts(&self) -> Kept<'_, DeliveryCounts> {
        Box::pin(self.queries.read(show::delivery_counts))
    }

    fn failed_deliveries(&self, limit: u32) -> Kept<'_, Vec<FailedDelivery>> {
        Box::pin(self.queries.read(move |connection| show::failed_deliveries(connection, limit)))
    }

    fn schedule_states(&self) -> Kept<'_, Vec<ScheduleState>> {
        Box::pin(self.queries.read(show_deferred::schedule_states))
    }

    fn run_counts(&self) -> Kept<'_, RunCounts> {
        Box::pin(self.queries.read(show_deferred::run_counts))
    }

    fn failed_runs(&self, limit: u32) -> Kept<'_, Vec<FailedRun>> {
        Box::pin(self.queries.read(move |connection| show_deferred::failed_runs(connection, limit)))
    }

    fn lag(&self, now_ms: i64) -> Kept<'_, Lag> {
        Box::pin(self.queries.read(move |connection| lag::run(connection, now_ms)))
    }

    fn backlog(&self, now_ms: i64) -> Kept<'_, Vec<Backlog>> {
        Box::pin(self.queries.read(move |connection| backlog::run(connection, now_ms)))
    }
}

/// A list for `json_each`, which takes any number of values through one parameter of one prepared statement.
fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("names and whole numbers are always JSON")
}
