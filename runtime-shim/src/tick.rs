//! The tick: at each whole minute it finds what is due at its time, starts it and does not wait for it.

mod pieces;
mod purge;

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{Either, select};

use crate::clock;
use crate::engine::Engine;
use crate::error_budget::machine_slept;
use crate::limits;
use crate::notes::Note;
use crate::open_store::OpenStore;
use crate::poll::{self, PollTask};
use crate::status::Count;
use crate::store::PollRow;
use pieces::Pieces;

/// The ticks of one app.
pub struct Ticker {
    engine: Arc<Engine>,
    /// By store.
    polls: BTreeMap<String, Vec<Arc<PollTask>>>,
    pieces: Pieces,
    /// The tick that last began a purge.
    purged_ms: Option<i64>,
}

impl Ticker {
    /// The ticks of an app with these polls.
    pub fn new(engine: Arc<Engine>, tasks: Vec<PollTask>) -> Ticker {
        let mut polls: BTreeMap<String, Vec<Arc<PollTask>>> = BTreeMap::new();
        for task in tasks {
            polls.entry(task.store.clone()).or_default().push(Arc::new(task));
        }
        Ticker { engine, polls, pieces: Pieces::default(), purged_ms: None }
    }

    /// Ticks at once, with the last whole minute as the time, and then at every whole minute until the app is stopped.
    pub async fn run(mut self) {
        let mut last_ms = None;
        while !self.engine.stop.is_asked() {
            // The minute begins when the store says so. Where it has not yet, what is left of the last one is waited for.
            self.engine.read_clock().await;
            let now_ms = self.engine.now_ms();
            let minute_ms = clock::minute(now_ms);
            // Compared by what minute it is and never by how long it has been: a clock that steps makes one tick at most.
            if last_ms != Some(minute_ms) {
                last_ms = Some(minute_ms);
                self.tick(minute_ms).await;
            }
            let now_ms = self.engine.now_ms();
            let next_ms = clock::minute(now_ms).saturating_add(limits::TICK_MS);
            if clock::minute(now_ms) == minute_ms && self.wait(clock::until(now_ms, next_ms)).await {
                break;
            }
        }
    }

    /// Whether the app is stopped.
    async fn wait(&self, ms: u64) -> bool {
        let host = &self.engine.host;
        let asleep_ms = host.boot_ms();
        if let Either::Left(_) = select(pin!(self.engine.stop.asked()), host.sleep(ms)).await {
            return true;
        }
        if machine_slept(&self.engine.deployable.runner, ms, host.boot_ms().saturating_sub(asleep_ms)) {
            self.engine.machine_slept().await;
        }
        false
    }

    async fn tick(&mut self, tick_ms: i64) {
        self.engine.tally.one(Count::Ticks);
        tracing::debug!(tick_ms, "tick");
        for (store, tasks) in &self.polls {
            if let Some(open) = self.engine.stores.get(store) {
                self.start_due(open, tasks, tick_ms).await;
            }
        }
        self.purge(tick_ms);
        // The deliveries come last, and so do those that the polls' events make due.
        self.engine.notes.leave(Note::Tick);
    }

    /// One statement tells what is due; a store that fails here is asked again by the next tick.
    async fn start_due(&self, open: &OpenStore, tasks: &[Arc<PollTask>], tick_ms: i64) {
        let rows = open.store.poll_rows().await;
        let Ok(rows) = open.heed_read(&self.engine, rows) else { return };
        let rows: BTreeMap<&str, &PollRow> = rows.iter().map(|row| (row.name.as_str(), row)).collect();
        for task in tasks {
            if poll::is_due(rows.get(task.name.as_str()).copied(), tick_ms, task.every_ms) {
                self.start_poll(open.clone(), task.clone(), tick_ms);
            }
        }
    }

    fn start_poll(&self, open: OpenStore, task: Arc<PollTask>, tick_ms: i64) {
        let engine = self.engine.clone();
        let name = task.name.clone();
        self.pieces.start(&self.engine, &name, async move {
            if let Some(connection) = engine.connections.get(&task.connection).cloned() {
                poll::run(&engine, &open, &connection, &task, tick_ms).await;
            }
        });
    }

    fn purge(&mut self, tick_ms: i64) {
        let due = |last_ms: i64| (tick_ms - last_ms).abs() >= limits::PURGE_EVERY_MS;
        if !self.purged_ms.is_none_or(due) {
            return;
        }
        self.purged_ms = Some(tick_ms);
        for open in self.engine.stores.values() {
            let (engine, open) = (self.engine.clone(), open.clone());
            let name = format!("purge {}", open.name);
            self.pieces.start(&self.engine, &name, async move { purge::run(&engine, &open).await });
        }
    }
}
