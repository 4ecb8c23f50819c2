//! The purge: lets go of what was kept long enough, in bounded steps and within a run's limit.

use crate::budget::Budget;
use crate::clock;
use crate::engine::Engine;
use crate::limits;
use crate::open_store::OpenStore;
use crate::poll::row_name;
use crate::store::PurgeStep;

/// Purges a store until nothing is left to look at, the budget is used up, or the app is stopped; the next purge goes on.
pub async fn run(engine: &Engine, open: &OpenStore) {
    let budget = Budget::begin(&*engine.host, engine.budget_ms);
    let mut after_event = Some(0);
    let (mut events, mut polls, mut runs) = (0, 0, 0);
    while let Some(after) = after_event {
        if engine.stop.is_asked() || budget.run_limit_ms(engine.host.monotonic_us()).is_none() {
            break;
        }
        let purged = open.store.purge(step(engine, open, after)).await;
        let Ok(purged) = open.heed(engine, purged) else { break };
        events += purged.events;
        polls += purged.polls;
        runs += purged.runs;
        after_event = purged.next;
    }
    if events + polls + runs > 0 {
        tracing::info!(store = open.name, events, polls, runs, "purged");
    }
}

fn step(engine: &Engine, open: &OpenStore, after_event: i64) -> PurgeStep {
    let here = engine
        .plan
        .connections
        .iter()
        .filter(|(_, connection)| connection.events_store.as_deref() == Some(open.name.as_str()));
    let polls = here
        .clone()
        .flat_map(|(name, connection)| connection.polls.keys().map(move |poll| row_name(name, poll)));
    PurgeStep {
        now_ms: engine.now_ms(),
        keep_ms: engine.plan.stores.get(&open.name).map_or(i64::MAX, |store| clock::signed(store.keep_ms)),
        keep_of: here.map(|(name, connection)| (name.clone(), clock::signed(connection.keep_ms))).collect(),
        polls: polls.collect(),
        schedules: engine.plan.schedules.keys().cloned().collect(),
        after_event,
        at_most: limits::PURGE_STEP_EVENTS_MAX,
    }
}
