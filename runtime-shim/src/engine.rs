//! What everything that runs of one app shares: the plan, the host, stores, connections, and the ways to be told to end.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::batch::BatchRuns;
use crate::call::Connection;
use crate::dispatch::Dispatch;
use crate::host::SharedHost;
use crate::notes::Notes;
use crate::open_store::OpenStore;
use crate::plan::{Deployable, Plan};
use crate::shared_clock::SharedClock;
use crate::status::{Tally, Waits};
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
    /// The time of the first store, by name, that instances share.
    pub clock: SharedClock,
    /// What the loop is told.
    pub notes: Notes,
    /// Who waits for what.
    pub watched: Watched,
    /// The batch runs that it works on.
    pub runs: BatchRuns,
    /// Says that everything ends.
    pub stop: Stop,
    /// What still runs.
    pub tasks: Tasks,
    /// What has happened so far.
    pub tally: Tally,
    /// How long deliveries waited for their claim.
    pub waits: Waits,
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

    /// The store's time now, in milliseconds since the epoch. A store in a file is its machine's, and so is its clock; where
    /// instances share one, it is that store's time at the last tick and what has passed since.
    pub fn now_ms(&self) -> i64 {
        self.clock.now_ms(&*self.host).unwrap_or_else(|| self.host.wall_ms())
    }

    /// Reads the time of a store that instances share, where there is one. While it can't be read, the last time counts on.
    pub async fn read_clock(&self) {
        for open in self.stores.values() {
            let asked_us = self.host.monotonic_us();
            match open.store.clock().await {
                Ok(None) => {}
                Ok(Some(ms)) => return self.clock.read(&*self.host, asked_us, ms),
                Err(error) => {
                    let _ = open.heed_read::<()>(self, Err(error));
                    return;
                }
            }
        }
    }

    /// The machine slept: errors in a row say nothing any more, and the clock is read anew.
    pub async fn machine_slept(&self) {
        for open in self.stores.values() {
            open.machine_slept();
        }
        self.clock.machine_slept(&*self.host);
        self.read_clock().await;
    }
}
