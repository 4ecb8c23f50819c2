//! What everything that runs of one app shares: the plan, the host, stores, connections, and the ways to be told to end.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::call::Connection;
use crate::dispatch::Dispatch;
use crate::host::SharedHost;
use crate::notes::Notes;
use crate::open_store::OpenStore;
use crate::plan::{Deployable, Plan};
use crate::status::Tally;
use crate::stop::Stop;
use crate::tasks::Tasks;
use crate::watched::Watched;

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
    /// Who waits for what.
    pub watched: Watched,
    /// Says that everything ends.
    pub stop: Stop,
    /// What still runs.
    pub tasks: Tasks,
    /// What has happened so far.
    pub tally: Tally,
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
