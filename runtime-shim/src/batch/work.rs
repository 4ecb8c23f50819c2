//! Claims the runs that are due, one after another, a few workers beside each other.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use event_listener::{Event, EventListener};

use super::run::{Run, RunEnd};
use crate::budget::Budget;
use crate::engine::Engine;
use crate::instance;
use crate::limits;
use crate::open_store::OpenStore;
use crate::store::ClaimRun;

/// The runs that this process works on, and the news that there may be more.
#[derive(Debug, Default)]
pub struct BatchRuns {
    /// By store and id.
    running: Mutex<BTreeSet<(String, i64)>>,
    news: Event,
}

impl BatchRuns {
    /// Tells that a run may be due, or that a worker found one and another may find more.
    pub fn may_be_due(&self) {
        self.news.notify(usize::MAX);
    }

    /// Hears that.
    pub fn listen(&self) -> EventListener {
        self.news.listen()
    }

    fn in_store(&self, store: &str) -> Vec<i64> {
        self.lock().iter().filter(|(of, _)| of == store).map(|(_, id)| *id).collect()
    }

    fn begin(&self, store: &str, id: i64) -> Running<'_> {
        let key = (store.to_owned(), id);
        self.lock().insert(key.clone());
        Running { runs: self, key }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeSet<(String, i64)>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the run off when it is dropped, so that a panic leaves none that nobody works on.
struct Running<'r> {
    runs: &'r BatchRuns,
    key: (String, i64),
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.runs.lock().remove(&self.key);
    }
}

/// Works on the runs of these batches until none is due, the store fails, or the app is stopped.
pub async fn work(engine: Arc<Engine>, open: OpenStore, batches: Vec<String>) {
    while !engine.stop.is_asked() {
        let budget = Budget::begin(&*engine.host, engine.budget_ms);
        let now_ms = engine.now_ms();
        let until_ms = now_ms.saturating_add(budget.lease_ms(engine.host.monotonic_us()));
        let token = instance::new_token(&*engine.host);
        let claim = ClaimRun {
            now_ms,
            token,
            instance: engine.instance,
            until_ms,
            silent_ms: limits::SILENT_MS,
            batches: batches.clone(),
            running: engine.runs.in_store(&open.name),
        };
        let claimed = open.store.claim_run(claim).await;
        if claimed.is_err() {
            open.lost_answer(&engine, token);
        }
        let Ok(Some(claimed)) = open.heed(&engine, claimed) else { return };
        let running = engine.runs.begin(&open.name, claimed.id);
        engine.runs.may_be_due();
        let run = Run { engine: &engine, open: &open, budget, until_ms };
        let end = run.run(claimed).await;
        drop(running);
        if end == RunEnd::StoreFailed {
            return;
        }
    }
}
