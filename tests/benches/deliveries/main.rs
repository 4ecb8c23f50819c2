//! How many deliveries the whole runner makes a second over an SQLite file, with a subscriber that has its value at once,
//! beside a loop of claims and completions over the database alone at the same batch, measured turn by turn.
//!
//! `cargo bench -p jadpo-tests --bench deliveries`; with a number of rounds after `--`, more than one.

mod raw;

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;
use jadpo_runtime::host::BoxFuture;
use jadpo_runtime::native::NativeHost;
use jadpo_runtime::serve::serve;
use jadpo_runtime::start::{Surroundings, start};
use jadpo_runtime::step::RunStep;
use jadpo_runtime::{App, Context, Delivered, Dispatch, Failure};
use rusqlite::{Connection, params};

/// Workers, and so the most that one claim takes.
const WORKERS: u32 = 256;

const PACKAGE: &str = r#"provider board {
    base_url: "https://board.example"
    max_concurrent: 8
    polls: { board: { call: fetch_board  every: 5m  emits: BoardChanged } }
}
operation fetch_board { method: GET  path: "/v1/board"  output: Board }
type Board = Object { text: Text }
public type BoardChanged = Event { text: Text }
"#;

/// One run of the runner.
struct Work {
    /// Due and to be made.
    due: u32,
    /// Done before, and in the way.
    done: u32,
    /// Due deliveries that are left when the run ends.
    left: u32,
    synchronous: &'static str,
}

/// Counts what it hears, and asks for the end once that is enough.
struct Counts {
    heard: AtomicU32,
    enough: u32,
    end: Arc<tokio::sync::Notify>,
}

impl Dispatch for Counts {
    fn deliver<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        if self.heard.fetch_add(1, Ordering::Relaxed) + 1 == self.enough {
            self.end.notify_one();
        }
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
    let asked = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let plan = plan();
    let mut out = std::io::stdout().lock();
    for round in 1..=asked.unwrap_or(1) {
        for synchronous in ["NORMAL", "FULL"] {
            let work = Work { due: 100_000, done: 0, left: 0, synchronous };
            let (rate, batch) = runner(&plan, &work);
            let raw = in_folder(|folder| raw::run(&folder.join("raw.db"), synchronous, batch, work.due));
            let raw = per_second(work.due, raw.expect("the database works"));
            writeln!(
                out,
                "{round}: {synchronous}, 100,000 due: {rate:.0}/s, {batch} a claim; the database alone {raw:.0}/s; {:.2} of it",
                rate / raw
            )
            .expect("standard output is open");
        }
        let rate = |due: u32, done: u32| {
            let left = due.saturating_sub(20_000);
            runner(&plan, &Work { due, done, left, synchronous: "NORMAL" }).0
        };
        let few = rate(20_000, 0);
        let (due, done) = (rate(1_000_000, 0), rate(20_000, 1_000_000));
        writeln!(
            out,
            "{round}: 20,000 due: {few:.0}/s; of 1,000,000 due: {due:.0}/s, {:.2} of it; beside 1,000,000 done: {done:.0}/s, {:.2} of it",
            due / few,
            done / few
        )
        .expect("standard output is open");
    }
}

fn plan() -> String {
    let app = format!(
        r#"app board {{ }}
store main {{ engine: sqlite("board.db") }}
connection feed {{ package: board }}
subscriber hear {{ on: board.BoardChanged }}
deployable server {{ target: native  runner: {{ workers: {WORKERS} }} }}
"#
    );
    let mut system = MemorySystem::new();
    system.write("/board/app.jadpo", app.as_str());
    system.write("/board/packages/board/provider.jadpo", PACKAGE);
    let workspace = Workspace::open(Arc::new(system), Path::new("/board"));
    let report = workspace.check();
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    let project = workspace.model().expect("a project without errors has a model");
    jadpo_codegen::generate(&project).files["plan.json"].clone()
}

/// Deliveries a second, and how many a claim took.
fn runner(plan: &str, work: &Work) -> (f64, u32) {
    in_folder(|folder| {
        let file = folder.join("board.db");
        let end = Arc::new(tokio::sync::Notify::new());
        let app = || {
            let dispatch =
                Counts { heard: AtomicU32::new(0), enough: work.due - work.left, end: end.clone() };
            let app = App::new(plan, "server", dispatch).store_file("main", file.display().to_string());
            if work.synchronous == "FULL" { app.sync_each_commit("main") } else { app }
        };
        let executor = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .expect("the system gives threads");
        let host = Arc::new(NativeHost::new(executor.handle().clone()).expect("the native host starts"));
        drop(start(app(), &Surroundings::new(host.clone())).expect("the tables are made"));
        fill(&file, work).expect("the database works");
        let ready = start(app(), &Surroundings::new(host)).expect("the app starts");
        let engine = ready.engine.clone();
        let store = engine.stores["main"].store.clone();
        let begun = Instant::now();
        let passed = executor.block_on(async {
            let stopped = async {
                end.notified().await;
                engine.stop.ask();
            };
            assert_eq!(futures_util::future::join(serve(ready), stopped).await.0.dropped, 0);
            begun.elapsed()
        });
        let asked = store.operations();
        let done = read_back(&file, work).expect("the database works");
        (per_second(done, passed), done.div_ceil(u32::try_from(asked).unwrap_or(u32::MAX).max(1)))
    })
}

fn read_back(file: &Path, work: &Work) -> rusqlite::Result<u32> {
    let count = "SELECT count(*) FROM jadpo_deliveries WHERE state = ?1";
    let connection = Connection::open(file)?;
    let counted = |state: &str| connection.query_row(count, [state], |row| row.get::<_, u32>(0));
    let (done, pending) = (counted("done")? - work.done, counted("pending")?);
    assert!(done >= work.due - work.left, "{done} done");
    assert_eq!(done + pending, work.due, "what was claimed is done or given back");
    Ok(done)
}

/// An event of its own for each delivery.
fn fill(file: &Path, work: &Work) -> rusqlite::Result<()> {
    let now_ms =
        i64::try_from(std::time::UNIX_EPOCH.elapsed().expect("it is later").as_millis()).expect("it fits");
    let mut connection = Connection::open(file)?;
    let transaction = connection.transaction()?;
    let payload = format!(r#"{{"text":"{}"}}"#, "x".repeat(89));
    for number in 0..work.due + work.done {
        transaction
            .prepare_cached(
                "INSERT INTO jadpo_events (name, source, occurred_at_ms, payload, trace, created_at_ms)
                 VALUES ('board.BoardChanged', 'feed', ?1, ?2, '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', ?1)",
            )?
            .execute(params![now_ms, payload])?;
        let (state, finished) = if number < work.done { ("done", Some(now_ms)) } else { ("pending", None) };
        let due_ms = now_ms - 1_000_000 + i64::from(number % 1_000_000);
        transaction
            .prepare_cached(
                "INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms, finished_at_ms)
                 VALUES (last_insert_rowid(), 'hear', ?1, 0, ?2, ?3 + 86400000, ?4)",
            )?
            .execute(params![state, due_ms, now_ms, finished])?;
    }
    transaction.commit()?;
    connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
}

fn in_folder<T>(run: impl FnOnce(&Path) -> T) -> T {
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    run(folder.path())
}

fn per_second(count: u32, passed: Duration) -> f64 {
    f64::from(count) / passed.as_secs_f64()
}
