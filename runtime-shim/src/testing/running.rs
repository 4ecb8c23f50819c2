//! One start of a test's app: a process over the test's stores, in the test's world.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use super::recording::RecordingStore;
use super::remembered::{Outputs, Remembered};
use super::writes::Writes;
use crate::app::App;
use crate::engine::Engine;
use crate::host::Host;
use crate::plan::{Plan, StoreEngine};
use crate::route::Routes;
use crate::serve::serve;
use crate::sim::{Machine, VirtualHost};
use crate::start::{Surroundings, start};
use crate::stop::Stop;
use crate::store::SharedStore;

/// How the trace of a called action begins.
pub const CALL_TRACE_HEAD: &str = "00-7465737463616c6c";

/// A process.
pub struct Running {
    pub engine: Arc<Engine>,
    /// The stores themselves, for who looks: nothing asked of them is counted.
    pub stores: BTreeMap<String, SharedStore>,
    pub machine: Arc<Machine>,
    /// What its server would answer, and whether it would listen.
    pub routes: Arc<Routes>,
    pub listens: bool,
    /// Said once serving has ended.
    pub ended: Stop,
}

/// What outlives a process.
pub struct Lasting<'a> {
    /// Where its stores are kept.
    pub folder: &'a Path,
    pub writes: &'a Writes,
    pub outputs: &'a Outputs,
}

impl Running {
    /// Starts a process on a host of its own.
    ///
    /// # Panics
    /// With what is wrong, where the app can't be started.
    #[track_caller]
    pub fn start(app: App, host: Arc<VirtualHost>, lasting: &Lasting<'_>) -> Running {
        let app = in_folder(app, lasting.folder);
        let machine = Arc::new(Machine::new(host));
        // Nobody else has the files, so a lock would be waited for in vain, and in real time.
        let surroundings = Surroundings { busy_ms: 0, ..Surroundings::in_order(machine.clone()) };
        let mut ready = match start(app, &surroundings) {
            Ok(ready) => ready,
            Err(error) => panic!(
                "the app does not start:\n{error}\n(a test gives each environment variable by `.env(name, value)`; the \
                 process's own are not read)"
            ),
        };
        let engine = Arc::get_mut(&mut ready.engine).expect("nothing holds the engine before it is served");
        let stores = engine.stores.iter().map(|(name, open)| (name.clone(), open.store.clone())).collect();
        for (name, open) in &mut engine.stores {
            open.store = Arc::new(RecordingStore::new(name, open.store.clone(), lasting.writes.clone()));
        }
        engine.dispatch = Arc::new(Remembered {
            inner: engine.dispatch.clone(),
            outputs: lasting.outputs.clone(),
            trace_head: CALL_TRACE_HEAD,
        });
        lasting.writes.runs_on(machine.clone());
        let running = Running {
            engine: ready.engine.clone(),
            stores,
            machine,
            routes: ready.routes.clone(),
            listens: ready.listening.is_some(),
            ended: Stop::default(),
        };
        let ended = running.ended.clone();
        running.machine.spawn(Box::pin(async move {
            serve(ready).await;
            ended.ask();
        }));
        running
    }
}

/// The app with its stores in the folder, and closed to the process's environment.
fn in_folder(mut app: App, folder: &Path) -> App {
    app.sealed = true;
    let Ok(plan) = Plan::read(&app.plan_json) else { return app };
    for (name, store) in &plan.stores {
        let postgres = matches!(store.native, Some(StoreEngine::Postgres(_)));
        assert!(
            !postgres || app.files.contains_key(name),
            "the store {name} is kept in PostgreSQL, which does not follow virtual time; if its SQL is SQLite's too, say so \
             by `.store_file({name:?}, \"\")`, and the test keeps it in SQLite"
        );
        app.files.insert(name.clone(), folder.join(format!("{name}.db")).display().to_string());
    }
    app
}
