//! `settle:`: whoever ran an action waits for what it set off, and for all that this sets off.
//!
//! The deliveries are claimed in the commits that set them off, and run here, beside the loop and not behind its backlog. A
//! retry and a batch run are the loop's, which tells here how they ended.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::{Either, select};

use crate::action::{self, ActionEnd, Ask};
use crate::budget::{self, Budget};
use crate::delivery::{Attempt, AttemptEnd};
use crate::engine::Engine;
use crate::instance;
use crate::limits;
use crate::notes::Back;
use crate::open_store::OpenStore;
use crate::status::Count;
use crate::stop::Stop;
use crate::store::{ClaimOwn, ClaimedDelivery, GiveBack, SetOff};
use crate::tasks::Tasks;
use crate::watched::Wait;

/// How an action ended that was waited for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settled {
    /// How the action itself ended.
    pub end: ActionEnd,
    /// Pieces of what it set off that failed for good.
    pub failed: u64,
    /// Pieces that have not ended: the time was over, the app stops, or another process has them.
    pub pending: u64,
}

/// Runs an action and waits for what it sets off, both together as long as the action may run. What still runs then is given
/// back as it was.
pub async fn run(engine: &Arc<Engine>, ask: Ask) -> Settled {
    let settle = Settle::begin(engine, ask.limit_ms);
    let store = engine.plan.actions.get(&ask.action).map(|action| action.store.clone());
    let end = action::run(engine, Ask { claim: Some(settle.claim()), ..ask }).await;
    match (&end, store) {
        (ActionEnd::Done { set_off, .. }, Some(store)) => {
            settle.wait.add(&store, set_off.clone());
            settle.until_all_ended().await;
            settle.give_back().await;
        }
        // It may be committed all the same, and what it set off claimed.
        (ActionEnd::StoreTrouble(_), Some(store)) => settle.lost_answer(engine.stores.get(&store)),
        _ => {}
    }
    let (failed, pending) = (settle.wait.failed(), settle.wait.pending());
    Settled { end, failed, pending }
}

/// One wait.
struct Settle<'e> {
    engine: &'e Arc<Engine>,
    wait: Wait<'e>,
    /// Tells what it runs to be given back; also when the wait itself is dropped.
    stop: Stop,
    /// What it runs.
    tasks: Tasks,
    /// Whether the answer to a commit may not have come, which claimed what it set off.
    unsure: Arc<AtomicBool>,
    token: i64,
    /// When its claims end.
    until_ms: i64,
    /// When it stops waiting, by the monotonic clock.
    ends_us: u64,
}

impl Drop for Settle<'_> {
    fn drop(&mut self) {
        self.stop.ask();
    }
}

impl<'e> Settle<'e> {
    fn begin(engine: &'e Arc<Engine>, within_ms: u64) -> Settle<'e> {
        Settle {
            engine,
            wait: engine.watched.wait(),
            stop: Stop::default(),
            tasks: Tasks::default(),
            unsure: Arc::default(),
            token: instance::new_token(&*engine.host),
            until_ms: engine.now_ms().saturating_add(budget::route_lease_ms()),
            ends_us: engine.host.monotonic_us().saturating_add(within_ms.saturating_mul(1_000)),
        }
    }

    fn claim(&self) -> ClaimOwn {
        ClaimOwn {
            token: self.token,
            instance: self.engine.instance,
            until_ms: self.until_ms,
            subscribers: self.engine.deployable.subscribers.clone(),
            batches: Vec::new(),
        }
    }

    /// Runs what was claimed for it until nothing is left, its time is over or the app stops.
    async fn until_all_ended(&self) {
        let host = &self.engine.host;
        let mut heard_us = host.monotonic_us();
        loop {
            let changed = self.wait.listen();
            self.start_claimed();
            let now_us = host.monotonic_us();
            let left_ms = self.ends_us.saturating_sub(now_us).div_ceil(1_000);
            if self.wait.pending() == 0 || left_ms == 0 || self.engine.stop.is_asked() {
                return;
            }
            let silent_ms = now_us.saturating_sub(heard_us) / 1_000;
            if silent_ms >= limits::HEARD_EVERY_MS {
                self.hear().await;
                heard_us = now_us;
                continue;
            }
            let pause_ms = left_ms.min(limits::HEARD_EVERY_MS - silent_ms);
            let stop = pin!(self.engine.stop.asked());
            select(select(changed, stop), host.sleep(pause_ms)).await;
        }
    }

    /// Says that this process lives, which the loop says only of claims of its own.
    async fn hear(&self) {
        for open in self.engine.stores.values() {
            let heard = open.store.hear(self.engine.instance, self.engine.now_ms()).await;
            let _ = open.heed(self.engine, heard);
        }
    }

    /// Ends what runs, a commit excepted, and waits a bounded time until it is given back.
    async fn give_back(&self) {
        self.stop.ask();
        let over = pin!(self.engine.host.sleep(limits::SETTLE_STOP_MS));
        let all = pin!(async {
            loop {
                self.tasks.all_ended().await;
                // A commit that came in the same moment may have claimed more; told to stop, that is given back at once.
                if !self.start_claimed() {
                    return;
                }
            }
        });
        if let Either::Right(_) = select(all, over).await {
            tracing::debug!("what was waited for is still being given back");
        } else if self.unsure.load(Ordering::Relaxed) {
            // Nothing of it runs any more, so whatever still stands under its token was never started.
            self.lost_answer(self.engine.stores.values());
        }
    }

    fn lost_answer<'o>(&self, stores: impl IntoIterator<Item = &'o OpenStore>) {
        stores.into_iter().for_each(|open| open.lost_answer(self.engine, self.token));
    }

    /// Whether there was any.
    fn start_claimed(&self) -> bool {
        let claimed = self.wait.take_to_run();
        let any = !claimed.is_empty();
        for (store, claimed) in claimed {
            if let Some(open) = self.engine.stores.get(&store) {
                self.start(open.clone(), claimed);
            }
        }
        any
    }

    fn start(&self, open: OpenStore, claimed: ClaimedDelivery) {
        let engine = self.engine.clone();
        let mut attempt = Attempt {
            budget: Budget::begin(&*engine.host, engine.budget_ms),
            engine: engine.clone(),
            open,
            claimed,
            until_ms: self.until_ms,
            stop: self.stop.clone(),
            claim: Some(self.claim()),
        };
        let (running, unsure) = (self.tasks.begin(), self.unsure.clone());
        engine.spawn(async move {
            match attempt.run().await {
                AttemptEnd::Back(back) => {
                    give_back(&attempt.engine, &attempt.open, &attempt.claimed, back).await;
                }
                AttemptEnd::Done(store, set_off) if attempt.stop.is_asked() => {
                    give_back_claimed(&attempt.engine, &store, set_off).await;
                }
                AttemptEnd::Pending => unsure.store(true, Ordering::Relaxed),
                AttemptEnd::Done(..) | AttemptEnd::Bare | AttemptEnd::Failed => {}
            }
            drop(running);
        });
    }
}

/// Gives a claim back as it was, and tells the loop; where the store fails, the lease's end does.
async fn give_back(engine: &Engine, open: &OpenStore, claimed: &ClaimedDelivery, back: Back) {
    let given = open.store.give_back(vec![back.claim]).await;
    if let Ok(count) = open.heed(engine, given) {
        engine.tally.more(Count::DeliveriesGivenBack, count);
        engine.notes.due(&open.name, &claimed.subscriber, back.claim.due_ms, back.give_up_ms);
    }
}

/// Nobody waits any more for what a last commit claimed.
async fn give_back_claimed(engine: &Engine, store: &str, set_off: Vec<SetOff>) {
    let Some(open) = engine.stores.get(store) else { return };
    for one in set_off {
        if let SetOff::Delivery { claimed: Some(claimed), give_up_ms, due_ms, .. } = one {
            let claim = GiveBack { held: claimed.held(), due_ms };
            give_back(engine, open, &claimed, Back { claim, give_up_ms, full: None, trouble: None }).await;
        }
    }
}
