//! What can be seen of a running app.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use crate::call::SlotFacts;
use crate::engine::Engine;
use crate::limits;
use crate::store::{DeliveryCounts, FailedDelivery, PollState, StoreError};

/// What a running app shows of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Status {
    /// Whether every store does its work.
    pub ready: bool,
    /// When the loop last said that it lives, in milliseconds since the epoch.
    pub loop_alive_ms: i64,
    /// Each store.
    pub stores: Vec<StoreStatus>,
    /// Each connection with its slots.
    pub slots: Vec<(String, SlotFacts)>,
}

/// What a store shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreStatus {
    /// Its name in the app.
    pub name: String,
    /// Polls with their next due time, last change and last error.
    pub polls: Vec<PollState>,
    /// Deliveries by state.
    pub deliveries: DeliveryCounts,
    /// Failed deliveries, the latest first.
    pub failed: Vec<FailedDelivery>,
}

/// Looks at a running app.
pub async fn status(engine: &Engine) -> Result<Status, StoreError> {
    let mut stores = Vec::new();
    for (name, open) in &engine.stores {
        stores.push(StoreStatus {
            name: name.clone(),
            polls: open.store.poll_states().await?,
            deliveries: open.store.delivery_counts().await?,
            failed: open.store.failed_deliveries(limits::FAILED_SHOWN_MAX).await?,
        });
    }
    let slots = engine.connections.iter().map(|(name, connection)| (name.clone(), connection.slots()));
    Ok(Status {
        ready: engine.stores.values().all(|open| open.errors.is_ready()),
        loop_alive_ms: engine.tally.loop_alive_ms(),
        stores,
        slots: slots.collect(),
    })
}

/// What has happened since the start, counted.
#[derive(Debug, Default)]
pub struct Tally {
    counts: [AtomicU64; Count::ALL.len()],
    loop_alive_ms: AtomicI64,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Minutes that a tick was made for.
    Ticks,
    /// Polls claimed and called.
    PollsMade,
    /// Polls whose answer was the same.
    PollsSame,
    /// Polls that failed.
    PollsFailed,
    /// Events kept by polls and bodies.
    EventsKept,
    /// Deliveries done.
    DeliveriesDone,
    /// Attempts that failed and come again.
    DeliveriesRetried,
    /// Deliveries failed for good.
    DeliveriesFailed,
    /// Deliveries given back as they were.
    DeliveriesGivenBack,
    /// Runs of schedules begun.
    SchedulesRun,
    /// Runs of schedules that failed.
    SchedulesFailed,
    /// Steps of batches and backfills committed.
    StepsDone,
    /// Runs of batches and backfills failed for good.
    RunsFailed,
    /// Turns of the loop.
    Looks,
}

impl Count {
    const ALL: [Count; 14] = [
        Count::Ticks,
        Count::PollsMade,
        Count::PollsSame,
        Count::PollsFailed,
        Count::EventsKept,
        Count::DeliveriesDone,
        Count::DeliveriesRetried,
        Count::DeliveriesFailed,
        Count::DeliveriesGivenBack,
        Count::SchedulesRun,
        Count::SchedulesFailed,
        Count::StepsDone,
        Count::RunsFailed,
        Count::Looks,
    ];
}

impl Tally {
    /// Counts one more.
    pub fn one(&self, count: Count) {
        self.more(count, 1);
    }

    /// Counts `n` more.
    pub fn more(&self, count: Count, n: u64) {
        self.counts[count as usize].fetch_add(n, Ordering::Relaxed);
    }

    /// How many so far.
    pub fn get(&self, count: Count) -> u64 {
        self.counts[count as usize].load(Ordering::Relaxed)
    }

    /// The loop lives.
    pub fn loop_lives(&self, now_ms: i64) {
        self.loop_alive_ms.store(now_ms, Ordering::Relaxed);
    }

    /// When the loop last said so, in milliseconds since the epoch.
    pub fn loop_alive_ms(&self) -> i64 {
        self.loop_alive_ms.load(Ordering::Relaxed)
    }
}
