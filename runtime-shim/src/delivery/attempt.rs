//! One attempt of a claimed delivery: its body, the boundary's commit, and what is written when there is none.

use std::sync::Arc;

use tracing::Instrument;

use super::next::{Facts, Next, after};
use crate::body::{self, BodyEnd, Bounds};
use crate::boundary::{self, Terms};
use crate::budget::Budget;
use crate::call::{DeliveryTurn, Turn};
use crate::clock;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::engine::Engine;
use crate::host::BoxFuture;
use crate::limits;
use crate::notes::Back;
use crate::open_store::OpenStore;
use crate::plan::Subscriber;
use crate::status::Count;
use crate::stop::Stop;
use crate::store::{ClaimOwn, ClaimedDelivery, Fence, GiveBack, SetOff, StoreError};
use crate::trace;
use crate::watched::{Piece, PieceEnd};

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
    /// Tells it to end, and to be given back.
    pub stop: Stop,
    /// Who claims what it sets off.
    pub claim: Option<ClaimOwn>,
}

/// How an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttemptEnd {
    /// It is done; this is what it set off, in the store of this name.
    Done(String, Vec<SetOff>),
    /// The body has its value and gathered nothing: whoever claimed it only has to write that it is done.
    Bare,
    /// It comes again then, or goes on in another's hands.
    Pending,
    /// It has failed for good.
    Failed,
    /// The claim is to be given back as it was.
    Back(Back),
}

impl Attempt {
    /// Runs it, and tells whoever watches the delivery, and the loop, what became of it.
    pub async fn run(&mut self) -> AttemptEnd {
        let span = self.span();
        let end = self.run_body().instrument(span).await;
        // First who watches: the loop, told, could make what this set off before anybody watches it.
        match &end {
            AttemptEnd::Done(store, set_off) => {
                self.engine.watched.ended(&self.piece(), &PieceEnd::Done { store, set_off });
                self.engine.notes.set_off(store, set_off);
            }
            AttemptEnd::Failed => self.engine.watched.ended(&self.piece(), &PieceEnd::Failed),
            AttemptEnd::Bare | AttemptEnd::Pending | AttemptEnd::Back(_) => {}
        }
        end
    }

    async fn run_body(&mut self) -> AttemptEnd {
        let event = self.take_event();
        let parent = self.claimed.trace.take();
        let this = &*self;
        let Some((subscriber, target)) = this.subscriber() else {
            return AttemptEnd::Pending; // The loop claims only what it can run; the lease ends a claim that it should never hold.
        };
        let limit_ms = this.budget.run_limit_ms(this.engine.host.monotonic_us());
        let (Some(limit_ms), false) = (limit_ms, this.stop.is_asked()) else {
            return this.back(this.claimed.due_ms, None, None);
        };
        let (turn, give_back) = DeliveryTurn::new();
        let fence = this.fence(target);
        let mut cx = this.context(target, fence.clone(), Turn::Delivery(turn), parent);
        cx.origin.clone_from(&event.connection);
        let bounds = Bounds { limit_ms, stop: this.stop.clone(), give_back: Some(give_back) };
        let name = &this.claimed.subscriber;
        let body = this.engine.dispatch.deliver(name, &mut cx, &event);
        let end = body::run(&this.engine, &bounds, name, body).await;
        if matches!(end, BodyEnd::Value(())) && this.may_be_bare(target) && cx.gathered_nothing() {
            return AttemptEnd::Bare;
        }
        // What only some need is kept out of what every attempt takes of memory.
        Box::pin(async move {
            let until_ms = Some(this.commits_until_ms(target));
            let terms = Terms { open: target, claim: this.claim.clone(), until_ms };
            let end = boundary::commit(&this.engine, terms, cx, end, |(), _| fence).await;
            this.settle(after(end, &this.facts(subscriber)), target).await
        })
        .await
    }

    /// How long a commit that meets trouble is tried again. While the claim's own store is in trouble nothing else can be
    /// done for it; another one's trouble must not hold workers that its own store has work for.
    fn commits_until_ms(&self, target: &OpenStore) -> i64 {
        if target.name == self.open.name {
            return self.until_ms;
        }
        self.until_ms.min(self.engine.now_ms().saturating_add(limits::OTHER_STORE_MS))
    }

    /// The subscriber, and the store that it writes.
    fn subscriber(&self) -> Option<(&Subscriber, &OpenStore)> {
        let subscriber = self.engine.plan.subscribers.get(&self.claimed.subscriber)?;
        Some((subscriber, self.engine.stores.get(&subscriber.store)?))
    }

    /// Whether the loop may write that it is done: it has claimed it, no other store is part of it, and nobody waits to be told.
    fn may_be_bare(&self, target: &OpenStore) -> bool {
        self.claim.is_none() && target.name == self.open.name && !self.engine.watched.has_waits()
    }

    /// What the commit in the subscriber's store depends on.
    fn fence(&self, target: &OpenStore) -> Fence {
        if target.name == self.open.name {
            Fence::Delivery(self.claimed.held())
        } else {
            Fence::Received { store: self.open.name.clone(), delivery: self.claimed.id }
        }
    }

    fn context(&self, target: &OpenStore, fence: Fence, turn: Turn, parent: Option<String>) -> Context {
        let mut cx = Context::new(&self.engine, target, fence, turn, parent);
        cx.attempt = self.claimed.attempts;
        cx
    }

    /// The event as the body gets it; nothing else needs it again.
    fn take_event(&mut self) -> Delivered {
        Delivered {
            name: std::mem::take(&mut self.claimed.event),
            payload: std::mem::take(&mut self.claimed.payload),
            connection: self.claimed.source.take(),
            occurred_at_ms: self.claimed.occurred_at_ms,
            created_at_ms: self.claimed.created_at_ms,
        }
    }

    fn piece(&self) -> Piece {
        Piece::Delivery { store: self.open.name.clone(), id: self.claimed.id }
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

    /// Writes down how it ended where that is not written yet.
    async fn settle(&self, next: Next, target: &OpenStore) -> AttemptEnd {
        let held = self.claimed.held();
        let tally = &self.engine.tally;
        match next {
            Next::Done(set_off) => self.done(target, set_off).await,
            Next::Lost => lost(),
            Next::Retry { due_ms, error } => {
                let wait_ms = clock::until(self.engine.now_ms(), due_ms);
                tracing::warn!("failed, and comes again in {wait_ms} ms: {error}");
                match self.insist(|open| open.store.retry_delivery(held, due_ms, error.clone())).await {
                    Some(true) => {
                        tally.one(Count::DeliveriesRetried);
                        let (subscriber, give_up_ms) = (&self.claimed.subscriber, self.claimed.give_up_ms);
                        self.engine.notes.due(&self.open.name, subscriber, due_ms, give_up_ms);
                        AttemptEnd::Pending
                    }
                    Some(false) => lost(),
                    None => AttemptEnd::Pending,
                }
            }
            Next::Fail { error } => {
                tracing::warn!("failed for good: {error}");
                let now_ms = self.engine.now_ms();
                match self.insist(|open| open.store.fail_delivery(held, now_ms, error.clone())).await {
                    Some(true) => {
                        tally.one(Count::DeliveriesFailed);
                        AttemptEnd::Failed
                    }
                    Some(false) => lost(),
                    None => AttemptEnd::Pending,
                }
            }
            Next::GiveBack { due_ms, full, trouble } => self.back(due_ms, full, trouble),
        }
    }

    /// Its boundary is committed. Where that was in another store, this one is told last: until it is, another run of it finds
    /// there that it is done.
    async fn done(&self, target: &OpenStore, set_off: Vec<SetOff>) -> AttemptEnd {
        if target.name != self.open.name {
            let (held, now_ms) = (self.claimed.held(), self.engine.now_ms());
            if self.insist(|open| open.store.finish_delivery(held, now_ms)).await.is_none() {
                // What it set off is kept all the same, and due.
                self.engine.notes.set_off(&target.name, &set_off);
                return self.back(self.claimed.due_ms, None, None);
            }
        }
        self.engine.tally.one(Count::DeliveriesDone);
        tracing::debug!("done");
        AttemptEnd::Done(target.name.clone(), set_off)
    }

    fn back(&self, due_ms: i64, full: Option<String>, trouble: Option<String>) -> AttemptEnd {
        let claim = GiveBack { held: self.claimed.held(), due_ms };
        AttemptEnd::Back(Back { claim, give_up_ms: self.claimed.give_up_ms, full, trouble })
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
        let ClaimedDelivery { id, subscriber, event, attempts, trace, .. } = &self.claimed;
        let span = tracing::info_span!("delivery", id, subscriber, event, attempt = attempts);
        trace::follow(&span, trace.as_deref());
        span
    }
}

fn lost() -> AttemptEnd {
    tracing::warn!("its claim was taken by another; nothing of this attempt is kept");
    AttemptEnd::Pending
}
