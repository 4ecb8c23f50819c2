//! The other examples as their users run them: real processes, real requests, a real clock.

mod archive;
mod desk;
mod flood;
mod market;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use jadpo_tests::binaries::binary;
use jadpo_tests::http;
use jadpo_tests::process::{Running, Stream};
use serde_json::Value;

/// Until something is to be seen that takes the program itself little time, on a machine that does much else.
const SOON: Duration = Duration::from_mins(1);

/// A program of an example, in a folder of its own, with nothing of its in the environment.
fn program(package: &str, name: &str, folder: &Path) -> Command {
    let mut command = Command::new(binary(package, name));
    command.current_dir(folder).env_remove("JADPO_LOG");
    for name in [
        "DESK_LISTEN",
        "DESK_TOKEN",
        "ARCHIVE_LISTEN",
        "MARKET_LISTEN",
        "MARKET_EXCHANGE_PORT",
        "MARKET_EXCHANGE_KEY",
    ] {
        command.env_remove(name);
    }
    command
}

/// A program that serves on a port that the system picked.
struct Serving {
    program: Running,
    port: u16,
}

impl Serving {
    /// Starts it; `listen` is the variable that says where.
    #[track_caller]
    fn start(mut command: Command, listen: &str) -> Self {
        let mut program = Running::start(command.env(listen, "127.0.0.1:0"));
        let line = program.line(SOON, "where it listens", |stream, line| {
            stream == Stream::Err && line.contains("listening on")
        });
        let port = line.rsplit(':').next().and_then(|port| port.trim().parse().ok());
        Self { program, port: port.unwrap_or_else(|| panic!("no port in {line}")) }
    }

    /// Status and answer; [`Value::Null`] is an answer without a body.
    #[track_caller]
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, Value) {
        let (status, body) = http::send(self.port, method, path, headers, body);
        let body = if body.is_empty() { Value::Null } else { serde_json::from_str(&body).unwrap() };
        (status, body)
    }

    /// Ends it as a supervisor does.
    #[track_caller]
    fn stop(mut self) {
        self.ask_to_stop();
        self.ends();
    }

    /// Sends the signal, and waits until it was heard.
    #[track_caller]
    fn ask_to_stop(&mut self) {
        self.program.signal("TERM");
        self.program.line(SOON, "that it stops", |_, line| line.contains("stopping"));
    }

    /// Waits for the end that was asked for.
    #[track_caller]
    fn ends(mut self) {
        assert_eq!(self.program.exit(SOON).code(), Some(0), "{}", self.program.written());
        let written = self.program.written();
        assert!(!written.contains("panicked") && !written.contains("ERROR"), "{written}");
    }
}
