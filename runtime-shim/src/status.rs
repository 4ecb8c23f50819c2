//! What can be seen of a running app.

mod tally;
#[cfg(all(test, feature = "sqlite"))]
mod tests;
mod waits;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::call::SlotFacts;
use crate::engine::Engine;
use crate::limits;
use crate::open_store::OpenStore;
use crate::poll::PollError;
use crate::store::{
    Backlog, DeliveryCounts, FailedDelivery, FailedRun, Lag, PollState, RunCounts, ScheduleState, StoreError,
};
pub use tally::{Count, Tally};
pub use waits::{WaitFacts, Waits};

/// What a running app shows of itself; times are milliseconds since the epoch. It holds no secret, no body and no payload.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// The app's name.
    pub app: String,
    /// When this was looked at, by the store's clock.
    pub now_ms: i64,
    /// Whether every store does its work.
    pub ready: bool,
    /// Whether a stop was asked.
    pub stopping: bool,
    /// When the loop last said that it lives.
    pub loop_alive_ms: i64,
    /// The age of the oldest work of all stores that is due and not taken, ms; `None` where none is.
    pub lag_ms: Option<i64>,
    /// What this process did since its start, by name.
    pub counts: BTreeMap<String, u64>,
    /// Each store.
    pub stores: Vec<StoreStatus>,
    /// Each connection.
    pub connections: Vec<ConnectionStatus>,
    /// How long the deliveries that this process claimed had waited, by event and connection.
    pub waits: Vec<WaitFacts>,
}

/// What a connection shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectionStatus {
    /// Its name in the app.
    pub name: String,
    /// Its slots in this process.
    pub slots: SlotFacts,
    /// Until when its provider asked to be left alone, where it did.
    pub asked_to_wait_until_ms: Option<i64>,
}

/// What a store shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoreStatus {
    /// Its name in the app.
    pub name: String,
    /// Whether it does its work.
    pub ready: bool,
    /// Why it can't be read now; then what follows is empty.
    pub error: Option<String>,
    /// The age of the oldest work that is due and not taken.
    pub lag: Lag,
    /// Deliveries by state.
    pub deliveries: DeliveryCounts,
    /// Batch runs by state.
    pub runs: RunCounts,
    /// Deliveries that are not over, by event, connection and subscriber.
    pub backlog: Vec<Backlog>,
    /// Each poll that ever ran.
    pub polls: Vec<PollStatus>,
    /// Each schedule that was ever seen.
    pub schedules: Vec<ScheduleState>,
    /// Failed deliveries, the latest first.
    pub failed_deliveries: Vec<FailedDelivery>,
    /// Failed batch runs, the latest first.
    pub failed_runs: Vec<FailedRun>,
}

/// What a poll shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PollStatus {
    /// `poll <connection>.<poll>`.
    pub name: String,
    /// When it is next due.
    pub next_due_ms: i64,
    /// When its event last changed.
    pub changed_at_ms: Option<i64>,
    /// Why its last call failed, with each place of an answer that has drifted.
    pub last_error: Option<PollError>,
    /// When that was.
    pub failed_at_ms: Option<i64>,
}

/// Looks at a running app. A store that can't be read says why in its own part.
pub async fn status(engine: &Engine) -> Status {
    let now_ms = engine.now_ms();
    let mut stores = Vec::new();
    for open in engine.stores.values() {
        let seen = store_status(open, now_ms)
            .await
            .unwrap_or_else(|error| StoreStatus { error: Some(error.to_string()), ..StoreStatus::default() });
        stores.push(StoreStatus { name: open.name.clone(), ready: open.is_ready(), ..seen });
    }
    let stopping = engine.stop.is_asked();
    let lags = stores.iter().flat_map(|store| [store.lag.deliveries_ms, store.lag.runs_ms]);
    Status {
        app: engine.plan.app.clone(),
        now_ms,
        ready: stores.iter().all(|store| store.ready),
        stopping,
        loop_alive_ms: engine.tally.loop_alive_ms(),
        lag_ms: lags.max().flatten(),
        counts: engine.tally.all().map(|(name, count)| (name.to_owned(), count)).collect(),
        stores,
        connections: connections(engine),
        waits: engine.waits.facts(),
    }
}

async fn store_status(open: &OpenStore, now_ms: i64) -> Result<StoreStatus, StoreError> {
    let store = &open.store;
    let mut backlog = store.backlog(now_ms).await?;
    backlog.sort();
    Ok(StoreStatus {
        lag: store.lag(now_ms).await?,
        deliveries: store.delivery_counts().await?,
        runs: store.run_counts().await?,
        backlog,
        polls: store.poll_states().await?.into_iter().map(poll_status).collect(),
        schedules: store.schedule_states().await?,
        failed_deliveries: store.failed_deliveries(limits::FAILED_SHOWN_MAX).await?,
        failed_runs: store.failed_runs(limits::FAILED_SHOWN_MAX).await?,
        ..StoreStatus::default()
    })
}

fn poll_status(state: PollState) -> PollStatus {
    let PollState { name, next_due_ms, changed_at_ms, last_error, failed_at_ms } = state;
    let last_error = last_error.map(|text| PollError::from_json(&text));
    PollStatus { name, next_due_ms, changed_at_ms, last_error, failed_at_ms }
}

fn connections(engine: &Engine) -> Vec<ConnectionStatus> {
    let connections = engine.connections.iter().map(|(name, connection)| ConnectionStatus {
        name: name.clone(),
        slots: connection.slots(),
        asked_to_wait_until_ms: connection.asked_to_wait_until_ms(),
    });
    connections.collect()
}
