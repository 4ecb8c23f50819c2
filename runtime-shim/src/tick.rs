//! The tick: at each whole minute it finds what is due at its time, starts it and does not wait for it.

mod look;
mod pieces;
mod purge;
#[cfg(all(test, feature = "sqlite"))]
mod tests;

use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::Arc;

use event_listener::EventListener;
use futures_util::future::{Either, select};

use crate::batch;
use crate::clock;
use crate::engine::Engine;
use crate::error_budget::machine_slept;
use crate::limits;
use crate::notes::Note;
use crate::poll::PollTask;
use crate::schedule::ScheduleTask;
use crate::status::Count;
use look::Look;
use pieces::{Line, Pieces};

/// The ticks of one app.
pub struct Ticker {
    engine: Arc<Engine>,
    /// By store, in the order of their names.
    polls: ByStore<PollTask>,
    schedules: ByStore<ScheduleTask>,
    /// Batches and backfills by store.
    batches: BTreeMap<String, Vec<String>>,
    pieces: Pieces,
    /// The tick that last began a purge.
    purged_ms: Option<i64>,
}

/// What each store keeps; there may be a great many, so a tick takes them along without a copy.
type ByStore<T> = BTreeMap<String, Arc<Vec<Arc<T>>>>;

/// Why a wait between ticks ended.
enum Waited {
    Stopped,
    RunDue,
    Passed,
}

impl Ticker {
    /// The ticks of an app with these polls and schedules.
    pub fn new(engine: Arc<Engine>, mut polls: Vec<PollTask>, schedules: Vec<ScheduleTask>) -> Ticker {
        polls.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        let batches = batch::by_store(&engine.plan, &engine.deployable);
        let (polls, schedules) =
            (by_store(polls, |task| &task.store), by_store(schedules, |task| &task.store));
        Ticker { engine, polls, schedules, batches, pieces: Pieces::default(), purged_ms: None }
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
                self.tick(minute_ms);
            }
            // Listening before the workers look: what comes due in between starts one.
            let runs = self.engine.runs.listen();
            let now_ms = self.engine.now_ms();
            let next_ms = clock::minute(now_ms).saturating_add(limits::TICK_MS);
            if clock::minute(now_ms) == minute_ms {
                match self.wait(clock::until(now_ms, next_ms), runs).await {
                    Waited::Stopped => break,
                    Waited::RunDue => self.start_runs(),
                    Waited::Passed => {}
                }
            }
        }
    }

    async fn wait(&self, ms: u64, runs: EventListener) -> Waited {
        let host = &self.engine.host;
        let asleep_ms = host.boot_ms();
        match select(pin!(self.engine.stop.asked()), select(runs, host.sleep(ms))).await {
            Either::Left(_) => return Waited::Stopped,
            Either::Right((Either::Left(_), _)) => return Waited::RunDue,
            Either::Right((Either::Right(_), _)) => {}
        }
        if machine_slept(&self.engine.deployable.runner, ms, host.boot_ms().saturating_sub(asleep_ms)) {
            self.engine.machine_slept().await;
        }
        Waited::Passed
    }

    /// One tick at its time: starts what finds out what is due, and that.
    pub fn tick(&mut self, tick_ms: i64) {
        self.engine.tally.one(Count::Ticks);
        tracing::debug!(tick_ms, "tick");
        for (store, tasks) in &self.polls {
            if let Some(look) = self.look(store, tick_ms) {
                let name = format!("polls of {store}");
                self.pieces.start(
                    &self.engine,
                    Line::Store(store.clone()),
                    &name,
                    look.start_polls(tasks.clone()),
                );
            }
        }
        for (store, tasks) in &self.schedules {
            if let Some(look) = self.look(store, tick_ms) {
                let name = format!("schedules of {store}");
                self.pieces.start(
                    &self.engine,
                    Line::Store(store.clone()),
                    &name,
                    look.start_schedules(tasks.clone()),
                );
            }
        }
        self.start_runs();
        self.purge(tick_ms);
        // The deliveries come last; those that the polls' events make due wake the loop themselves.
        self.engine.notes.leave(Note::Tick);
    }

    fn look(&self, store: &str, tick_ms: i64) -> Option<Look> {
        let open = self.engine.stores.get(store)?.clone();
        Some(Look { engine: self.engine.clone(), open, pieces: self.pieces.clone(), tick_ms })
    }

    /// Starts one more worker for each store that has one free; one that finds a run asks for the next.
    fn start_runs(&self) {
        for (store, batches) in &self.batches {
            let Some(open) = self.engine.stores.get(store) else { continue };
            (0..limits::RUNS_AT_ONCE_MAX).any(|at| {
                let work = batch::work(self.engine.clone(), open.clone(), batches.clone());
                let name = format!("batch runs {store} {at}");
                self.pieces.start(&self.engine, Line::Store(store.clone()), &name, work)
            });
        }
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
            let line = Line::Store(open.name.clone());
            self.pieces.start(&self.engine, line, &name, async move { purge::run(&engine, &open).await });
        }
    }
}

fn by_store<T>(tasks: Vec<T>, store: impl Fn(&T) -> &String) -> ByStore<T> {
    let mut stores: BTreeMap<String, Vec<Arc<T>>> = BTreeMap::new();
    for task in tasks {
        stores.entry(store(&task).clone()).or_default().push(Arc::new(task));
    }
    stores.into_iter().map(|(store, tasks)| (store, Arc::new(tasks))).collect()
}
