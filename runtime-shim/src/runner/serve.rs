//! One turn of the loop over one store: give back, say that it lives, end what is over, claim, and start.

use std::sync::Arc;

use super::lane::{Lane, slots_of};
use crate::budget::Budget;
use crate::delivery::{self, Attempt};
use crate::engine::Engine;
use crate::instance;
use crate::limits;
use crate::status::Count;
use crate::store::{
    ClaimDeliveries, ClaimedDelivery, EndedDelivery, Held, OutlookAsked, StoreError, TakeOver, Wanted,
};
use crate::watched::{Piece, PieceEnd};

/// Each says whether the store did its part; after an error it is left alone for a while.
impl Lane {
    /// Does what there is to do in the store, where up to `free` deliveries may be started. An error leaves the rest to a later
    /// turn.
    pub(super) async fn turn(&mut self, engine: &Arc<Engine>, free: u32) {
        if self.is_asleep(engine.host.monotonic_us()) {
            return;
        }
        if !self.give_back(engine).await
            || !self.give_back_unstarted(engine).await
            || !self.beat(engine).await
        {
            return;
        }
        if free > 0 && !self.tidy(engine).await {
            return;
        }
        self.settle_apart(engine);
        if self.claim(engine, free).await && self.is_stale() && free > 0 {
            self.look(engine).await;
        }
    }

    /// Writes what is still to be written, as a stop asks.
    pub(super) async fn settle(&mut self, engine: &Arc<Engine>) -> bool {
        self.give_back(engine).await
            && self.give_back_unstarted(engine).await
            && self.settle_rest(engine).await
    }

    async fn settle_rest(&mut self, engine: &Arc<Engine>) -> bool {
        while self.settling.may_begin() {
            if !self.claim(engine, 0).await {
                return false;
            }
        }
        true
    }

    /// This process holds nothing here any more.
    pub(super) async fn leave(&self, engine: &Engine) {
        let left = self.open.store.leave(engine.instance).await;
        let _ = self.open.heed(engine, left);
    }

    /// Gives back what was stopped or found no slot, in one statement.
    async fn give_back(&mut self, engine: &Engine) -> bool {
        if self.backs.is_empty() {
            return true;
        }
        let given = self.open.store.give_back(self.backs.clone()).await;
        let Some(count) = self.heed(engine, given) else { return false };
        engine.tally.more(Count::DeliveriesGivenBack, count);
        self.backs.clear();
        true
    }

    /// Gives back what was claimed and never started, since the claim's answer did not come.
    async fn give_back_unstarted(&mut self, engine: &Engine) -> bool {
        let tokens = self.open.unstarted.tokens();
        if tokens.is_empty() {
            return true;
        }
        let given = self.open.store.give_back_unstarted(tokens.clone(), engine.now_ms()).await;
        let Some(given) = self.heed(engine, given) else { return false };
        self.open.unstarted.given_back(&tokens);
        if given.deliveries > 0 {
            engine.tally.more(Count::DeliveriesGivenBack, given.deliveries);
            self.look_anew();
        }
        if given.runs > 0 {
            engine.runs.may_be_due();
        }
        true
    }

    /// Says that this process lives, while it holds claims, also those of what is still to be written as done.
    async fn beat(&mut self, engine: &Engine) -> bool {
        let now_us = engine.host.monotonic_us();
        if !self.holds_any() || !self.heartbeat.is_due(now_us) {
            return true;
        }
        let heard = self.open.store.hear(engine.instance, engine.now_ms()).await;
        let went = self.heed(engine, heard).is_some();
        if went {
            self.heartbeat.heard(now_us);
        }
        went
    }

    /// Ends what is over and frees what other processes lost, where the outlook says that there is any.
    async fn tidy(&mut self, engine: &Engine) -> bool {
        let now_ms = engine.now_ms();
        if (self.is_stale() || self.has_lost(now_ms)) && !self.look(engine).await {
            return false;
        }
        if self.gives_up(now_ms) {
            let subscribers = engine.plan.subscribers.keys().cloned().collect();
            let ended = self.open.store.expire(now_ms, subscribers, limits::ENDED_AT_ONCE_MAX).await;
            let Some(ended) = self.heed(engine, ended) else { return false };
            report(engine, &self.open.name, &ended);
            self.look_anew();
        }
        if self.has_lost(now_ms) {
            let ended = self.open.store.take_over(self.take_over(engine)).await;
            let Some(ended) = self.heed(engine, ended) else { return false };
            report(engine, &self.open.name, &ended);
            self.look_anew();
        }
        !self.is_stale() || self.look(engine).await
    }

    /// Asks when there is next something to do.
    async fn look(&mut self, engine: &Engine) -> bool {
        let asked = OutlookAsked {
            now_ms: engine.now_ms(),
            subscribers: self.subscribers(),
            instance: engine.instance,
            silent_ms: limits::SILENT_MS,
            running: self.running_ids(),
            batches: Vec::new(),
            running_runs: Vec::new(),
        };
        let outlook = self.open.store.outlook(asked).await;
        let outlook = self.open.heed_read(engine, outlook);
        let Some(outlook) = self.or_sleep(engine, outlook) else { return false };
        self.know(&outlook);
        true
    }

    /// What the claim's own transaction makes `done`: nothing where that is written beside the loop, until the stop.
    fn take_dones(&mut self, engine: &Engine) -> Vec<Held> {
        let apart = self.open.store.settles_apart();
        if apart && !engine.stop.is_asked() { Vec::new() } else { self.settling.begin(!apart) }
    }

    /// Settles what is done, unless that is done apart, claims what free workers can start, and starts it; all of it in one
    /// transaction.
    async fn claim(&mut self, engine: &Arc<Engine>, free: u32) -> bool {
        let now_us = engine.host.monotonic_us();
        let wanted =
            if free > 0 { self.wanted(engine.now_ms(), now_us, free, &slots_of(engine)) } else { Vec::new() };
        let done = self.take_dones(engine);
        let settles = !done.is_empty();
        if wanted.is_empty() && !settles {
            return true;
        }
        let budget = Budget::begin(&*engine.host, engine.budget_ms);
        let claim = self.claim_of(engine, &wanted, free, &budget, done);
        let (token, until_ms, hear) = (claim.token, claim.until_ms, claim.hear);
        let claimed = self.open.store.claim_deliveries(claim).await;
        if claimed.is_err() && !wanted.is_empty() {
            self.open.unstarted.add(token);
        }
        let Some(claimed) = self.heed(engine, claimed) else {
            if settles {
                self.settling.failed();
            }
            return false;
        };
        if hear {
            self.heartbeat.heard(now_us);
        }
        engine.waits.claimed(engine.now_ms(), &claimed.deliveries);
        if settles {
            self.done(engine, &claimed.fenced);
        }
        if !wanted.is_empty() {
            self.claimed(&wanted, free, &claimed.deliveries);
        }
        for delivery in claimed.deliveries {
            self.start(engine, delivery, budget, until_ms);
        }
        true
    }

    /// What was to be `done` is, except those that another took.
    pub(super) fn done(&mut self, engine: &Engine, fenced: &[Held]) {
        for Held { id, .. } in fenced {
            tracing::warn!(id, "its claim was taken by another; nothing of this attempt is kept");
        }
        for held in self.settled() {
            if !fenced.contains(&held) {
                engine.tally.one(Count::DeliveriesDone);
                let piece = Piece::Delivery { store: self.open.name.clone(), id: held.id };
                engine.watched.ended(&piece, &PieceEnd::Done { store: &self.open.name, set_off: &[] });
            }
        }
    }

    fn claim_of(
        &self,
        engine: &Engine,
        wanted: &[Wanted],
        free: u32,
        budget: &Budget,
        done: Vec<Held>,
    ) -> ClaimDeliveries {
        let now_us = engine.host.monotonic_us();
        let now_ms = engine.now_ms();
        ClaimDeliveries {
            now_ms,
            token: instance::new_token(&*engine.host),
            instance: engine.instance,
            until_ms: now_ms.saturating_add(budget.lease_ms(now_us)),
            wanted: wanted.to_vec(),
            at_most: free,
            hear: self.heartbeat.is_due(now_us),
            done,
        }
    }

    fn start(&self, engine: &Arc<Engine>, claimed: ClaimedDelivery, budget: Budget, until_ms: i64) {
        let attempt = Attempt {
            engine: engine.clone(),
            open: self.open.clone(),
            claimed,
            budget,
            until_ms,
            stop: engine.stop.clone(),
            claim: None,
        };
        engine.spawn(delivery::run(attempt));
    }

    fn take_over(&self, engine: &Engine) -> TakeOver {
        let attempts = engine.plan.subscribers.iter();
        TakeOver {
            now_ms: engine.now_ms(),
            instance: engine.instance,
            silent_ms: limits::SILENT_MS,
            running: self.running_ids(),
            attempts: attempts.map(|(name, subscriber)| (name.clone(), subscriber.retry.attempts)).collect(),
        }
    }

    fn heed<T>(&mut self, engine: &Engine, result: Result<T, StoreError>) -> Option<T> {
        let heeded = self.open.heed(engine, result);
        self.or_sleep(engine, heeded)
    }

    fn or_sleep<T>(&mut self, engine: &Engine, heeded: Result<T, u64>) -> Option<T> {
        heeded.map_err(|sleep_ms| self.sleep(engine.host.monotonic_us(), sleep_ms)).ok()
    }
}

fn report(engine: &Engine, store: &str, ended: &[EndedDelivery]) {
    for one in ended {
        let EndedDelivery { id, subscriber, failed, error } = one;
        let _entered = tracing::info_span!("delivery", id, subscriber).entered();
        if *failed {
            engine.tally.one(Count::DeliveriesFailed);
            let piece = Piece::Delivery { store: store.to_owned(), id: *id };
            engine.watched.ended(&piece, &PieceEnd::Failed);
            tracing::warn!("failed for good: {error}");
        } else {
            tracing::warn!("{error}; runs again");
        }
    }
}
