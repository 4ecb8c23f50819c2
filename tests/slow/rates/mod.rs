//! The example as its user runs it: real processes, a real provider, a real clock.

mod killed;
mod rehearsal;
mod serve;
mod start;
mod trouble;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use jadpo_tests::binaries::binary;
use jadpo_tests::http;
use jadpo_tests::process::{Running, Stream};

use crate::stored;

/// Until something is to be seen that takes the program itself little time, on a machine that does much else.
const SOON: Duration = Duration::from_mins(1);

/// Until a tick has come that the next whole minute brings, with what it sets off.
const NEXT_TICK: Duration = Duration::from_secs(90);

const LEFT: &str = "SELECT * FROM jadpo_deliveries WHERE state <> 'done'";

/// The example's program, in a folder of its own, connected to nothing.
fn rates(folder: &Path) -> Command {
    let mut command = Command::new(binary("rates", "rates"));
    command.current_dir(folder);
    for name in ["RATES_PORT", "RATES_API_KEY", "JADPO_LOG"] {
        command.env_remove(name);
    }
    // Where the machine stands changes nothing.
    command.env("TZ", "Asia/Kolkata");
    command
}

/// The provider as a process that outlives the app.
struct Exchange {
    port: u16,
    _process: Running,
}

impl Exchange {
    #[track_caller]
    fn start() -> Self {
        let mut process = Running::start(&mut Command::new(binary("rates", "exchange")));
        let port = process.line(SOON, "a port", |stream, _| stream == Stream::Out);
        Self { port: port.parse().unwrap(), _process: process }
    }

    /// How it is to answer from now on.
    #[track_caller]
    fn answer(&self, mode: &str) {
        assert_eq!(http::ask(self.port, "/control", Some(mode)).0, 204);
    }

    /// How many calls it has counted.
    #[track_caller]
    fn calls(&self) -> u64 {
        let stats: serde_json::Value = serde_json::from_str(&http::ask(self.port, "/stats", None).1).unwrap();
        stats["calls"].as_u64().unwrap()
    }

    /// The app, connected to it.
    fn rates(&self, folder: &Path) -> Command {
        let mut command = rates(folder);
        command.env("RATES_PORT", self.port.to_string()).env("RATES_API_KEY", "a-key");
        command
    }
}

/// Ends the app with a signal when nothing is left to be delivered. What a tick sets off in the very moment of the signal is
/// left, so then it is started once more. Everything that these programs wrote.
#[track_caller]
fn stop_when_done(exchange: &Exchange, folder: &Path, mut program: Running, signal: &str) -> String {
    let mut written = String::new();
    for _ in 0..3 {
        until(SOON, folder, &format!("SELECT 1 AS it WHERE NOT EXISTS ({LEFT})"));
        program.signal(signal);
        assert_eq!(program.exit(SOON).code(), Some(0), "{}", program.written());
        written.push_str(&program.written());
        if count(folder, &format!("SELECT count(*) AS it FROM ({LEFT})")) == 0 {
            return written;
        }
        program = Running::start(&mut exchange.rates(folder));
    }
    panic!("something is left each time; they wrote:\n{written}")
}

/// The first value of a query over the app's store, once there is one.
#[track_caller]
fn until(limit: Duration, folder: &Path, sql: &str) -> String {
    stored::until(limit, &folder.join("rates.db"), sql)
}

/// A number that a query over the app's store counts.
#[track_caller]
fn count(folder: &Path, sql: &str) -> u64 {
    stored::count(&folder.join("rates.db"), sql)
}
