//! A whole app to try things on: the base plan of the cases, instances that can be killed, one file, virtual time.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod acts;
#[cfg(feature = "postgres")]
pub mod cluster;
#[cfg(feature = "native")]
pub mod log;
mod plan_text;
#[cfg(all(unix, feature = "native", feature = "sqlite"))]
pub mod process;
#[cfg(feature = "native")]
pub mod spans;

use std::sync::{Arc, Mutex};

use crate::app::App;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::dispatch::Dispatch;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::host::{BoxFuture, Host};
use crate::limits;
use crate::open_store::OpenStore;
use crate::plan::Plan;
use crate::serve::serve;
use crate::sim::{Machine, Network, Script, Sim};
use crate::start::{Ready, StartError, Surroundings, start};
use crate::step::RunStep;
use crate::stop::Stop;
use crate::store::SharedStore;
use crate::store::memory::MemoryStore;
pub use acts::{Act, Acts};

/// 2027-03-03T10:00:00Z.
pub const START_MS: i64 = 1_804_068_000_000;

/// A world with one provider and one file.
pub struct Trial {
    pub sim: Sim,
    pub script: Script,
    pub plan: Plan,
    /// What stands in the environment of its instances.
    environment: Vec<(String, String)>,
    /// What its instances share instead of a file.
    memory: Option<Arc<MemoryStore>>,
    /// What stands between its instances and each store.
    pub between: Option<Between>,
    directory: tempfile::TempDir,
}

/// Puts something before the store of a name.
pub type Between = Box<dyn Fn(&str, SharedStore) -> SharedStore>;

/// One start of the app in it.
pub struct Instance {
    pub engine: Arc<Engine>,
    pub machine: Arc<Machine>,
    ready: Mutex<Option<Ready>>,
    /// Said once serving has ended.
    ended: Stop,
}

impl Trial {
    /// The base plan, changed by `change`.
    pub fn new(change: impl FnOnce(&mut Plan)) -> Trial {
        Trial::seeded(7, change)
    }

    /// The same with another chance.
    pub fn seeded(seed: u64, change: impl FnOnce(&mut Plan)) -> Trial {
        #[cfg(feature = "native")]
        drop(tracing_subscriber::fmt().with_test_writer().with_ansi(false).try_init());
        let script = Script::new();
        let network: Arc<dyn Network> = Arc::new(script.clone());
        let mut plan = base_plan();
        change(&mut plan);
        Trial {
            sim: Sim::new(seed, START_MS, network),
            script,
            plan,
            environment: Vec::new(),
            memory: None,
            between: None,
            directory: tempfile::tempdir().unwrap(),
        }
    }

    /// Has its instances share a store in memory as they would a database: it has the world's time, and says what is new.
    pub fn sharing_memory(mut self) -> (Trial, Arc<MemoryStore>) {
        let timers = self.sim.timers();
        let memory = Arc::new(MemoryStore::shared("main", move || timers.wall_ms()));
        self.memory = Some(memory.clone());
        (self, memory)
    }

    /// The same with a variable in the environment of its instances.
    pub fn given(mut self, name: &str, value: &str) -> Trial {
        self.environment.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The file that its store is kept in.
    pub fn file(&self) -> String {
        self.file_of("main")
    }

    /// The file that the store of this name is kept in.
    pub fn file_of(&self, store: &str) -> String {
        self.directory.path().join(format!("{store}.db")).to_str().unwrap().to_owned()
    }

    /// Starts an instance on a machine of its own; nothing of it runs before [`Trial::serve`].
    pub fn start(&self, machine: u64, body: impl Body) -> Instance {
        self.try_start(machine, body).unwrap()
    }

    /// The same, waiting only so long for a lock that another holds.
    pub fn start_with_busy(&self, machine: u64, busy_ms: u64, body: impl Body) -> Instance {
        self.open(machine, busy_ms, Bodies(body)).unwrap()
    }

    pub fn try_start(&self, machine: u64, body: impl Body) -> Result<Instance, StartError> {
        self.open(machine, limits::SQLITE_BUSY_MS, Bodies(body))
    }

    /// Starts an instance of an app that has more code than deliveries', and runs it; it waits for no lock.
    pub fn serve_app(&self, machine: u64, app: impl Dispatch) -> Instance {
        let instance = self.open(machine, 0, app).unwrap();
        instance.go();
        instance
    }

    fn open(&self, machine: u64, busy_ms: u64, dispatch: impl Dispatch) -> Result<Instance, StartError> {
        let json = serde_json::to_string(&self.plan).unwrap();
        let mut app = App::new(&json, "server", dispatch);
        for (name, value) in &self.environment {
            app = app.env(name, value.as_str());
        }
        for store in self.plan.stores.keys() {
            app = match &self.memory {
                Some(memory) => app.store_in_memory(store, memory.clone()),
                None => app
                    .store_file(store, self.file_of(store))
                    .prepare(store, "CREATE TABLE IF NOT EXISTS quotes (btc TEXT, eth TEXT) STRICT"),
            };
        }
        let machine = Arc::new(Machine::new(self.sim.host(machine)));
        let surroundings = Surroundings { busy_ms, ..Surroundings::in_order(machine.clone()) };
        let mut ready = start(app, &surroundings)?;
        if let Some(between) = &self.between {
            let engine = Arc::get_mut(&mut ready.engine).unwrap();
            for (name, open) in &mut engine.stores {
                open.store = between(name, open.store.clone());
            }
        }
        Ok(Instance {
            engine: ready.engine.clone(),
            machine,
            ready: Mutex::new(Some(ready)),
            ended: Stop::default(),
        })
    }

    /// Starts an instance and runs it beside whatever else is run.
    pub fn serve(&self, machine: u64, body: impl Body) -> Instance {
        let instance = self.start(machine, body);
        instance.go();
        instance
    }

    /// Lets so much time pass.
    pub fn pass(&self, ms: u64) {
        self.sim.run(self.sim.timers().sleep(ms));
    }

    /// Milliseconds since the start.
    pub fn now_ms(&self) -> i64 {
        self.sim.timers().wall_ms() - START_MS
    }

    /// When the provider was called, in seconds since the start.
    pub fn calls_s(&self) -> Vec<i64> {
        self.script.sent().iter().map(|sent| (sent.at_ms - START_MS) / 1_000).collect()
    }

    /// The rows of a query over its file, columns joined by ` | `.
    pub fn rows(&self, sql: &str) -> Vec<String> {
        self.rows_of("main", sql)
    }

    /// The same over the file of another store.
    pub fn rows_of(&self, store: &str, sql: &str) -> Vec<String> {
        let connection = rusqlite::Connection::open(self.file_of(store)).unwrap();
        let mut statement = connection.prepare(sql).unwrap();
        let columns = statement.column_count();
        let shown = |row: &rusqlite::Row<'_>| {
            let values = (0..columns).map(|at| match row.get_ref(at).unwrap() {
                rusqlite::types::ValueRef::Null => "-".to_owned(),
                rusqlite::types::ValueRef::Integer(number) => number.to_string(),
                rusqlite::types::ValueRef::Text(text) => String::from_utf8(text.to_vec()).unwrap(),
                other => format!("{other:?}"),
            });
            Ok(values.collect::<Vec<_>>().join(" | "))
        };
        let rows = statement.query_map([], shown).unwrap();
        rows.map(Result::unwrap).collect()
    }

    /// Changes its file behind the app's back.
    pub fn execute(&self, sql: &str) {
        self.connect().execute_batch(sql).unwrap();
    }

    pub fn connect(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.file()).unwrap()
    }
}

impl Instance {
    /// Runs it beside whatever else is run.
    pub fn go(&self) {
        let ready = self.ready.lock().unwrap().take().unwrap();
        let ended = self.ended.clone();
        self.machine.spawn(Box::pin(async move {
            serve(ready).await;
            ended.ask();
        }));
    }

    /// Its store.
    pub fn open(&self) -> OpenStore {
        self.engine.stores["main"].clone()
    }

    /// Ends it as a lost machine ends: nothing of it runs on, and nobody is told.
    pub fn crash(&self) {
        self.machine.crash();
    }

    /// Asks it to stop and waits until it has, which a running one does; says how long that took, ms.
    pub fn stop(&self, trial: &Trial) -> i64 {
        let began_ms = trial.now_ms();
        self.engine.stop.ask();
        trial.sim.run(self.ended.asked());
        trial.now_ms() - began_ms
    }
}

/// The plan of the cases, as it is before a trial changes it.
pub fn base_plan() -> Plan {
    serde_json::from_str(plan_text::PLAN).unwrap()
}

/// The app's code in a trial.
pub trait Body:
    for<'a> Fn(&'a str, &'a mut Context, &'a Delivered) -> BoxFuture<'a, Result<(), Failure>>
    + Send
    + Sync
    + 'static
{
}

impl<F> Body for F where
    F: for<'a> Fn(&'a str, &'a mut Context, &'a Delivered) -> BoxFuture<'a, Result<(), Failure>>
        + Send
        + Sync
        + 'static
{
}

/// Code of an app that is one function.
pub struct Bodies<F>(pub F);

impl<F: Body> Dispatch for Bodies<F> {
    fn deliver<'a>(
        &'a self,
        subscriber: &'a str,
        cx: &'a mut Context,
        event: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        (self.0)(subscriber, cx, event)
    }

    fn act<'a>(
        &'a self,
        action: &'a str,
        _: &'a mut Context,
        _: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move { Err(Failure::new(format!("this trial has no action {action}"))) })
    }

    fn step<'a>(
        &'a self,
        batch: &'a str,
        _: &'a mut Context,
        _: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move { Err(Failure::new(format!("this trial has no batch {batch}"))) })
    }
}

/// A body that has its value at once.
pub fn fine<'a>(_: &'a str, _: &'a mut Context, _: &'a Delivered) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async { Ok(()) })
}

/// The store that a body writes is in trouble just now, and only for the body: another process holds its file meanwhile.
pub async fn meets_trouble(cx: &mut Context) -> Result<(), Failure> {
    let sql = "SELECT file FROM pragma_database_list WHERE name = 'main'";
    let file: String = cx.store().query(sql, ()).await?[0].get(0)?;
    let other = rusqlite::Connection::open(file)?;
    other.busy_timeout(std::time::Duration::ZERO)?;
    other.execute_batch("BEGIN IMMEDIATE")?;
    cx.transaction().await.map(drop)
}
