//! A tick over 100,000 polls of which 100 are due, each with the answer that it had before: until all of them are over, with a
//! network that answers at once. Over an SQLite file as the runtime opens it. Its statements are counted and asserted.
//!
//! `cargo bench -p jadpo-tests --bench tick`.

#[path = "../poll/instant_host.rs"]
mod instant_host;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;
use jadpo_runtime::plan::Plan;
use jadpo_runtime::start::{Ready, Surroundings, start};
use jadpo_runtime::status::Count;
use jadpo_runtime::tick::Ticker;
use jadpo_runtime::{App, BoxFuture, Context, Delivered, Dispatch, Failure, RunStep};
use jadpo_tests::measure;

use instant_host::InstantHost;

const POLLS: usize = 100_000;
const DUE: usize = 100;

/// Ticks, of which the median counts.
const TICKS: usize = 21;

/// The interval of all polls, ms.
const EVERY_MS: i64 = 300_000;

/// 2027-03-03T10:00:00Z, a whole minute.
const BEGIN_MS: i64 = 1_804_068_000_000;

const APP: &str = r#"app board { }
store main { engine: sqlite("board.db") }
connection feed { package: board }
subscriber hear { on: board.BoardChanged }
deployable server { target: native }
"#;

const PACKAGE: &str = r#"provider board {
    base_url: "https://board.example"
    polls: { board: { call: fetch_board  every: 5m  emits: BoardChanged } }
}
operation fetch_board { method: GET  path: "/v1/board"  output: Board }
type Board = Object { price: Int }
public type BoardChanged = Event { price: Int }
"#;

/// Nothing is delivered here.
struct Nobody;

impl Dispatch for Nobody {
    fn deliver<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }

    fn act<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async { Ok(None) })
    }

    fn step<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async { Ok(None) })
    }
}

fn main() {
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    let file = folder.path().join("board.db");
    let executor = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("the system gives threads");
    let host = Arc::new(InstantHost::new(executor.handle().clone(), r#"{"price":60}"#));
    let app = App::new(&plan(), "server", Nobody).store_file("main", file.display().to_string());
    let mut ready = start(app, &Surroundings::new(host)).expect("the app starts");
    fill(&file);
    let mut ticker = Ticker::new(ready.engine.clone(), std::mem::take(&mut ready.polls), Vec::new());
    let mut times = Vec::with_capacity(TICKS);
    let mut used = Vec::with_capacity(TICKS);
    let mut statements = Vec::with_capacity(TICKS);
    for number in 0..=TICKS {
        let before = cpu();
        let (time, asked) = tick(&executor, &ready, &mut ticker, number);
        // The first ones have no answer before.
        if number > 0 {
            times.push(time);
            used.push(cpu().saturating_sub(before));
            statements.push(asked);
        }
        others_wait(&file);
    }
    times.sort();
    used.sort();
    statements.sort_unstable();
    let [median, most, used] = [times[TICKS / 2], times[TICKS - 1], used[TICKS / 2]].map(measure::ms);
    let most_asked = statements[TICKS - 1];
    let mut out = std::io::stdout().lock();
    writeln!(
        out,
        "{POLLS} polls, {DUE} due: median {median:.1} ms, at most {most:.1} ms, {used:.1} ms of the processors; {most_asked} statements"
    )
    .expect("standard output is open");
    assert!(most_asked <= DUE as u64 + 5, "{most_asked} statements");
}

/// What this process used of the processors so far.
fn cpu() -> Duration {
    measure::cpu_of(std::process::id()).unwrap_or_default()
}

/// One tick until what it started is over; how long that took, and its statements.
fn tick(
    executor: &tokio::runtime::Runtime,
    ready: &Ready,
    ticker: &mut Ticker,
    number: usize,
) -> (Duration, u64) {
    let engine = &ready.engine;
    let store = &engine.stores["main"].store;
    let tick_ms = BEGIN_MS + EVERY_MS * i64::try_from(number).unwrap_or(i64::MAX);
    let (asked, same) = (store.operations(), engine.tally.get(Count::PollsSame));
    let begun = Instant::now();
    executor.block_on(async {
        ticker.tick(tick_ms);
        engine.tasks.all_ended().await;
    });
    let time = begun.elapsed();
    let same = engine.tally.get(Count::PollsSame) - same;
    assert_eq!(
        same,
        if number == 0 { 0 } else { DUE as u64 },
        "each that is due has the answer it had before"
    );
    (time, store.operations() - asked)
}

/// All polls of the plan, as many of one connection.
fn plan() -> String {
    let mut system = MemorySystem::new();
    system.write("/board/app.jadpo", APP);
    system.write("/board/packages/board/provider.jadpo", PACKAGE);
    let workspace = Workspace::open(Arc::new(system), Path::new("/board"));
    let report = workspace.check();
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    let project = workspace.model().expect("a project without errors has a model");
    let json = jadpo_codegen::generate(&project).files["plan.json"].clone();
    let mut plan: Plan = serde_json::from_str(&json).expect("the plan is one");
    let polls = &mut plan.connections.get_mut("feed").expect("it is declared").polls;
    let poll = polls.remove("board").expect("it is declared");
    polls.extend((0..POLLS).map(|number| (name(number), poll.clone())));
    let names = (0..POLLS).map(|number| ("feed".to_owned(), name(number)));
    plan.deployables.get_mut("server").expect("it is declared").polls = names.collect();
    serde_json::to_string(&plan).expect("a plan is always JSON")
}

fn name(number: usize) -> String {
    format!("board_{number:06}")
}

/// A row for each poll that is never due here; the digest is as long as one is.
fn fill(file: &Path) {
    let store = rusqlite::Connection::open(file).expect("it was made");
    let rows = format!(
        "WITH RECURSIVE n (i) AS (SELECT {DUE} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {POLLS})
         INSERT INTO jadpo_polls (name, next_due_ms, every_ms, claim_no, digest, changed_at_ms)
         SELECT printf('poll feed.board_%06d', i), {}, {EVERY_MS}, 1, lower(hex(randomblob(32))), {BEGIN_MS} FROM n",
        BEGIN_MS + EVERY_MS
    );
    store.execute_batch(&rows).expect("the rows fit");
}

/// Moves those on that are never due, as if each had been called a moment after the tick.
fn others_wait(file: &Path) {
    let store = rusqlite::Connection::open(file).expect("it was made");
    let rows = format!(
        "UPDATE jadpo_polls SET next_due_ms = next_due_ms + {EVERY_MS} WHERE name >= 'poll feed.{}'",
        name(DUE)
    );
    store.execute_batch(&rows).expect("the rows fit");
}
