//! A store that counts its writes, takes down what they came to, and ends the process at one of them.

use std::future::pending;

use event_listener::EventListener;

use super::writes::{Asked, Point, Tally, Writes};
use crate::sql::{Row, SqlValue};
use crate::store::{
    Backlog, Boundary, BoundaryEnd, ClaimDeliveries, ClaimPoll, ClaimRun, ClaimSchedule, Claimed, ClaimedRun,
    DeliveryCounts, EndedDelivery, FailedDelivery, FailedRun, Fence, GiveBack, GivenBack, Held, KeepPoll,
    Kept, Lag, NewRun, Outlook, OutlookAsked, PollClaim, PollFailure, PollRow, PollState, PurgeStep, Purged,
    ReplayDelivery, RunCounts, ScheduleClaim, ScheduleRow, ScheduleState, SetOff, SharedStore, Store,
    StoreError, StoreTransaction, TakeOver, Write,
};

/// A store of a test.
pub struct RecordingStore {
    name: String,
    inner: SharedStore,
    writes: Writes,
}

impl RecordingStore {
    /// The store of this name, its writes counted with those of others.
    pub fn new(name: &str, inner: SharedStore, writes: Writes) -> RecordingStore {
        RecordingStore { name: name.to_owned(), inner, writes }
    }

    fn write<'a, T: Send + 'a>(
        &'a self,
        what: &'a str,
        work: impl FnOnce() -> Kept<'a, T> + Send + 'a,
    ) -> Kept<'a, T> {
        self.noting(what.to_owned(), work, |_, _| {})
    }

    fn noting<'a, T: Send + 'a>(
        &'a self,
        what: String,
        work: impl FnOnce() -> Kept<'a, T> + Send + 'a,
        note: impl FnOnce(&T, &mut Tally) + Send + 'a,
    ) -> Kept<'a, T> {
        Box::pin(counted(&self.name, self.writes.clone(), what, work, note))
    }
}

/// One write, at which the process may end.
async fn counted<'a, T>(
    store: &str,
    writes: Writes,
    what: String,
    work: impl FnOnce() -> Kept<'a, T>,
    note: impl FnOnce(&T, &mut Tally),
) -> Result<T, StoreError> {
    let number = writes.begin();
    let what = format!("store {store}: {what}");
    if writes.ends(Point::Before(number), &what) {
        return pending().await;
    }
    let done = work().await;
    if let Ok(done) = &done {
        writes.note(|tally| note(done, tally));
    }
    if writes.ends(Point::After(number), &what) {
        return pending().await;
    }
    done
}

/// Methods that hand on what they are asked for: those that write are counted, those that read are not.
macro_rules! hand_on {
    (writes { $($write:ident($($arg:ident: $of:ty),*) -> $gives:ty, $what:literal;)* }
     reads { $($read:ident($($read_arg:ident: $read_of:ty),*) -> $read_gives:ty;)* }) => {
        $(fn $write(&self, $($arg: $of),*) -> Kept<'_, $gives> {
            self.write($what, move || self.inner.$write($($arg),*))
        })*
        $(fn $read(&self, $($read_arg: $read_of),*) -> Kept<'_, $read_gives> {
            self.inner.$read($($read_arg),*)
        })*
    };
}

impl Store for RecordingStore {
    fn operations(&self) -> u64 {
        self.inner.operations()
    }

    fn wakes(&self) -> Option<EventListener> {
        self.inner.wakes()
    }

    fn settles_apart(&self) -> bool {
        self.inner.settles_apart()
    }

    fn keep_poll(&self, keep: KeepPoll) -> Kept<'_, bool> {
        let what = format!("{} keeps {}", keep.name, keep.event.name);
        let deliveries = keep.event.deliveries.len() as u64;
        self.noting(
            what,
            move || self.inner.keep_poll(keep),
            move |kept, tally| {
                if *kept {
                    tally.kept(&self.name, 1, deliveries);
                }
            },
        )
    }

    fn commit(&self, boundary: Boundary) -> Kept<'_, BoundaryEnd> {
        let asked = Asked::of(&self.name, &boundary);
        let what = format!("the commit of {}", asked.shown());
        self.noting(
            what,
            move || self.inner.commit(boundary),
            move |end, tally| asked.note(&self.name, end, tally),
        )
    }

    fn begin(&self, fence: Fence) -> Kept<'_, Result<Box<dyn StoreTransaction>, BoundaryEnd>> {
        Box::pin(async move {
            let begun = self.inner.begin(fence).await?;
            Ok(begun.map(|inner| {
                let (store, writes) = (self.name.clone(), self.writes.clone());
                Box::new(RecordingTransaction { store, inner, writes }) as Box<dyn StoreTransaction>
            }))
        })
    }

    fn purge(&self, step: PurgeStep) -> Kept<'_, Purged> {
        self.noting(
            "the purge".to_owned(),
            move || self.inner.purge(step),
            move |purged, tally| *tally.purged.entry(self.name.clone()).or_default() += purged.events,
        )
    }

    hand_on! {
        writes {
        claim_poll(claim: ClaimPoll) -> Option<PollClaim>, "the claim of a poll";
        clear_poll_error(name: String, claim_no: i64) -> bool, "the end of a poll's error";
        fail_poll(failure: PollFailure) -> bool, "the error of a poll";
        give_back_poll(name: String, claim_no: i64, due_ms: i64) -> bool, "a poll given back";
        claim_deliveries(claim: ClaimDeliveries) -> Claimed, "the claim of deliveries";
        finish_delivery(held: Held, now_ms: i64) -> bool, "the end of a delivery";
        retry_delivery(held: Held, due_ms: i64, error: String) -> bool, "a failed attempt of a delivery";
        fail_delivery(held: Held, now_ms: i64, error: String) -> bool, "the failure of a delivery";
        give_back(back: Vec<GiveBack>) -> u64, "deliveries given back";
        give_back_unstarted(tokens: Vec<i64>, now_ms: i64) -> GivenBack, "claims without an answer given back";
        take_over(over: TakeOver) -> Vec<EndedDelivery>, "deliveries taken over";
        expire(now_ms: i64, subscribers: Vec<String>, limit: u32) -> Vec<EndedDelivery>, "deliveries out of time";
        claim_schedule(claim: ClaimSchedule) -> Option<ScheduleClaim>, "the claim of a schedule";
        fail_schedule(name: String, token: i64, now_ms: i64, error: String) -> bool, "the failure of a schedule";
        give_back_schedule(name: String, token: i64, due_ms: i64) -> bool, "a schedule given back";
        start_run(run: NewRun) -> i64, "a batch run";
        claim_run(claim: ClaimRun) -> Option<ClaimedRun>, "the claim of a batch run";
        renew_run(held: Held, until_ms: i64) -> bool, "the longer lease of a batch run";
        retry_run(held: Held, due_ms: i64, error: String) -> bool, "a failed step of a batch run";
        fail_run(held: Held, now_ms: i64, error: String) -> bool, "the failure of a batch run";
        give_back_run(held: Held, due_ms: i64) -> bool, "a batch run given back";
        replay_delivery(replay: ReplayDelivery) -> Option<SetOff>, "a delivery replayed";
        discard_delivery(id: i64, now_ms: i64) -> bool, "a delivery discarded";
        replay_run(id: i64, now_ms: i64) -> Option<SetOff>, "a batch run replayed";
        discard_run(id: i64, now_ms: i64) -> bool, "a batch run discarded";
        poll_now(name: String, now_ms: i64) -> bool, "a poll made due";
        hear(instance: i64, now_ms: i64) -> (), "the sign of life";
        leave(instance: i64) -> (), "the leave of a process";
        }
        reads {
        clock() -> Option<i64>;
        poll_rows() -> Vec<PollRow>;
        outlook(asked: OutlookAsked) -> Outlook;
        schedule_rows() -> Vec<ScheduleRow>;
        query(sql: String, params: Vec<SqlValue>) -> Result<Vec<Row>, String>;
        poll_states() -> Vec<PollState>;
        delivery_counts() -> DeliveryCounts;
        failed_deliveries(limit: u32) -> Vec<FailedDelivery>;
        schedule_states() -> Vec<ScheduleState>;
        run_counts() -> RunCounts;
        failed_runs(limit: u32) -> Vec<FailedRun>;
        lag(now_ms: i64) -> Lag;
        backlog(now_ms: i64) -> Vec<Backlog>;
        }
    }
}

/// A body's transaction, whose commit is a write.
struct RecordingTransaction {
    store: String,
    inner: Box<dyn StoreTransaction>,
    writes: Writes,
}

impl StoreTransaction for RecordingTransaction {
    fn query(&mut self, sql: String, params: Vec<SqlValue>) -> Kept<'_, Result<Vec<Row>, String>> {
        self.inner.query(sql, params)
    }

    fn execute(&mut self, write: Write) -> Kept<'_, Result<u64, BoundaryEnd>> {
        self.inner.execute(write)
    }

    fn commit(self: Box<Self>, rest: Boundary) -> Kept<'static, BoundaryEnd> {
        let RecordingTransaction { store, inner, writes } = *self;
        let asked = Asked::of(&store, &rest);
        let what = format!("the commit of {}", asked.shown());
        Box::pin(async move {
            let note = |end: &BoundaryEnd, tally: &mut Tally| asked.note(&store, end, tally);
            counted(&store, writes, what, move || inner.commit(rest), note).await
        })
    }
}
