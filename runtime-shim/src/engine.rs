//! What everything that runs of one app shares: the plan, the host, stores, connections, and the ways to be told to end.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::call::Connection;
use crate::dispatch::Dispatch;
use crate::error_budget::ErrorBudget;
use crate::host::SharedHost;
use crate::notes::Notes;
use crate::plan::{Deployable, Plan};
use crate::status::Tally;
use crate::stop::Stop;
use crate::store::{SharedStore, StoreError};
use crate::tasks::Tasks;

/// One running app.
pub struct Engine {
    /// What the compiler made.
    pub plan: Arc<Plan>,
    /// What of it this program runs.
    pub deployable: Deployable,
    /// Time, sleep, chance and tasks.
    pub host: SharedHost,
    /// The app's own code.
    pub dispatch: Arc<dyn Dispatch>,
    /// Those that the deployable reaches, by name.
    pub connections: Arc<BTreeMap<String, Connection>>,
    /// Those that the deployable needs, by name.
    pub stores: BTreeMap<String, OpenStore>,
    /// This process start.
    pub instance: i64,
    /// The time that the host gives one invocation, ms.
    pub budget_ms: u64,
    /// What the loop is told.
    pub notes: Notes,
    /// Says that everything ends.
    pub stop: Stop,
    /// What still runs.
    pub tasks: Tasks,
    /// What has happened so far.
    pub tally: Tally,
}

/// An open store with the errors that it gave in a row.
#[derive(Clone)]
pub struct OpenStore {
    /// Its name in the app.
    pub name: String,
    /// The store.
    pub store: SharedStore,
    /// Its errors in a row.
    pub errors: ErrorBudget,
}

impl Engine {
    /// Runs a task that a stop waits for, however it ends.
    pub fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let running = self.tasks.begin();
        self.host.spawn(Box::pin(async move {
            task.await;
            drop(running);
        }));
    }

    /// A number by chance.
    pub fn random(&self) -> u64 {
        self.host.random()
    }

    /// The store's time now, in milliseconds since the epoch. A store in a file is its machine's, and so is its clock.
    pub fn now_ms(&self) -> i64 {
        self.host.wall_ms()
    }
}

impl OpenStore {
    /// Counts a write's success or error; an error is logged, and says how long to sleep before the next try, ms.
    pub fn heed<T>(&self, engine: &Engine, result: Result<T, StoreError>) -> Result<T, u64> {
        let heeded = self.heed_read(engine, result);
        if heeded.is_ok() {
            self.errors.reset();
        }
        heeded
    }

    /// The same for a read, whose success says nothing of the writes: a locked database can still be read.
    pub fn heed_read<T>(&self, engine: &Engine, result: Result<T, StoreError>) -> Result<T, u64> {
        result.map_err(|error| {
            let sleep_ms = self.errors.failed(&engine.deployable.runner, engine.random());
            tracing::error!(store = self.name, in_a_row = self.errors.in_a_row(), sleep_ms, "{error}");
            sleep_ms
        })
    }
}
