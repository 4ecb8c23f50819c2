//! A store as one machine reaches it: over a line that takes time and breaks, with a witness at the store's end.

use std::future::pending;
use std::sync::Arc;

use event_listener::EventListener;
use futures_util::lock::Mutex;

use super::faults::{Fault, Faults};
use super::faulty_transaction::FaultyTransaction;
use super::machine::Machine;
use super::record::{Facts, Record};
use crate::host::Host;
use crate::sql::{Row, SqlValue};
use crate::store::{
    Backlog, Boundary, BoundaryEnd, ClaimDeliveries, ClaimPoll, ClaimRun, ClaimSchedule, Claimed, ClaimedRun,
    DeliveryCounts, EndedDelivery, FailedDelivery, FailedRun, Fence, GiveBack, GivenBack, Held, KeepPoll,
    Kept, Lag, NewRun, Outlook, OutlookAsked, Place, PollClaim, PollFailure, PollRow, PollState, PurgeStep,
    Purged, ReplayDelivery, RunCounts, ScheduleClaim, ScheduleRow, ScheduleState, SetOff, SharedStore, Store,
    StoreError, StoreErrorKind, StoreTransaction, TakeOver,
};

/// A store over such a line.
#[derive(Clone)]
pub struct FaultyStore {
    pub name: String,
    pub inner: SharedStore,
    pub machine: Arc<Machine>,
    /// How its log calls the machine.
    pub number: u64,
    pub faults: Arc<Faults>,
    pub record: Arc<Record>,
    /// Held by a body's transaction. Its store lets nobody else write meanwhile, and what waited for that there would take
    /// effect after its machine is lost, unseen.
    pub turn: Arc<Mutex<()>>,
}

impl FaultyStore {
    /// Runs a commit of a transaction, and has the witness see what it did.
    pub async fn commit_of(
        &self,
        boundary: Boundary,
        transaction: Box<dyn StoreTransaction>,
    ) -> Result<BoundaryEnd, StoreError> {
        let what = "commit of a transaction";
        let fault = self.faults.next(what).fault;
        match fault {
            Fault::CrashBefore => return self.crash(what).await,
            Fault::Unsent => return self.broken(what, fault),
            _ => {}
        }
        let asked = boundary.clone();
        let end = transaction.commit(boundary).await;
        if let Ok(end) = &end {
            self.record.facts().committed(&self.name, &asked, end);
        }
        let told = end.as_ref().map_err(|error| &error.kind);
        self.record.trace(|| format!("m{} {}.{what} {told:?} {fault:?}", self.number, self.name));
        match fault {
            Fault::CrashAfter => self.crash(what).await,
            Fault::Unanswered => self.broken(what, fault),
            _ => end,
        }
    }

    /// What the witness calls its deliveries.
    fn deliveries(&self) -> String {
        format!("delivery of {}", self.name)
    }

    /// What the witness calls its batch runs.
    fn runs(&self) -> String {
        format!("run of {}", self.name)
    }

    /// Asks the store, and has the witness see what it did.
    fn ask<'a, T: Send + std::fmt::Debug + 'a>(
        &'a self,
        what: &'static str,
        ask: impl FnOnce(&'a SharedStore) -> Kept<'a, T> + Send + 'a,
        see: impl FnOnce(&mut Facts, &T) + Send + 'a,
    ) -> Kept<'a, T> {
        Box::pin(async move {
            self.faults.answers(what).await;
            let fate = self.faults.next(what);
            if fate.there_ms > 0 {
                self.machine.sleep(fate.there_ms).await;
            }
            match fate.fault {
                Fault::CrashBefore => return self.crash(what).await,
                Fault::Unsent => return self.broken(what, fate.fault),
                _ => {}
            }
            let answer = {
                let _turn = self.turn.lock().await;
                ask(&self.inner).await
            };
            {
                let mut facts = self.record.facts();
                facts.statements += 1;
                if let Ok(answer) = &answer {
                    see(&mut facts, answer);
                }
            }
            let (number, name) = (self.number, &self.name);
            self.record.trace(|| {
                // Not where its file is, which is another each time.
                let told = answer.as_ref().map_err(|error| &error.kind);
                format!("m{number} {name}.{what} {told:?} {:?}", fate.fault)
            });
            if fate.back_ms > 0 {
                self.machine.sleep(fate.back_ms).await;
            }
            match fate.fault {
                Fault::CrashAfter => self.crash(what).await,
                Fault::Unanswered => self.broken(what, fate.fault),
                _ => answer,
            }
        })
    }

    async fn crash<T>(&self, what: &str) -> T {
        self.record.trace(|| format!("m{} is lost around {}.{what}", self.number, self.name));
        self.machine.crash();
        pending().await
    }

    fn broken<T>(&self, what: &str, fault: Fault) -> Result<T, StoreError> {
        self.record.trace(|| format!("m{} {}.{what} breaks: {fault:?}", self.number, self.name));
        let why = "the line broke".to_owned();
        let kind = if fault == Fault::Unsent {
            StoreErrorKind::Unreachable(why)
        } else {
            StoreErrorKind::Uncertain(why)
        };
        Err(StoreError { store: Place { name: self.name.clone(), file: "far away".to_owned() }, kind })
    }
}

/// Statements whose effect is no part of what is checked.
macro_rules! unseen {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => {
        $(fn $name(&self, $($arg: $ty),*) -> Kept<'_, $out> {
            self.ask(stringify!($name), move |inner| inner.$name($($arg),*), |_, _| {})
        })*
    };
}

/// Those of them that may wake a loop.
macro_rules! waking {
    ($($name:ident($($arg:ident: $ty:ty),*) -> $out:ty;)*) => {
        $(fn $name(&self, $($arg: $ty),*) -> Kept<'_, $out> {
            self.ask(stringify!($name), move |inner| inner.$name($($arg),*), |facts, _| facts.wakes += 1)
        })*
    };
}

/// Those that end a claim, or make it longer, while it stands.
macro_rules! held {
    ($($name:ident of $kind:ident($($arg:ident: $ty:ty),*);)*) => {
        $(fn $name(&self, held: Held, $($arg: $ty),*) -> Kept<'_, bool> {
            self.ask(
                stringify!($name),
                move |inner| inner.$name(held, $($arg),*),
                move |facts, stood| {
                    facts.wakes += 1;
                    if *stood {
                        facts.held(&self.$kind(), held);
                    }
                },
            )
        })*
    };
}

impl Store for FaultyStore {
    fn operations(&self) -> u64 {
        self.inner.operations()
    }

    fn wakes(&self) -> Option<EventListener> {
        self.inner.wakes()
    }

    fn settles_apart(&self) -> bool {
        self.inner.settles_apart()
    }

    fn claim_poll(&self, claim: ClaimPoll) -> Kept<'_, Option<PollClaim>> {
        let asked = claim.clone();
        self.ask(
            "claim_poll",
            move |inner| inner.claim_poll(claim),
            move |facts, got| facts.claimed_poll(&asked, got.is_some()),
        )
    }

    fn keep_poll(&self, keep: KeepPoll) -> Kept<'_, bool> {
        let asked = keep.clone();
        self.ask(
            "keep_poll",
            move |inner| inner.keep_poll(keep),
            move |facts, kept| facts.kept_poll(&asked, *kept),
        )
    }

    fn fail_poll(&self, failure: PollFailure) -> Kept<'_, bool> {
        let asked = failure.clone();
        self.ask(
            "fail_poll",
            move |inner| inner.fail_poll(failure),
            move |facts, stood| facts.failed_poll(&asked, *stood),
        )
    }

    fn give_back_poll(&self, name: String, claim_no: i64, due_ms: i64) -> Kept<'_, bool> {
        let asked = name.clone();
        self.ask(
            "give_back_poll",
            move |inner| inner.give_back_poll(name, claim_no, due_ms),
            move |facts, stood| facts.poll_due(&asked, due_ms, *stood),
        )
    }

    fn poll_now(&self, name: String, now_ms: i64) -> Kept<'_, bool> {
        let asked = name.clone();
        self.ask(
            "poll_now",
            move |inner| inner.poll_now(name, now_ms),
            move |facts, stood| facts.poll_due(&asked, now_ms, *stood),
        )
    }

    fn commit(&self, boundary: Boundary) -> Kept<'_, BoundaryEnd> {
        let asked = boundary.clone();
        self.ask(
            "commit",
            move |inner| inner.commit(boundary),
            move |facts, end| facts.committed(&self.name, &asked, end),
        )
    }

    fn claim_deliveries(&self, claim: ClaimDeliveries) -> Kept<'_, Claimed> {
        let (kind, done) = (self.deliveries(), claim.done.clone());
        // What only settles is chosen by a name of its own.
        let what = if claim.wanted.is_empty() { "settle_deliveries" } else { "claim_deliveries" };
        self.ask(
            what,
            move |inner| inner.claim_deliveries(claim),
            move |facts, got| {
                facts.wakes += 1;
                let kept = done.iter().filter(|held| !got.fenced.contains(held));
                kept.for_each(|held| facts.held(&kind, *held));
                got.deliveries.iter().for_each(|one| facts.claimed(&kind, one.id, one.token));
            },
        )
    }

    fn claim_run(&self, claim: ClaimRun) -> Kept<'_, Option<ClaimedRun>> {
        let kind = self.runs();
        self.ask(
            "claim_run",
            move |inner| inner.claim_run(claim),
            move |facts, got| got.iter().for_each(|one| facts.claimed(&kind, one.id, one.token)),
        )
    }

    fn begin(&self, fence: Fence) -> Kept<'_, Result<Box<dyn StoreTransaction>, BoundaryEnd>> {
        Box::pin(async move {
            self.faults.answers("begin").await;
            match self.faults.next("begin").fault {
                Fault::CrashBefore | Fault::CrashAfter => self.crash("begin").await,
                fault @ (Fault::Unsent | Fault::Unanswered) => self.broken("begin", fault),
                Fault::None => {
                    let turn = self.turn.clone().lock_owned().await;
                    let begun = self.inner.begin(fence).await?;
                    Ok(begun.map(|inner| {
                        let line = self.clone();
                        Box::new(FaultyTransaction { line, inner, turn }) as Box<dyn StoreTransaction>
                    }))
                }
            }
        })
    }

    fn claim_schedule(&self, claim: ClaimSchedule) -> Kept<'_, Option<ScheduleClaim>> {
        let asked = claim.clone();
        self.ask(
            "claim_schedule",
            move |inner| inner.claim_schedule(claim),
            move |facts, got| facts.claimed_schedule(&asked, got.as_ref()),
        )
    }

    fn fail_schedule(&self, name: String, token: i64, now_ms: i64, error: String) -> Kept<'_, bool> {
        self.ask(
            "fail_schedule",
            move |inner| inner.fail_schedule(name, token, now_ms, error),
            |facts, stood| facts.failed_schedule(*stood),
        )
    }

    fn give_back_unstarted(&self, tokens: Vec<i64>, now_ms: i64) -> Kept<'_, GivenBack> {
        self.ask(
            "give_back_unstarted",
            move |inner| inner.give_back_unstarted(tokens, now_ms),
            move |facts, given| facts.given_back_unstarted(*given, now_ms),
        )
    }

    fn give_back_schedule(&self, name: String, token: i64, due_ms: i64) -> Kept<'_, bool> {
        self.ask(
            "give_back_schedule",
            move |inner| inner.give_back_schedule(name, token, due_ms),
            move |facts, stood| facts.given_back_schedules(u64::from(*stood), due_ms),
        )
    }

    fn give_back(&self, back: Vec<GiveBack>) -> Kept<'_, u64> {
        let asked: Vec<Held> = back.iter().map(|back| back.held).collect();
        self.ask(
            "give_back",
            move |inner| inner.give_back(back),
            move |facts, stood| {
                facts.wakes += 1;
                facts.gave_back(&self.deliveries(), &asked, *stood);
            },
        )
    }

    held! {
        finish_delivery of deliveries(now_ms: i64);
        retry_delivery of deliveries(due_ms: i64, error: String);
        fail_delivery of deliveries(now_ms: i64, error: String);
        renew_run of runs(until_ms: i64);
        retry_run of runs(due_ms: i64, error: String);
        fail_run of runs(now_ms: i64, error: String);
        give_back_run of runs(due_ms: i64);
    }

    waking! {
        take_over(over: TakeOver) -> Vec<EndedDelivery>;
        start_run(run: NewRun) -> i64;
        replay_delivery(replay: ReplayDelivery) -> Option<SetOff>;
        replay_run(id: i64, now_ms: i64) -> Option<SetOff>;
        leave(instance: i64) -> ();
    }

    unseen! {
        clock() -> Option<i64>;
        poll_rows() -> Vec<PollRow>;
        clear_poll_error(name: String, claim_no: i64) -> bool;
        outlook(asked: OutlookAsked) -> Outlook;
        expire(now_ms: i64, subscribers: Vec<String>, limit: u32) -> Vec<EndedDelivery>;
        schedule_rows() -> Vec<ScheduleRow>;
        discard_delivery(id: i64, now_ms: i64) -> bool;
        discard_run(id: i64, now_ms: i64) -> bool;
        hear(instance: i64, now_ms: i64) -> ();
        purge(step: PurgeStep) -> Purged;
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
