//! An app as a process: its exit codes, and signals that drain it or end it.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use super::serve_to_code;
use crate::app::App;
use crate::limits::DRAIN_MS;
use crate::native::telling::Telling;
use crate::native::{NativeHost, signals};
use crate::start::{Surroundings, start};
use crate::stop::Stop;
use crate::trial::process::Process;
use crate::trial::{Bodies, Trial, fine};

/// Names the file of a child's store, and tells the child that it is one.
const CHILD_FILE: &str = "JADPO_TEST_CHILD_FILE";

/// Set for a child whose bodies never let go of their thread.
const STUBBORN: &str = "JADPO_TEST_CHILD_STUBBORN";

/// Set for a child whose server breaks off once a body runs.
const BREAKING: &str = "JADPO_TEST_CHILD_BREAKING";

/// Said once a body runs.
static IN_A_BODY: LazyLock<Stop> = LazyLock::new(Stop::default);

fn app(trial: &Trial, bodies: impl crate::dispatch::Dispatch) -> App {
    let json = serde_json::to_string(&trial.plan).unwrap();
    App::new(&json, "server", bodies)
}

/// Workers of the processes below.
const WORKERS: u32 = 500;

/// Less than a drain lasts, and more than the two seconds of virtual time that such a stop may take: how long it is in real time
/// is the machine's doing too.
const STOPPED_MAX: Duration = Duration::from_millis(DRAIN_MS - 2_000);

/// A trial whose file holds so many deliveries that wait to be made.
fn with_work(count: u32) -> Trial {
    let trial = Trial::new(|plan| plan.deployables.get_mut("server").unwrap().polls.clear());
    drop(trial.start(0, fine));
    trial.execute(&format!(
        "INSERT INTO jadpo_events (id, name, source, occurred_at_ms, payload, created_at_ms)
         VALUES (1, 'coinfeed.PricesChanged', 'feed', 0, '{{}}', 0);
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {count})
         INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
         SELECT 1, 'update_quotes', 'pending', 0, 0, 9000000000000 FROM n"
    ));
    trial
}

/// The program of the processes below; run by itself it does nothing.
#[test]
#[ignore = "the other tests run it as a process of its own"]
fn child() {
    let Ok(file) = std::env::var(CHILD_FILE) else { return };
    // No trial is made here: it would set a log of its own.
    let mut plan = crate::trial::base_plan();
    let server = plan.deployables.get_mut("server").unwrap();
    server.polls.clear();
    server.runner.workers = WORKERS;
    let json = serde_json::to_string(&plan).unwrap();
    let app = App::new(&json, "server", Bodies(hangs)).store_file("main", file);
    let code =
        if std::env::var_os(BREAKING).is_some() { breaks(app) } else { app.run_to_code(signals::watch) };
    std::process::exit(i32::from(code));
}

/// Runs an app beside which something breaks off, as its server might.
fn breaks(app: App) -> u8 {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let telling = Telling::begin(&app, runtime.handle());
    let host = Arc::new(NativeHost::new(runtime.handle().clone()).unwrap());
    let surroundings = Surroundings::new(host);
    signals::watch(runtime.handle(), surroundings.stop.clone());
    let mut ready = start(app, &surroundings).unwrap();
    ready.beside.push(Box::pin(async {
        IN_A_BODY.asked().await;
        panic!("the server broke");
    }));
    serve_to_code(runtime, telling, ready)
}

fn hangs<'a>(
    _: &'a str,
    _: &'a mut crate::Context,
    _: &'a crate::Delivered,
) -> crate::BoxFuture<'a, Result<(), crate::Failure>> {
    Box::pin(async {
        tracing::info!("in the body");
        IN_A_BODY.ask();
        while std::env::var_os(STUBBORN).is_some() {
            std::thread::park();
        }
        std::future::pending().await
    })
}

/// One that is as this variable says.
fn process(trial: &Trial, kind: Option<&str>) -> Process {
    Process::start("native::run::tests::child", |command| {
        command.env(CHILD_FILE, trial.file());
        if let Some(kind) = kind {
            command.env(kind, "1");
        }
    })
}

#[test]
fn a_signal_while_the_start_waits_ends_it() {
    let trial = with_work(1);
    let other = rusqlite::Connection::open(trial.file()).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    for (signal, process) in ["-TERM", "-INT"].map(|signal| (signal, process(&trial, None))) {
        process.wait_for("the start waits");
        process.signal(signal);
        process.wait_for("stopped before it had started");
        assert_eq!(process.code(), Some(0));
    }
}

#[test]
fn one_signal_drains() {
    for signal in ["-TERM", "-INT"] {
        let trial = with_work(1);
        let process = process(&trial, None);
        process.wait_for("in the body");
        assert_eq!(trial.rows("SELECT state, attempts FROM jadpo_deliveries"), ["claimed | 1"]);
        process.signal(signal);
        assert_eq!(process.code(), Some(0));
        assert_eq!(trial.rows("SELECT state, attempts FROM jadpo_deliveries"), ["pending | 0"]);
    }
}

#[test]
fn a_stop_with_five_hundred_in_flight_loses_none_and_does_not_use_up_its_drain() {
    let trial = with_work(WORKERS);
    let process = process(&trial, None);
    (0..WORKERS).for_each(|_| process.wait_for("in the body"));
    process.signal("-TERM");
    process.wait_for("stopping");
    let begun = Instant::now();
    assert_eq!(process.code(), Some(0));
    let took = begun.elapsed();
    assert!(took < STOPPED_MAX, "{took:?}");
    let left = trial.rows("SELECT state, attempts, count(*) FROM jadpo_deliveries GROUP BY 1, 2");
    assert_eq!(left, [format!("pending | 0 | {WORKERS}")]);
}

#[test]
fn a_second_signal_ends_it_at_once() {
    for (signal, code) in [("-TERM", 143), ("-INT", 130)] {
        let trial = with_work(1);
        let process = process(&trial, Some(STUBBORN));
        process.wait_for("in the body");
        process.signal("-TERM");
        process.wait_for("a second signal");
        process.signal(signal);
        assert_eq!(process.code(), Some(code));
    }
}

#[test]
fn a_server_that_breaks_off_stops_the_program_which_has_failed() {
    let trial = with_work(1);
    let process = process(&trial, Some(BREAKING));
    process.wait_for("in the body");
    process.wait_for("ERROR the ticks, the loop of deliveries or the server broke off, so the program stops");
    process.wait_for("trading stopped");
    assert_eq!(process.code(), Some(1));
    let left = trial.rows("SELECT state, attempts FROM jadpo_deliveries");
    assert_eq!(left, ["pending | 0"], "it drained as after a signal");
}

/// A signal goes on ending the tests themselves.
fn unwatched(_: &tokio::runtime::Handle, _: Stop) {}

#[test]
fn a_missing_setting_and_a_broken_store_have_codes_of_their_own() {
    let missing = Trial::new(|plan| {
        let setting = crate::plan::Setting { shape: crate::plan::Shape::Secret, default_json: None };
        plan.packages.get_mut("coinfeed").unwrap().settings.insert("key".to_owned(), setting);
        let source = crate::plan::SettingSource::Env("JADPO_TEST_UNSET_KEY".to_owned());
        plan.connections.get_mut("feed").unwrap().settings.insert("key".to_owned(), source);
    });
    assert_eq!(app(&missing, Bodies(fine)).store_file("main", missing.file()).run_to_code(unwatched), 3);
    assert_eq!(App::new("{}", "server", Bodies(fine)).run_to_code(unwatched), 3);
    let trial = Trial::new(|_| {});
    std::fs::write(trial.file(), "no database ".repeat(500)).unwrap();
    assert_eq!(app(&trial, Bodies(fine)).store_file("main", trial.file()).run_to_code(unwatched), 1);
}

#[test]
fn an_address_that_cannot_be_had_is_a_clear_end() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let host = |listen| crate::plan::Host { max_connections: 1, drain_ms: 0, listen, control: None };
    let with =
        |listen| Trial::new(|plan| plan.deployables.get_mut("server").unwrap().host = Some(host(listen)));
    let trial = with(crate::plan::Listen::At(address));
    assert_eq!(app(&trial, Bodies(fine)).store_file("main", trial.file()).run_to_code(unwatched), 1);
    let trial = with(crate::plan::Listen::Env("JADPO_TEST_UNSET_LISTEN".to_owned()));
    assert_eq!(app(&trial, Bodies(fine)).store_file("main", trial.file()).run_to_code(unwatched), 3);
}
