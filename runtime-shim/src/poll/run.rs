//! Runs one poll: the claim, the call, and what its answer says to keep.

use std::pin::pin;

use futures_util::future::{Either, select};
use tracing::Instrument;

use super::PollTask;
use super::event::{PolledEvent, event_of};
use super::step::{PollError, PollStep, step};
use crate::budget::Budget;
use crate::call::Connection;
use crate::clock;
use crate::engine::Engine;
use crate::host::BoxFuture;
use crate::limits;
use crate::open_store::OpenStore;
use crate::outbox::{Made, addressed};
use crate::status::Count;
use crate::store::{ClaimPoll, KeepPoll, NewDelivery, NewEvent, PollClaim, PollFailure, StoreError};
use crate::trace;

/// How a poll ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PollEnd {
    /// It is not due, or another instance has it.
    NotDue,
    /// A changed or first answer was kept.
    Kept,
    /// The answer was the same.
    Same,
    /// A later claim got there first; nothing of this one is kept.
    Overtaken,
    /// The call failed.
    Failed(PollError),
    /// It was stopped; it is due at the next tick.
    Stopped,
    /// The store failed before the call was made, or could keep nothing at all.
    StoreFailed,
}

/// Takes a poll when it is due at the tick's time, calls, and keeps what changed.
pub async fn run(
    engine: &Engine,
    open: &OpenStore,
    connection: &Connection,
    task: &PollTask,
    tick_ms: i64,
) -> PollEnd {
    let claim =
        ClaimPoll { name: task.name.clone(), tick_ms, every_ms: task.every_ms, keep_ms: task.keep_ms };
    let claim = match open.heed(engine, open.store.claim_poll(claim).await) {
        Ok(Some(claim)) => claim,
        Ok(None) => return PollEnd::NotDue,
        Err(_) => return PollEnd::StoreFailed,
    };
    engine.tally.one(Count::PollsMade);
    let until_ms = engine.now_ms().saturating_add(clock::signed(engine.budget_ms.min(limits::RUN_MS_MAX)));
    let poll = Claimed { engine, open, task, tick_ms, until_ms, claim };
    poll.run(connection).instrument(tracing::info_span!("poll", name = task.label)).await
}

/// A poll that this process holds.
struct Claimed<'a> {
    engine: &'a Engine,
    open: &'a OpenStore,
    task: &'a PollTask,
    tick_ms: i64,
    /// When it is given up to write down how it ended.
    until_ms: i64,
    claim: PollClaim,
}

enum Called {
    Event(PolledEvent),
    Failed(PollError),
    Stopped,
}

impl Claimed<'_> {
    async fn run(&self, connection: &Connection) -> PollEnd {
        match self.call(connection).await {
            Called::Event(event) => self.settle(event).await,
            Called::Failed(error) => self.fail(error).await,
            Called::Stopped => self.give_back().await,
        }
    }

    /// The call, as the runtime's own work: stopped with the process, and held to a run's limit.
    async fn call(&self, connection: &Connection) -> Called {
        let host = &self.engine.host;
        let budget = Budget::begin(&**host, self.engine.budget_ms);
        let limit_ms = budget.run_limit_ms(host.monotonic_us()).unwrap_or(0);
        let call = pin!(connection.read(&self.task.operation));
        let stop = pin!(self.engine.stop.asked());
        match select(call, select(stop, host.sleep(limit_ms))).await {
            Either::Left((Ok(answer), _)) => match event_of(&self.engine.plan, &self.task.event, &answer) {
                Ok(event) => Called::Event(event),
                Err(error) => Called::Failed(error),
            },
            Either::Left((Err(error), _)) => Called::Failed(PollError::from(&error)),
            Either::Right((Either::Left(_), _)) => Called::Stopped,
            Either::Right((Either::Right(_), _)) => Called::Failed(PollError::deadline(limit_ms)),
        }
    }

    async fn settle(&self, event: PolledEvent) -> PollEnd {
        match step(&self.claim, &event) {
            PollStep::Same { clear_error } => {
                self.engine.tally.one(Count::PollsSame);
                tracing::info!("{}the same", if clear_error { "answers again: " } else { "" });
                if clear_error {
                    let cleared =
                        self.open.store.clear_poll_error(self.task.name.clone(), self.claim.claim_no).await;
                    // The answer itself is in order; an error that stays shown is cleared by the next one.
                    let _ = self.open.heed(self.engine, cleared);
                }
                PollEnd::Same
            }
            PollStep::Keep => self.keep(event).await,
        }
    }

    async fn keep(&self, event: PolledEvent) -> PollEnd {
        let now_ms = self.engine.now_ms();
        let made = Made {
            name: self.task.event.clone(),
            source: Some(self.task.connection.clone()),
            payload: event.payload,
            trace: trace::within(&*self.engine.host, None),
            created_at_ms: now_ms,
        };
        let keeping = self.keeping(event.digest, addressed(&self.engine.plan, made), now_ms);
        match self.insist(|open| open.store.keep_poll(keeping.clone())).await {
            Some(true) => {
                self.kept(&keeping.event);
                PollEnd::Kept
            }
            Some(false) => overtaken(),
            None => self.unwritten().await,
        }
    }

    fn kept(&self, event: &NewEvent) {
        self.engine.tally.one(Count::EventsKept);
        let hearers: Vec<&str> = event.deliveries.iter().map(|one| one.subscriber.as_str()).collect();
        let again = if self.claim.last_error.is_some() { "answers again: " } else { "" };
        let what = if self.claim.digest.is_some() { "changed" } else { "the first answer" };
        tracing::info!("{again}{what}, {} for {}", event.name, hearers.join(", "));
        for NewDelivery { subscriber, give_up_ms } in &event.deliveries {
            self.engine.notes.due(&self.open.name, subscriber, event.created_at_ms, *give_up_ms);
        }
    }

    fn keeping(&self, digest: String, event: NewEvent, now_ms: i64) -> KeepPoll {
        KeepPoll {
            name: self.task.name.clone(),
            claim_no: self.claim.claim_no,
            digest_was: self.claim.digest.clone(),
            digest,
            changed_at_ms: now_ms,
            event,
        }
    }

    /// Nothing is kept; it is due again a minute after its tick, under its own claim.
    async fn fail(&self, error: PollError) -> PollEnd {
        self.engine.tally.one(Count::PollsFailed);
        let failure = PollFailure {
            name: self.task.name.clone(),
            claim_no: self.claim.claim_no,
            due_ms: self.tick_ms.saturating_add(limits::POLL_RETRY_MS),
            error: error.to_json(),
            failed_at_ms: self.engine.now_ms(),
        };
        // What goes on failing alike is told once, and not each minute.
        if self.claim.last_error.as_ref() == Some(&failure.error) {
            tracing::debug!(kind = error.kind, "fails as before: {}", error.text);
        } else {
            tracing::warn!(kind = error.kind, "failed, and is called again each minute: {}", error.text);
        }
        match self.insist(|open| open.store.fail_poll(failure.clone())).await {
            Some(true) => PollEnd::Failed(error),
            Some(false) => overtaken(),
            None => self.unwritten().await,
        }
    }

    /// The store did not come back in time, or the app is stopped meanwhile: then it is due at the next tick, if the store
    /// takes at least that.
    async fn unwritten(&self) -> PollEnd {
        if self.engine.stop.is_asked() { self.give_back().await } else { PollEnd::StoreFailed }
    }

    async fn give_back(&self) -> PollEnd {
        let given =
            self.open.store.give_back_poll(self.task.name.clone(), self.claim.claim_no, self.tick_ms).await;
        match self.open.heed(self.engine, given) {
            Ok(true) => PollEnd::Stopped,
            Ok(false) => PollEnd::Overtaken,
            Err(_) => PollEnd::StoreFailed,
        }
    }

    async fn insist<'a, T>(
        &'a self,
        ask: impl Fn(&'a OpenStore) -> BoxFuture<'a, Result<T, StoreError>>,
    ) -> Option<T> {
        self.open.insist(self.engine, self.until_ms, ask).await
    }
}

fn overtaken() -> PollEnd {
    tracing::info!("a later call was faster; nothing of this one is kept");
    PollEnd::Overtaken
}
