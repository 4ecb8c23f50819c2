//! Runs one claimed delivery to its end: the body, the boundary's commit, and what is written when there is none.

use std::sync::Arc;

use tracing::Instrument;

use super::body;
use super::gathered::Gathered;
use super::next::{Facts, Next, after_body, after_failure};
use crate::budget::Budget;
use crate::call::{DeliveryTurn, Turn};
use crate::clock;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::engine::Engine;
use crate::host::BoxFuture;
use crate::notes::{Back, Note};
use crate::open_store::OpenStore;
use crate::plan::Subscriber;
use crate::status::Count;
use crate::store::{Boundary, BoundaryEnd, ClaimedDelivery, Fence, GiveBack, NewEvent, StoreError};

/// One attempt of a claimed delivery.
pub struct Attempt {
    /// What the app shares.
    pub engine: Arc<Engine>,
    /// The store that the claim is in.
    pub open: OpenStore,
    /// The claim.
    pub claimed: ClaimedDelivery,
    /// The claimer's budget.
    pub budget: Budget,
    /// When the lease ends: what is written later, another may have taken.
    pub until_ms: i64,
}

/// Runs a delivery and tells the loop that its worker is free, whatever happened.
pub async fn run(attempt: Attempt) {
    let mut freed = Freed {
        engine: attempt.engine.clone(),
        delivery: attempt.claimed.id,
        subscriber: attempt.claimed.subscriber.clone(),
        back: None,
    };
    freed.back = attempt.run().instrument(attempt.span()).await;
}

/// Leaves the note when it is dropped, so that no panic keeps a worker.
struct Freed {
    engine: Arc<Engine>,
    delivery: i64,
    subscriber: String,
    back: Option<Back>,
}

impl Drop for Freed {
    fn drop(&mut self) {
        let (delivery, subscriber) = (self.delivery, std::mem::take(&mut self.subscriber));
        self.engine.notes.leave(Note::Freed { delivery, subscriber, back: self.back.take() });
    }
}

impl Attempt {
    /// The claim, where the loop is to give it back.
    async fn run(&self) -> Option<Back> {
        let Some(subscriber) = self.engine.plan.subscribers.get(&self.claimed.subscriber) else {
            return None; // The loop claims only what the plan names; the lease ends a claim that it should never hold.
        };
        let limit_ms = self.budget.run_limit_ms(self.engine.host.monotonic_us());
        let (Some(limit_ms), false) = (limit_ms, self.engine.stop.is_asked()) else {
            return Some(self.back(self.claimed.due_ms, None));
        };
        let (turn, give_back) = DeliveryTurn::new();
        let mut cx = self.context(Turn::Delivery(turn));
        let event = self.event();
        let end =
            body::run(&self.engine, &self.claimed.subscriber, &mut cx, &event, give_back, limit_ms).await;
        let next = match after_body(end, &self.facts(subscriber)) {
            Next::Commit => match Gathered::of(&self.engine, cx) {
                Ok(gathered) => self.commit(subscriber, gathered).await?,
                Err(text) => after_failure(&text, &self.facts(subscriber)),
            },
            next => next,
        };
        self.settle(next).await
    }

    fn context(&self, turn: Turn) -> Context {
        let mut cx = Context::new(&self.engine, &self.open, turn, self.claimed.trace.as_deref());
        cx.origin.clone_from(&self.claimed.source);
        cx.attempt = self.claimed.attempts;
        cx
    }

    fn event(&self) -> Delivered {
        Delivered {
            name: self.claimed.event.clone(),
            payload: self.claimed.payload.clone(),
            connection: self.claimed.source.clone(),
            occurred_at_ms: self.claimed.occurred_at_ms,
            created_at_ms: self.claimed.created_at_ms,
        }
    }

    fn facts(&self, subscriber: &Subscriber) -> Facts {
        Facts {
            attempts: self.claimed.attempts,
            retry: subscriber.retry,
            now_ms: self.engine.now_ms(),
            due_ms: self.claimed.due_ms,
            give_up_ms: self.claimed.give_up_ms,
            random: self.engine.random(),
        }
    }

    /// Commits the boundary; what becomes of the delivery when it can't be. `None`: it is over.
    async fn commit(&self, subscriber: &Subscriber, gathered: Gathered) -> Option<Next> {
        let Gathered { writes, events } = gathered;
        let end = self
            .insist(|store| {
                let boundary = Boundary {
                    writes: writes.clone(),
                    events: events.clone(),
                    ..Boundary::empty(Fence::Delivery(self.claimed.held()), self.engine.now_ms())
                };
                store.store.commit(boundary)
            })
            .await?;
        match end {
            BoundaryEnd::Done(_) => {
                self.done(&events);
                None
            }
            BoundaryEnd::Fenced | BoundaryEnd::Received => {
                lost();
                None
            }
            BoundaryEnd::Conflict { sql, wanted, got } => {
                let text = format!("conflict: {got} rows where {wanted} were stated, by {sql}");
                Some(after_failure(&text, &self.facts(subscriber)))
            }
            BoundaryEnd::Refused(text) => Some(after_failure(&text, &self.facts(subscriber))),
        }
    }

    fn done(&self, events: &[NewEvent]) {
        self.engine.tally.one(Count::DeliveriesDone);
        self.engine.tally.more(Count::EventsKept, events.len() as u64);
        tracing::debug!("done");
        for event in events {
            for delivery in &event.deliveries {
                let (subscriber, give_up_ms) = (delivery.subscriber.clone(), delivery.give_up_ms);
                self.engine.notes.leave(Note::Due { subscriber, due_ms: event.created_at_ms, give_up_ms });
            }
        }
    }

    /// Writes down how it ended; the claim, where the loop is to give it back.
    async fn settle(&self, next: Next) -> Option<Back> {
        let held = self.claimed.held();
        match next {
            Next::Commit => None,
            Next::Retry { due_ms, error } => {
                let wait_ms = clock::until(self.engine.now_ms(), due_ms);
                tracing::warn!("failed, and comes again in {wait_ms} ms: {error}");
                if self.insist(|open| open.store.retry_delivery(held, due_ms, error.clone())).await? {
                    self.engine.tally.one(Count::DeliveriesRetried);
                    let (subscriber, give_up_ms) = (self.claimed.subscriber.clone(), self.claimed.give_up_ms);
                    self.engine.notes.leave(Note::Due { subscriber, due_ms, give_up_ms });
                } else {
                    lost();
                }
                None
            }
            Next::Fail { error } => {
                tracing::warn!("failed for good: {error}");
                if self
                    .insist(|open| open.store.fail_delivery(held, self.engine.now_ms(), error.clone()))
                    .await?
                {
                    self.engine.tally.one(Count::DeliveriesFailed);
                } else {
                    lost();
                }
                None
            }
            Next::GiveBack { due_ms, full } => Some(self.back(due_ms, full)),
        }
    }

    fn back(&self, due_ms: i64, full: Option<String>) -> Back {
        let claim = GiveBack { held: self.claimed.held(), due_ms };
        Back { claim, give_up_ms: self.claimed.give_up_ms, full }
    }

    /// Asks the store until it answers, until the lease ends and the fence would refuse the write.
    async fn insist<'a, T>(
        &'a self,
        ask: impl Fn(&'a OpenStore) -> BoxFuture<'a, Result<T, StoreError>>,
    ) -> Option<T> {
        self.open.insist(&self.engine, self.until_ms, ask).await
    }

    /// What every line of its log begins with, the handler's own lines included.
    fn span(&self) -> tracing::Span {
        let ClaimedDelivery { id, subscriber, event, attempts, .. } = &self.claimed;
        tracing::info_span!("delivery", id, subscriber, event, attempt = attempts)
    }
}

fn lost() {
    tracing::warn!("its claim was taken by another; nothing of this attempt is kept");
}
