//! An app in a world of its own: its time, its providers, its stores, and the process that runs now.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tempfile::TempDir;

use super::pattern::Pattern;
use super::provider::{Call, IntoReplies, Providers};
use super::remembered::Outputs;
use super::running::{Lasting, Running};
use super::writes::Writes;
use crate::app::App;
use crate::clock;
use crate::host::{BoxFuture, HttpRequest};
use crate::limits;
use crate::plan::Plan;
use crate::sim::{Reply, Sim};
use crate::sql::Params;
use crate::store::{SharedStore, StoreError};
use crate::{Row, SqlValue};

/// 2027-01-01T00:00:00Z, a whole minute.
const BEGINNING_MS: i64 = 1_798_761_600_000;

/// The chance of every test that asks for no other.
const SEED: u64 = 1;

/// Makes the app anew for each start.
pub type MakeApp = Rc<dyn Fn() -> App>;

/// An app in a test: nothing runs but while its methods do, on the test's own thread, and the same test always goes the same
/// way.
///
/// It begins at 2027-01-01T00:00:00Z with empty SQLite stores in a folder that is removed in the end.
pub struct TestApp {
    make: MakeApp,
    // Before the folder, so that the stores are closed before their files go.
    pub(super) running: Option<Running>,
    sim: Sim,
    start_ms: i64,
    providers: Providers,
    pub(super) writes: Writes,
    pub(super) outputs: Outputs,
    /// Processes so far; each has chance of its own.
    starts: u64,
    /// Actions called so far.
    pub(super) calls_made: Cell<u64>,
    folder: TempDir,
}

impl TestApp {
    #[track_caller]
    pub(super) fn new(make: MakeApp) -> TestApp {
        let providers = Providers::default();
        TestApp {
            make,
            running: None,
            sim: Sim::new(SEED, BEGINNING_MS, Arc::new(providers.clone())),
            start_ms: BEGINNING_MS,
            providers,
            writes: Writes::default(),
            outputs: Outputs::default(),
            starts: 0,
            calls_made: Cell::new(0),
            folder: folder().expect("a test can make a folder for its stores"),
        }
    }

    /// Begins at another time, before anything has run.
    #[track_caller]
    pub fn starts_at(&mut self, time: Timestamp) -> &mut TestApp {
        self.start_ms = time.as_millisecond();
        self.begin_anew(SEED)
    }

    /// Takes another chance: random waits differ.
    #[track_caller]
    pub fn seed(&mut self, seed: u64) -> &mut TestApp {
        self.begin_anew(seed)
    }

    #[track_caller]
    fn begin_anew(&mut self, seed: u64) -> &mut TestApp {
        assert!(self.starts == 0, "the app runs already: say so before any time passes");
        self.sim = Sim::new(seed, self.start_ms, Arc::new(self.providers.clone()));
        self
    }

    /// Answers such calls from now on: with this JSON, this [`Reply`], or several in turn, the last of them from then on.
    ///
    /// `calls` is `GET /v1/prices`, with `*` for any one segment, with the provider's address before the path where several
    /// have the same, and with `?…` where the query matters. Of two that fit the closer one answers.
    #[track_caller]
    pub fn answers(&mut self, calls: &str, replies: impl IntoReplies) -> &mut TestApp {
        let replies = replies.into_replies();
        assert!(!replies.is_empty(), "{calls} has no reply");
        self.answers_with(calls, move |_, number| replies[number.min(replies.len() - 1)].clone())
    }

    /// Answers such calls with what `make` makes of each, given how many of them it answered before.
    #[track_caller]
    pub fn answers_with(
        &mut self,
        calls: &str,
        make: impl Fn(&HttpRequest, usize) -> Reply + Send + Sync + 'static,
    ) -> &mut TestApp {
        self.providers.answer(Pattern::new(calls), Arc::new(make));
        self
    }

    /// Answers such calls with this status and no body.
    #[track_caller]
    pub fn fails(&mut self, calls: &str, status: u16) -> &mut TestApp {
        self.answers(calls, Reply::status(status))
    }

    /// The calls that the app made so far, one for each attempt, of this kind: `GET /v1/prices`.
    #[track_caller]
    pub fn calls(&self, calls: &str) -> Vec<Call> {
        let pattern = Pattern::new(calls);
        let all = self.providers.calls().into_iter();
        all.filter(|call| pattern.fits(&call.method, &call.url)).collect()
    }

    pub(super) fn all_calls(&self) -> Vec<Call> {
        self.providers.calls()
    }

    /// Now, in virtual time.
    pub fn now(&self) -> Timestamp {
        clock::timestamp(self.now_ms())
    }

    pub(super) fn now_ms(&self) -> i64 {
        self.sim.timers().wall_ms()
    }

    /// How long the test has run.
    pub(super) fn passed(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.now_ms() - self.start_ms).unwrap_or(0))
    }

    /// Lets so much time pass, with everything that comes due in it, at its end too.
    #[track_caller]
    pub fn advance(&mut self, time: Duration) {
        let ms = i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        self.run_until(self.now_ms().saturating_add(ms));
    }

    /// Makes the next tick, or the first at the start, and everything that comes of it until shortly before the one after.
    #[track_caller]
    pub fn tick(&mut self) {
        let next_ms = if self.starts == 0 {
            self.now_ms()
        } else {
            clock::minute(self.now_ms()).saturating_add(limits::TICK_MS)
        };
        self.run_until(clock::minute(next_ms).saturating_add(limits::TICK_MS - 1));
    }

    /// Ends the process as `kill -9` does. The next thing that is asked of the app starts another over the same stores.
    #[track_caller]
    pub fn crash(&mut self) {
        self.running().machine.crash();
        self.bury();
    }

    /// Stops the process in good order. The next thing that is asked of the app starts another over the same stores.
    #[track_caller]
    pub fn stop(&mut self) {
        let running = self.running();
        running.engine.stop.ask();
        let ended = running.ended.clone();
        if self.until(async move { ended.asked().await }).is_some() {
            self.bury();
        }
    }

    /// The rows of a query over one of the app's stores, with `?1`, `?2`, … as `params`.
    #[track_caller]
    pub fn query(&mut self, store: &str, sql: &str, params: impl Params) -> Vec<Row> {
        let params = params.into_values();
        match self.ask(store, |store| store.query(sql.to_owned(), params)) {
            Ok(rows) => rows,
            Err(text) => panic!("the store {store} refuses {sql:?}: {text}"),
        }
    }

    /// The same for people: each row's columns joined by ` | `, `-` for NULL.
    #[track_caller]
    pub fn rows(&mut self, store: &str, sql: &str) -> Vec<String> {
        let shown = |row: Row| row.values().iter().map(shown).collect::<Vec<_>>().join(" | ");
        self.query(store, sql, ()).into_iter().map(shown).collect()
    }

    /// What the app declares.
    #[track_caller]
    pub(super) fn plan(&mut self) -> Arc<Plan> {
        self.running().engine.plan.clone()
    }

    /// The process that runs now, started where none does.
    #[track_caller]
    pub(super) fn running(&mut self) -> &Running {
        if self.running.is_none() {
            self.starts += 1;
            let lasting =
                Lasting { folder: self.folder.path(), writes: &self.writes, outputs: &self.outputs };
            self.running = Some(Running::start((self.make)(), self.sim.host(self.starts), &lasting));
        }
        self.running.as_ref().expect("it was started just now")
    }

    /// Runs everything up to this moment, whatever process ends meanwhile.
    #[track_caller]
    pub(super) fn run_until(&mut self, wall_ms: i64) {
        loop {
            let machine = self.running().machine.clone();
            if self.sim.run(machine.run(self.sim.calm_at(wall_ms))).is_some() {
                return;
            }
            self.bury();
        }
    }

    /// Runs until this, of the process that runs now, has its value; `None` when that ends before. Then no process runs.
    pub(super) fn until<T>(&mut self, work: impl Future<Output = T>) -> Option<T> {
        let machine = self.running().machine.clone();
        let value = self.sim.run(machine.run(work));
        if value.is_none() {
            self.bury();
        }
        value
    }

    /// Asks something of a store that no process knows of.
    #[track_caller]
    pub(super) fn ask<T>(
        &mut self,
        store: &str,
        what: impl FnOnce(&SharedStore) -> BoxFuture<'_, Result<T, StoreError>>,
    ) -> T {
        let stores = self.stores();
        let Some(open) = stores.get(store) else {
            let names: Vec<&str> = stores.keys().map(String::as_str).collect();
            panic!("the app opens no store {store}; it opens {}", names.join(", "));
        };
        match self.sim.run(what(open)) {
            Ok(value) => value,
            Err(error) => panic!("{error}"),
        }
    }

    /// The stores that are open, as nothing counts them.
    #[track_caller]
    pub(super) fn stores(&mut self) -> BTreeMap<String, SharedStore> {
        self.running().stores.clone()
    }

    /// Lets everything of a process that has ended go, so that its files are closed.
    fn bury(&mut self) {
        self.running = None;
        self.sim.run(self.sim.calm_at(self.now_ms()));
    }
}

impl Drop for TestApp {
    fn drop(&mut self) {
        if let Some(running) = self.running.take() {
            running.machine.crash();
        }
    }
}

/// A folder in memory where the machine has one: a test's stores need not outlive a power cut.
fn folder() -> std::io::Result<TempDir> {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir())
}

fn shown(value: &SqlValue) -> String {
    match value {
        SqlValue::Null => "-".to_owned(),
        SqlValue::Integer(number) => number.to_string(),
        SqlValue::Real(number) => number.to_string(),
        SqlValue::Text(text) => text.clone(),
        SqlValue::Blob(bytes) => format!("{} bytes", bytes.len()),
    }
}
