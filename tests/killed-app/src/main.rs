//! The app that the tests kill: its handlers, on a host whose clock they set.

jadpo_runtime::include_app!();

mod handlers;
mod pace;
mod paced;

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;

use jadpo_runtime::native::{NativeHost, server};
use jadpo_runtime::route::Actions;
use jadpo_runtime::serve::serve;
use jadpo_runtime::start::{Surroundings, start};
use jadpo_runtime::stop::Stop;
use tokio::runtime::Runtime;
use tokio::signal::unix::{SignalKind, signal};

use handlers::{MAIN, SIDE, Teller};
use pace::Pace;
use paced::PacedHost;

fn main() -> ExitCode {
    match run() {
        Ok(broke) => ExitCode::from(u8::from(broke)),
        Err(error) => {
            let _ = writeln!(std::io::stderr(), "killed: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Serves until SIGTERM. Whether a part of it broke.
fn run() -> Result<bool, Box<dyn std::error::Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).with_target(false).init();
    let pace = Pace::from_environment()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let host = PacedHost::new(NativeHost::new(runtime.handle().clone())?, pace);
    let mut app = app::server(Teller).prepare("main", MAIN).prepare("side", SIDE);
    // A file in place of the database that the manifest names.
    for (store, variable) in [("main", "KILLED_MAIN_FILE"), ("side", "KILLED_SIDE_FILE")] {
        if let Ok(path) = std::env::var(variable) {
            app = app.store_file(store, path);
        }
    }
    let stop = Stop::default();
    watch(&runtime, stop.clone())?;
    let surroundings = Surroundings { budget_ms: pace.budget_ms, stop, ..Surroundings::new(Arc::new(host)) };
    let mut ready = start(app, &surroundings)?;
    let actions = Arc::new(Actions::new(ready.engine.clone()));
    runtime.block_on(server::open(&mut ready, actions))?;
    let drained = runtime.block_on(serve(ready));
    runtime.shutdown_background();
    Ok(drained.broke)
}

/// Asks for the stop at SIGTERM, from now on: whoever sees the app listen may send it.
fn watch(runtime: &Runtime, stop: Stop) -> std::io::Result<()> {
    let entered = runtime.enter();
    let mut asked = signal(SignalKind::terminate())?;
    drop(entered);
    runtime.spawn(async move {
        asked.recv().await;
        stop.ask();
    });
    Ok(())
}
