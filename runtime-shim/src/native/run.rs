//! Runs an app as a program: its executor, its log, its signals, its exit code.

#[cfg(all(test, unix, feature = "sqlite"))]
mod tests;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::sync::Arc;

use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

use super::host::wall_ms;
use super::{NativeHost, server, signals};
use crate::app::App;
use crate::clock;
use crate::route::Actions;
use crate::serve::serve;
use crate::start::{StartError, Surroundings, start};

/// Exit code after a drain.
const DRAINED: u8 = 0;

/// Exit code of a program that failed.
const FAILED: u8 = 1;

/// Exit code for a plan or a setting that a running program can't take.
const PLAN_REFUSED: u8 = 3;

/// The environment variable that sets how much is logged: `error`, `warn`, `info`, `debug`, `trace` or `off`.
const LOG_LEVEL: &str = "JADPO_LOG";

impl App {
    /// Runs the app until SIGTERM or ctrl-c has stopped it. Logs to standard error, as much as `JADPO_LOG` says.
    ///
    /// Exit codes: 0 after a drain, 3 for a plan or a setting that it can't take, 1 when anything else kept it from starting.
    pub fn run(self) -> ExitCode {
        ExitCode::from(self.run_to_code())
    }

    fn run_to_code(self) -> u8 {
        log_to_stderr();
        let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return refused(FAILED, &format!("no executor could be started: {error}")),
        };
        let host = match NativeHost::new(runtime.handle().clone()) {
            Ok(host) => Arc::new(host),
            Err(error) => return refused(FAILED, &error.to_string()),
        };
        let mut ready = match start(self, &Surroundings::new(host)) {
            Ok(ready) => ready,
            Err(error @ StartError::Plan(_)) => return refused(PLAN_REFUSED, &error.to_string()),
            Err(error @ StartError::Stores(_)) => return refused(FAILED, &error.to_string()),
        };
        let actions = Arc::new(Actions::new(ready.engine.clone()));
        if let Err(error) = runtime.block_on(server::open(&mut ready, actions)) {
            return refused(FAILED, &error.to_string());
        }
        signals::watch(runtime.handle(), ready.engine.stop.clone());
        let drained = runtime.block_on(serve(ready));
        // What did not end in the drain is dropped where it waits; waiting for it again would be a second drain.
        runtime.shutdown_background();
        if drained.broke { FAILED } else { DRAINED }
    }
}

fn log_to_stderr() {
    let asked = std::env::var(LOG_LEVEL).ok();
    let level = asked.as_deref().map(str::parse::<LevelFilter>);
    let subscriber = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_max_level(level.clone().and_then(Result::ok).unwrap_or(LevelFilter::INFO))
        .with_target(false)
        .with_timer(ToTheMillisecond)
        .finish();
    // A program that set a subscriber of its own keeps it.
    drop(tracing::subscriber::set_global_default(subscriber));
    if let (Some(asked), Some(Err(_))) = (asked, level) {
        tracing::warn!(
            "{LOG_LEVEL} is {asked:?}, which is none of error, warn, info, debug, trace and off; info it is"
        );
    }
}

/// The time of a line, in UTC.
struct ToTheMillisecond;

impl FormatTime for ToTheMillisecond {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        write!(writer, "{:.3}", clock::timestamp(wall_ms()))
    }
}

fn refused(code: u8, text: &str) -> u8 {
    for line in text.lines() {
        tracing::error!("{line}");
    }
    code
}
