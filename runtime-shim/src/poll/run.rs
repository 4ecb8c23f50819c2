//! Runs one poll: the claim, the call, and what its answer says to keep.

use std::pin::pin;

use futures_util::future::{Either, select};

use super::PollTask;
use super::event::{PolledEvent, event_of};
use super::step::{PollError, PollStep, step};
use crate::budget::Budget;
use crate::call::Connection;
use crate::engine::{Engine, OpenStore};
use crate::limits;
use crate::notes::Note;
use crate::outbox::{Made, addressed};
use crate::status::Count;
use crate::store::{ClaimPoll, KeepPoll, NewDelivery, NewEvent, PollClaim, PollFailure};
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
    let poll = Claimed { engine, open, task, tick_ms, claim };
    match poll.call(connection).await {
        Called::Event(event) => poll.settle(event).await,
        Called::Failed(error) => poll.fail(error).await,
        Called::Stopped => poll.give_back().await,
    }
}

/// A poll that this process holds.
struct Claimed<'a> {
    engine: &'a Engine,
    open: &'a OpenStore,
    task: &'a PollTask,
    tick_ms: i64,
    claim: PollClaim,
}

enum Called {
    Event(PolledEvent),
    Failed(PollError),
    Stopped,
}

impl Claimed<'_> {
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
                tracing::info!(poll = self.task.name, "same");
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
            trace: trace::begin(&*self.engine.host),
            created_at_ms: now_ms,
        };
        let event_row = addressed(&self.engine.plan, made);
        let deliveries = event_row.deliveries.clone();
        match self.open.store.keep_poll(self.keeping(event.digest, event_row, now_ms)).await {
            Ok(true) => {
                self.open.errors.reset();
                self.engine.tally.one(Count::EventsKept);
                tracing::info!(poll = self.task.name, event = self.task.event, "changed");
                for NewDelivery { subscriber, give_up_ms } in deliveries {
                    self.engine.notes.leave(Note::Due { subscriber, due_ms: now_ms, give_up_ms });
                }
                PollEnd::Kept
            }
            Ok(false) => {
                self.open.errors.reset();
                tracing::info!(poll = self.task.name, "overtaken by a later claim");
                PollEnd::Overtaken
            }
            Err(error) => {
                let text = error.to_string();
                let _ = self.open.heed(self.engine, Err::<(), _>(error));
                self.fail(PollError::store(text)).await
            }
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
        tracing::warn!(poll = self.task.name, kind = error.kind, "{}", error.text);
        let failure = PollFailure {
            name: self.task.name.clone(),
            claim_no: self.claim.claim_no,
            due_ms: self.tick_ms.saturating_add(limits::POLL_RETRY_MS),
            error: error.to_json(),
            failed_at_ms: self.engine.now_ms(),
        };
        match self.open.heed(self.engine, self.open.store.fail_poll(failure).await) {
            Ok(true) => PollEnd::Failed(error),
            Ok(false) => PollEnd::Overtaken,
            Err(_) => PollEnd::StoreFailed,
        }
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
}
