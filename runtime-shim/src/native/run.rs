//! Runs an app as a program: its executor, its log, its signals, its exit code.

#[cfg(all(test, unix, feature = "sqlite"))]
mod tests;

use std::pin::pin;
use std::process::ExitCode;
use std::sync::Arc;

use futures_util::future::{Either, select};
use tokio::runtime::{Handle, Runtime};

use super::telling::Telling;
use super::{NativeHost, log, server, signals};
use crate::app::App;
use crate::route::Actions;
use crate::serve::{Drained, drain_ms, serve};
use crate::start::{Ready, StartError, Surroundings, start};
use crate::stop::Stop;

/// Exit code after a drain.
const DRAINED: u8 = 0;

/// Exit code of a program that failed.
const FAILED: u8 = 1;

/// Exit code for a plan or a setting that a running program can't take.
const PLAN_REFUSED: u8 = 3;

impl App {
    /// Runs the app until SIGTERM or ctrl-c has stopped it. Logs to standard error, as much as `JADPO_LOG` says.
    ///
    /// Exit codes: 0 once it was asked to stop and has stopped, 3 for a plan or a setting that it can't take, 1 when anything
    /// else kept it from starting. A program that was asked to stop before it had started is to end when this returns: what
    /// its start was at, waiting for a locked file perhaps, goes on beside it until then.
    pub fn run(self) -> ExitCode {
        ExitCode::from(self.run_to_code(signals::watch))
    }

    pub(super) fn run_to_code(self, watch: impl FnOnce(&Handle, Stop)) -> u8 {
        let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                log::to_stderr();
                return refused(FAILED, &format!("no executor could be started: {error}"));
            }
        };
        let telling = Telling::begin(&self, runtime.handle());
        let stop = Stop::default();
        // Before anything is opened: whoever sees the first trace of the app in a store may ask it to stop.
        watch(runtime.handle(), stop.clone());
        let host = match NativeHost::new(runtime.handle().clone()) {
            Ok(host) => Arc::new(host),
            Err(error) => return refused(FAILED, &error.to_string()),
        };
        let surroundings = Surroundings { stop, ..Surroundings::new(host) };
        let mut ready = match start_or_stop(&runtime, self, surroundings) {
            Some(Ok(ready)) => ready,
            Some(Err(error @ StartError::Plan(_))) => return refused(PLAN_REFUSED, &error.to_string()),
            Some(Err(error @ StartError::Stores(_))) => return refused(FAILED, &error.to_string()),
            None => return stopped_before(runtime, telling),
        };
        let actions = Arc::new(Actions::new(ready.engine.clone()));
        if let Err(error) = runtime.block_on(server::open(&mut ready, actions)) {
            return refused(FAILED, &error.to_string());
        }
        serve_to_code(runtime, telling, ready)
    }
}

/// Starts the app on a thread that may block; `None` when the stop is asked first. What the start is at then, a lock that it
/// waits for or a migration, is left where it is, as by a crash: a store keeps such a step whole or not at all.
fn start_or_stop(
    runtime: &Runtime,
    app: App,
    surroundings: Surroundings,
) -> Option<Result<Ready, StartError>> {
    let stop = surroundings.stop.clone();
    let started = runtime.spawn_blocking(move || start(app, &surroundings));
    runtime.block_on(async {
        match select(started, pin!(stop.asked())).await {
            Either::Left((Ok(started), _)) => Some(started),
            Either::Left((Err(broke), _)) => std::panic::resume_unwind(broke.into_panic()),
            Either::Right(_) => None,
        }
    })
}

/// Nothing had begun, so there is nothing to drain.
fn stopped_before(runtime: Runtime, telling: Telling) -> u8 {
    tracing::info!("stopped before it had started");
    telling.end(0);
    runtime.shutdown_background();
    DRAINED
}

/// Serves what was started until it has drained.
fn serve_to_code(runtime: Runtime, telling: Telling, ready: Ready) -> u8 {
    let engine = ready.engine.clone();
    telling.measure(&engine);
    let drained = runtime.block_on(serve(ready));
    telling.end(drain_ms(&engine));
    // What did not end in the drain is dropped where it waits; waiting for it again would be a second drain.
    runtime.shutdown_background();
    code_of(drained)
}

/// The exit code of a program that served.
pub(super) fn code_of(drained: Drained) -> u8 {
    if drained.broke { FAILED } else { DRAINED }
}

fn refused(code: u8, text: &str) -> u8 {
    for line in text.lines() {
        tracing::error!("{line}");
    }
    code
}
