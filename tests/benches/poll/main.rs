//! What a poll costs whose answer is the same, beyond the HTTP call: the claim, the call's own work, decoding, the event,
//! its digest. Over an SQLite file as the runtime opens it (WAL, `synchronous=NORMAL`), with an answer of 2 KB.
//!
//! `cargo bench -p jadpo-tests --bench poll`.

mod instant_host;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;
use jadpo_runtime::codec::{Form, interpret};
use jadpo_runtime::plan::{Plan, Shape};
use jadpo_runtime::poll::{self, PollEnd};
use jadpo_runtime::start::{Ready, Surroundings, start};
use jadpo_runtime::store::ClaimPoll;
use jadpo_runtime::{App, Context, Delivered, Dispatch, Failure, RunStep};

use instant_host::InstantHost;

/// Polls that count.
const POLLS: usize = 20_000;

/// Polls before them.
const WARM_UP: usize = 2_000;

const APP: &str = r#"app board { }
store main { engine: sqlite("board.db") }
connection feed { package: board }
subscriber hear { on: board.BoardChanged }
deployable server { target: native }
"#;

const PACKAGE: &str = r#"provider board {
    base_url: "https://board.example"
    max_concurrent: 8
    polls: { board: { call: fetch_board  every: 5m  emits: BoardChanged } }
}
operation fetch_board { method: GET  path: "/v1/board"  output: Board }
type Board = Object { quotes: List<Quote>  market: Market  fetched_at: Instant }
public type BoardChanged = Event { quotes: List<Quote>  market: Market }
public type Quote = Object { symbol: Symbol  bid: Decimal  ask: Decimal  volume: Int  halted: Bool  traded_at: Instant? }
public type Symbol = Text { min_length: 1  max_length: 8  pattern: "[A-Z]+" }
public type Market = Enum { open  closed  auction }
"#;

/// An answer of 2 KB.
fn answer() -> String {
    let quote = |n: usize| {
        let letters: String = [n % 26, n * 7 % 26, n * 3 % 26]
            .map(|at| char::from(b'A' + u8::try_from(at).unwrap_or(0)))
            .iter()
            .collect();
        format!(
            r#"{{"symbol":"{letters}","bid":{}.{:02},"ask":"{}.50","volume":{},"halted":{},"traded_at":"2026-11-30T21:{:02}:00+01:00"}}"#,
            100 + n,
            n * 7 % 100,
            101 + n,
            n * 1_000,
            n.is_multiple_of(9),
            n
        )
    };
    let quotes: Vec<String> = (0..17).map(quote).collect();
    let answer =
        format!(r#"{{"market":"open","fetched_at":"2026-11-30T22:00:00Z","quotes":[{}]}}"#, quotes.join(","));
    assert!((1_900..2_200).contains(&answer.len()), "{} bytes", answer.len());
    answer
}

/// No delivery is made here.
struct Nobody;

impl Dispatch for Nobody {
    fn deliver<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a Delivered,
    ) -> jadpo_runtime::host::BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async { Ok(()) })
    }

    fn act<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: Option<&'a str>,
    ) -> jadpo_runtime::host::BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async { Ok(None) })
    }

    fn step<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a RunStep,
    ) -> jadpo_runtime::host::BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async { Ok(None) })
    }
}

fn main() {
    let plan = plan();
    let folder = tempfile::tempdir().expect("the system gives temporary folders");
    let app = App::new(&plan, "server", Nobody)
        .store_file("main", folder.path().join("board.db").display().to_string());
    let executor = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("the system gives threads");
    let answer = answer();
    let host = Arc::new(InstantHost::new(executor.handle().clone(), &answer));
    let ready = start(app, &Surroundings::new(host)).expect("the app starts");
    let mut rows = executor.block_on(polls(&ready));
    let plan: Plan = serde_json::from_str(&plan).expect("the plan is one");
    rows.extend(parts(&plan, &answer));
    let mut out = std::io::stdout().lock();
    writeln!(out, "{:<58} {:>9} {:>9}", "what", "median", "p95").expect("standard output is open");
    for (what, mut times) in rows {
        times.sort();
        let at = |of: usize| us(times[times.len() * of / 100]);
        writeln!(out, "{what:<58} {:>6.1} µs {:>6.1} µs", at(50), at(95)).expect("standard output is open");
    }
}

fn plan() -> String {
    let mut system = MemorySystem::new();
    system.write("/board/app.jadpo", APP);
    system.write("/board/packages/board/provider.jadpo", PACKAGE);
    let workspace = Workspace::open(Arc::new(system), Path::new("/board"));
    let report = workspace.check();
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    let project = workspace.model().expect("a project without errors has a model");
    jadpo_codegen::generate(&project).files["plan.json"].clone()
}

/// Whole polls, and claims alone.
async fn polls(ready: &Ready) -> Vec<(&'static str, Vec<Duration>)> {
    let engine = &ready.engine;
    let task = &ready.polls[0];
    let (open, connection) = (&engine.stores["main"], &engine.connections[&task.connection]);
    let mut tick_ms = 1_798_761_600_000;
    assert_eq!(
        poll::run(engine, open, connection, task, tick_ms).await,
        PollEnd::Kept,
        "the first answer is kept"
    );
    let mut whole = Vec::with_capacity(POLLS);
    for number in 0..WARM_UP + POLLS {
        tick_ms += task.every_ms;
        let begun = Instant::now();
        let end = poll::run(engine, open, connection, task, tick_ms).await;
        let time = begun.elapsed();
        assert_eq!(end, PollEnd::Same);
        if number >= WARM_UP {
            whole.push(time);
        }
    }
    let mut claims = Vec::with_capacity(POLLS);
    for _ in 0..POLLS {
        tick_ms += task.every_ms;
        let claim =
            ClaimPoll { name: task.name.clone(), tick_ms, every_ms: task.every_ms, keep_ms: task.keep_ms };
        let begun = Instant::now();
        let claimed = open.store.claim_poll(claim).await;
        let time = begun.elapsed();
        assert!(claimed.is_ok_and(|claim| claim.is_some()));
        claims.push(time);
    }
    vec![
        ("a poll whose answer is the same, beyond the HTTP call", whole),
        ("  of that: the claim, one committed statement", claims),
    ]
}

/// What is done with the answer.
fn parts(plan: &Plan, answer: &str) -> Vec<(&'static str, Vec<Duration>)> {
    let shape = Shape::Named("board.Board".to_owned());
    let read = || interpret::read(&plan.types, &shape, answer, "", Form::Wire).expect("the answer fits");
    let value = read();
    let mut times: BTreeMap<&str, Vec<Duration>> = BTreeMap::new();
    for _ in 0..POLLS {
        let begun = Instant::now();
        let read = read();
        times.entry("  of that: decoding the answer").or_default().push(begun.elapsed());
        assert_eq!(read, value);
        let begun = Instant::now();
        let event = poll::event_of(plan, "board.BoardChanged", &read).expect("the event is made");
        times
            .entry("  of that: the event, written, read back and digested")
            .or_default()
            .push(begun.elapsed());
        assert_eq!(event.digest.len(), 64);
    }
    times.into_iter().collect()
}

fn us(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000_000.0
}
