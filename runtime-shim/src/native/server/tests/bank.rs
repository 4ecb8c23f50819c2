//! A whole app behind the server: actions that commit, fail, conflict and outlast a stop.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tokio::task::JoinHandle;

use super::super::open;
use super::{Client, wait_until};
use crate::app::App;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::dispatch::Dispatch;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::native::NativeHost;
use crate::native::run::code_of;
use crate::route::Actions;
use crate::serve::{Drained, serve};
use crate::start::{Surroundings, start};
use crate::step::RunStep;
use crate::stop::Stop;

const ACCOUNTS: u64 = 10;

/// What each account begins with.
const BALANCE: i64 = 1_000;

fn plan(drain_ms: u64) -> String {
    let action = |input: Value| json!({ "store": "main", "input": input, "output": { "text": {} }, "emits": [], "uses": [], "starts": [] });
    let route = |name: &str, within_ms: u64| json!({ "method": "POST", "path": [{ "text": name }], "action": name, "within_ms": within_ms });
    let field =
        |name: &str, least: &str| json!({ "name": name, "wire": name, "shape": { "int": { "min": least } } });
    let plan = json!({
        "version": 1, "app": "bank", "packages": {}, "connections": {}, "subscribers": {},
        "stores": { "main": { "native": { "sqlite": "bank.db" }, "keep_ms": 1 } },
        "types": { "Transfer": { "object": [field("amount", "1"), field("from", "0"), field("to", "0")] } },
        "actions": { "fail": action(Value::Null), "hang": action(Value::Null), "panic": action(Value::Null), "peek": action(Value::Null),
            "transfer": action(json!("Transfer")), "wait": action(Value::Null) },
        "routes": { "fail": route("fail", 30_000), "hang": route("hang", 1), "panic": route("panic", 30_000), "peek": route("peek", 30_000),
            "transfer": route("transfer", 30_000), "wait": route("wait", 30_000) },
        "deployables": { "server": {
            "routes": ["fail", "hang", "panic", "peek", "transfer", "wait"], "subscribers": [], "polls": [],
            "host": { "max_connections": 64, "drain_ms": drain_ms, "listen": { "env": "LISTEN" } },
            "runner": { "workers": 1, "at_capacity_poll_interval_ms": 1_000, "at_capacity_heartbeat_ms": 1_000,
                "backoff_initial_ms": 100, "backoff_max_ms": 1_000, "sleep_detection_ms": 180_000 },
        } },
    });
    plan.to_string()
}

/// Moves money; `wait` holds on until it is let go.
#[derive(Clone, Default)]
struct Bank {
    waits: Arc<AtomicU64>,
    go: Stop,
}

impl Dispatch for Bank {
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
        action: &'a str,
        cx: &'a mut Context,
        input: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            match action {
                "transfer" => transfer(cx, input.unwrap()),
                "fail" => return Err(Failure::new("the password of the vault is hush")),
                "panic" => panic!("hush"),
                "peek" => {}
                "hang" => std::future::pending().await,
                _ => {
                    cx.store().write("UPDATE accounts SET balance = balance + 1 WHERE id = 0", ());
                    self.waits.fetch_add(1, Ordering::SeqCst);
                    self.go.asked().await;
                }
            }
            Ok(Some("\"done\"".to_owned()))
        })
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

fn transfer(cx: &mut Context, input: &str) {
    let input: Value = serde_json::from_str(input).unwrap();
    let of = |name: &str| input[name].as_i64().unwrap();
    let takes = "UPDATE accounts SET balance = balance - ?1 WHERE id = ?2 AND balance >= ?1";
    cx.store().write_rows(1, takes, (of("amount"), of("from")));
    cx.store().write_rows(
        1,
        "UPDATE accounts SET balance = balance + ?1 WHERE id = ?2",
        (of("amount"), of("to")),
    );
}

struct Running {
    bank: Bank,
    engine: Arc<Engine>,
    address: std::net::SocketAddr,
    served: JoinHandle<Drained>,
    runtime: Runtime,
    folder: tempfile::TempDir,
}

impl Running {
    fn start() -> Running {
        Running::draining(10_000)
    }

    /// One whose stop waits so long.
    fn draining(drain_ms: u64) -> Running {
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let (bank, folder) = (Bank::default(), tempfile::tempdir().unwrap());
        let fills = format!(
            "CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL) STRICT;
             WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {ACCOUNTS})
             INSERT INTO accounts SELECT i, {BALANCE} FROM n"
        );
        let app = App::new(&plan(drain_ms), "server", bank.clone())
            .env("LISTEN", "127.0.0.1:0")
            .store_file("main", folder.path().join("bank.db").to_str().unwrap())
            .prepare("main", &fills);
        let host = Arc::new(NativeHost::new(runtime.handle().clone()).unwrap());
        let mut ready = start(app, &Surroundings::new(host)).unwrap();
        let engine = ready.engine.clone();
        let actions = Arc::new(Actions::new(engine.clone()));
        let address = runtime.block_on(open(&mut ready, actions)).unwrap().unwrap();
        let served = runtime.spawn(serve(ready));
        Running { bank, engine, address, served, runtime, folder }
    }

    fn client(&self) -> Client {
        Client::connect(self.address)
    }

    fn balances(&self) -> Vec<i64> {
        balances(&self.folder)
    }
}

/// What every account holds.
fn balances(folder: &tempfile::TempDir) -> Vec<i64> {
    let store = rusqlite::Connection::open(folder.path().join("bank.db")).unwrap();
    let mut statement = store.prepare("SELECT balance FROM accounts ORDER BY id").unwrap();
    let rows = statement.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn moves(from: u64, to: u64, amount: u64) -> String {
    let body = format!(r#"{{"amount":{amount},"from":{from},"to":{to}}}"#);
    let length = body.len();
    format!(
        "POST /transfer HTTP/1.1\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
}

#[test]
fn money_adds_up_whoever_moves_it_at_once() {
    const CLIENTS: u64 = 16;
    const TRANSFERS: u64 = 50;
    let running = Running::start();
    // Each client moves money in a fixed order of its own; what it was told is all that counts.
    let moved = |client: u64| {
        let mut connection = running.client();
        let mut changes = vec![0_i64; 10];
        for number in 0..TRANSFERS {
            let (from, to) = ((client + number) % ACCOUNTS, (client * 3 + number * 7 + 1) % ACCOUNTS);
            let amount = 1 + (client * 37 + number * 101) % 400;
            let answer = connection.send(&moves(from, to, amount)).answer();
            if answer.starts_with("409") {
                continue;
            }
            assert_eq!(answer, "200 \"done\"");
            changes[usize::try_from(from).unwrap()] -= i64::try_from(amount).unwrap();
            changes[usize::try_from(to).unwrap()] += i64::try_from(amount).unwrap();
        }
        changes
    };
    let all: Vec<Vec<i64>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..CLIENTS).map(|client| scope.spawn(move || moved(client))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let wanted: Vec<i64> =
        (0..10).map(|at| BALANCE + all.iter().map(|changes| changes[at]).sum::<i64>()).collect();
    let balances = running.balances();
    assert_eq!(balances, wanted, "what was answered is what was kept");
    assert_eq!(balances.iter().sum::<i64>(), BALANCE * 10);
    assert!(balances.iter().all(|balance| *balance >= 0));
}

#[test]
fn an_end_without_a_value_tells_nothing_of_the_inside() {
    let running = Running::start();
    let mut client = running.client();
    let mut post = |path: &str| client.ask(&format!("POST {path}"));
    let internal = r#"500 {"error":{"code":"internal","message":"the request could not be answered"}}"#;
    assert_eq!(post("/fail"), internal);
    assert_eq!(post("/panic"), internal);
    assert!(post("/hang").starts_with(r#"504 {"error":{"code":"deadline_exceeded""#));
    assert!(client.send(&moves(1, 2, 5_000)).answer().starts_with(r#"409 {"error":{"code":"conflict""#));
    assert_eq!(running.balances(), [BALANCE; 10]);
    assert_eq!(client.ask("GET /readyz"), r#"200 {"ready":true}"#);
}

#[test]
fn what_only_reads_waits_for_no_writer() {
    let running = Running::start();
    let writer = rusqlite::Connection::open(running.folder.path().join("bank.db")).unwrap();
    writer.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut client = running.client();
    assert_eq!(client.ask("POST /peek"), "200 \"done\"");
    writer.execute_batch("COMMIT").unwrap();
}

#[test]
fn a_request_outlasts_the_stop_and_the_program_ends_after_it() {
    let running = Running::start();
    let mut client = running.client();
    client.send("POST /wait HTTP/1.1\r\n\r\n");
    wait_until("the action", || running.bank.waits.load(Ordering::SeqCst) == 1);
    running.engine.stop.ask();
    wait_until("a refusal", || std::net::TcpStream::connect(running.address).is_err());
    running.bank.go.ask();
    assert_eq!(client.answer(), "200 close \"done\"");
    assert!(client.is_closed_unanswered());
    assert_eq!(running.balances()[0], BALANCE + 1);
    let drained = running.runtime.block_on(running.served).unwrap();
    assert_eq!(drained, Drained { dropped: 0, broke: false });
}

#[test]
fn an_action_that_outlasts_the_drain_is_dropped_and_keeps_nothing() {
    let running = Running::draining(50);
    let mut client = running.client();
    client.send("POST /wait HTTP/1.1\r\n\r\n");
    wait_until("the action", || running.bank.waits.load(Ordering::SeqCst) == 1);
    running.engine.stop.ask();
    assert!(client.is_closed_unanswered());
    let drained = running.runtime.block_on(running.served).unwrap();
    assert!(drained.dropped > 0 && !drained.broke, "{drained:?}");
    assert_eq!(code_of(drained), 0);
    running.runtime.shutdown_background();
    assert_eq!(balances(&running.folder), [BALANCE; 10]);
}
