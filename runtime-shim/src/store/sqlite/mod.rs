//! A store in an SQLite file: one thread that writes, one that reads, write-ahead logging between them.

mod claim_deliveries;
mod claim_poll;
mod commit;
mod expire;
mod failed;
mod hear;
mod insert_event;
mod keep_poll;
mod migrate;
mod open;
mod outlook;
mod purge;
mod reader;
mod reply;
mod settle_delivery;
mod settle_poll;
mod show;
mod take_over;
#[cfg(test)]
mod tests;
mod values;
mod worker;
mod writer;

pub use migrate::VERSION;
pub use open::OpenOptions;

use serde::Serialize;

use super::{
    Boundary, BoundaryEnd, ClaimDeliveries, ClaimPoll, ClaimedDelivery, DeliveryCounts, EndedDelivery,
    FailedDelivery, GiveBack, Held, KeepPoll, Kept, Outlook, OutlookAsked, PollClaim, PollFailure, PollRow,
    PollState, PurgeStep, Purged, Store, TakeOver,
};
use crate::sql::{Row, SqlValue};
use reader::Reader;
use writer::{Then, Writer};

/// A store in an SQLite file.
#[derive(Debug)]
pub struct SqliteStore {
    writer: Writer,
    reader: Reader,
}

impl Store for SqliteStore {
    fn operations(&self) -> u64 {
        self.writer.asked() + self.reader.asked()
    }

    fn poll_rows(&self) -> Kept<'_, Vec<PollRow>> {
        Box::pin(self.reader.read(show::poll_rows))
    }

    fn claim_poll(&self, claim: ClaimPoll) -> Kept<'_, Option<PollClaim>> {
        Box::pin(self.writer.write(move |connection| claim_poll::run(connection, &claim)))
    }

    fn keep_poll(&self, keep: KeepPoll) -> Kept<'_, bool> {
        Box::pin(self.writer.write(move |connection| keep_poll::run(connection, &keep)))
    }

    fn clear_poll_error(&self, name: String, claim_no: i64) -> Kept<'_, bool> {
        Box::pin(self.writer.write(move |connection| settle_poll::clear(connection, &name, claim_no)))
    }

    fn fail_poll(&self, failure: PollFailure) -> Kept<'_, bool> {
        Box::pin(self.writer.write(move |connection| settle_poll::fail(connection, &failure)))
    }

    fn give_back_poll(&self, name: String, claim_no: i64, due_ms: i64) -> Kept<'_, bool> {
        Box::pin(
            self.writer.write(move |connection| settle_poll::give_back(connection, &name, claim_no, due_ms)),
        )
    }

    fn outlook(&self, asked: OutlookAsked) -> Kept<'_, Outlook> {
        Box::pin(self.reader.read(move |connection| outlook::run(connection, &asked)))
    }

    fn claim_deliveries(&self, claim: ClaimDeliveries) -> Kept<'_, Vec<ClaimedDelivery>> {
        Box::pin(self.writer.write(move |connection| claim_deliveries::run(connection, &claim)))
    }

    fn commit(&self, boundary: Boundary) -> Kept<'_, BoundaryEnd> {
        Box::pin(self.writer.write(move |connection| commit::run(connection, &boundary)))
    }

    fn retry_delivery(&self, held: Held, due_ms: i64, error: String) -> Kept<'_, bool> {
        Box::pin(
            self.writer.write(move |connection| settle_delivery::retry(connection, held, due_ms, &error)),
        )
    }

    fn fail_delivery(&self, held: Held, now_ms: i64, error: String) -> Kept<'_, bool> {
        Box::pin(self.writer.write(move |connection| settle_delivery::fail(connection, held, now_ms, &error)))
    }

    fn give_back(&self, back: Vec<GiveBack>) -> Kept<'_, u64> {
        Box::pin(self.writer.write(move |connection| settle_delivery::give_back(connection, &back)))
    }

    fn take_over(&self, over: TakeOver) -> Kept<'_, Vec<EndedDelivery>> {
        Box::pin(self.writer.write(move |connection| take_over::run(connection, &over)))
    }

    fn expire(&self, now_ms: i64, subscribers: Vec<String>, limit: u32) -> Kept<'_, Vec<EndedDelivery>> {
        Box::pin(self.writer.write(move |connection| expire::run(connection, now_ms, &subscribers, limit)))
    }

    fn hear(&self, instance: i64, now_ms: i64) -> Kept<'_, ()> {
        Box::pin(self.writer.write(move |connection| hear::run(connection, instance, now_ms).map(Then::Keep)))
    }

    fn leave(&self, instance: i64) -> Kept<'_, ()> {
        Box::pin(self.writer.write(move |connection| hear::leave(connection, instance).map(Then::Keep)))
    }

    fn purge(&self, step: PurgeStep) -> Kept<'_, Purged> {
        Box::pin(self.writer.write(move |connection| purge::run(connection, &step)))
    }

    fn query(&self, sql: String, params: Vec<SqlValue>) -> Kept<'_, Result<Vec<Row>, String>> {
        Box::pin(self.reader.read(move |connection| show::query(connection, &sql, &params)))
    }

    fn poll_states(&self) -> Kept<'_, Vec<PollState>> {
        Box::pin(self.reader.read(show::poll_states))
    }

    fn delivery_counts(&self) -> Kept<'_, DeliveryCounts> {
        Box::pin(self.reader.read(show::delivery_counts))
    }

    fn failed_deliveries(&self, limit: u32) -> Kept<'_, Vec<FailedDelivery>> {
        Box::pin(self.reader.read(move |connection| show::failed_deliveries(connection, limit)))
    }
}

/// A list for `json_each`, which takes any number of values through one parameter of one prepared statement.
fn json<T: Serialize + ?Sized>(value: &T) -> String {
    serde_json::to_string(value).expect("names and whole numbers are always JSON")
}
