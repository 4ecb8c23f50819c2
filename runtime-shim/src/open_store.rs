//! An open store and how its trouble is borne: counted, told once, and slept over.

use std::pin::pin;

use futures_util::future::select;

use crate::clock;
use crate::engine::Engine;
use crate::error_budget::ErrorBudget;
use crate::host::BoxFuture;
use crate::notes::Note;
use crate::store::{SharedStore, StoreError, StoreErrorKind};
use crate::unstarted::Unstarted;

/// An open store with the errors that it gave in a row.
#[derive(Clone)]
pub struct OpenStore {
    /// Its name in the app.
    pub name: String,
    /// The store.
    pub store: SharedStore,
    /// Its errors in a row.
    pub errors: ErrorBudget,
    /// Errors in a row of what is written as done beside the loop, whose claims may go well meanwhile.
    pub settles: ErrorBudget,
    /// Claims in it whose answer never came.
    pub unstarted: Unstarted,
}

impl OpenStore {
    /// A store that was just opened.
    pub fn new(name: String, store: SharedStore) -> OpenStore {
        OpenStore {
            name,
            store,
            errors: ErrorBudget::default(),
            settles: ErrorBudget::default(),
            unstarted: Unstarted::default(),
        }
    }

    /// Whether it fails so seldom that work goes on.
    pub fn is_ready(&self) -> bool {
        self.errors.is_ready() && self.settles.is_ready()
    }

    /// The machine slept: errors in a row say nothing any more.
    pub fn machine_slept(&self) {
        self.errors.reset();
        self.settles.reset();
    }

    /// Counts a write's success or error; an error says how long to sleep before the next try, ms.
    pub fn heed<T>(&self, engine: &Engine, result: Result<T, StoreError>) -> Result<T, u64> {
        let heeded = self.heed_read(engine, result);
        if heeded.is_ok()
            && let Some(errors) = self.errors.succeeded()
        {
            tracing::info!("store {} works again, after {errors} failed tries", self.name);
        }
        heeded
    }

    /// The same for a read, whose success says nothing of the writes: a locked database can still be read.
    pub fn heed_read<T>(&self, engine: &Engine, result: Result<T, StoreError>) -> Result<T, u64> {
        result.map_err(|error| {
            if let StoreErrorKind::Uncertain(_) = error.kind {
                // What it was to keep may be there, and nobody else is told.
                engine.notes.leave(Note::Elsewhere { store: self.name.clone() });
            }
            bear(engine, &self.errors, &error.to_string(), "work that needs it waits")
        })
    }

    /// Counts how writing what is done beside the loop went; `None` is a write that broke off. After an error the next waits
    /// by a budget of its own, which only such a write that went begins anew.
    pub fn heed_settled<T>(&self, engine: &Engine, result: Option<Result<T, StoreError>>) -> Option<T> {
        let text = match result {
            Some(Ok(value)) => {
                if let Some(errors) = self.settles.succeeded() {
                    tracing::info!(
                        "store {} keeps what is done again, after {errors} failed tries",
                        self.name
                    );
                }
                return Some(value);
            }
            Some(Err(error)) => error.to_string(),
            None => format!("store {}: the write broke off", self.name),
        };
        bear(engine, &self.settles, &text, "deliveries that are done are written as done later");
        None
    }

    /// A claim under this token failed, which the store may hold all the same: the loop gives back what it took.
    pub fn lost_answer(&self, engine: &Engine, token: i64) {
        self.unstarted.add(token);
        engine.notes.leave(Note::Unstarted);
    }

    /// Asks until the store answers, sleeping between by its error budget; `None` at `until_ms` of the store's time, when
    /// what was to be written is another's to do, or once the app is stopped. A stop asks once more.
    pub async fn insist<'a, T>(
        &'a self,
        engine: &Engine,
        until_ms: i64,
        ask: impl Fn(&'a OpenStore) -> BoxFuture<'a, Result<T, StoreError>>,
    ) -> Option<T> {
        loop {
            match self.heed(engine, ask(self).await) {
                Ok(value) => return Some(value),
                Err(sleep_ms) => {
                    let ends_ms = engine.now_ms().saturating_add(clock::signed(sleep_ms));
                    if ends_ms >= until_ms || engine.stop.is_asked() {
                        return None;
                    }
                    select(engine.host.sleep(sleep_ms), pin!(engine.stop.asked())).await;
                }
            }
        }
    }
}

/// Counts an error and tells it; how long to sleep before the next try, ms.
fn bear(engine: &Engine, errors: &ErrorBudget, text: &str, meanwhile: &str) -> u64 {
    let (now_us, random) = (engine.host.monotonic_us(), engine.random());
    let trouble = errors.failed(&engine.deployable.runner, text, now_us, random);
    let tries = trouble.in_a_row;
    if trouble.is_news {
        tracing::error!("{text}; {meanwhile}");
    } else if trouble.ends_readiness {
        tracing::error!("{text}; {tries} tries failed in a row, so the program is not ready");
    } else {
        tracing::debug!(tries, sleep_ms = trouble.sleep_ms, "{text}");
    }
    trouble.sleep_ms
}
