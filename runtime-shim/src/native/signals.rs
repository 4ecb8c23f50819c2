//! The signals that end a program: the first drains it, the second ends it at once.

use std::future::Future;
use std::io;

use crate::stop::Stop;

/// Exit code after a second SIGTERM: 128 and the signal's number, as shells say it.
const TERMINATED: i32 = 143;

/// Exit code after a second interrupt.
const INTERRUPTED: i32 = 130;

/// Watches for signals: the first asks `stop`, the second ends the process at once. Where they can't be watched, that is
/// said once, and a signal ends the program at once, as the system does by itself.
pub fn watch(runtime: &tokio::runtime::Handle, stop: Stop) {
    watch_those(runtime, stop, signals);
}

fn watch_those<S: Signals>(
    runtime: &tokio::runtime::Handle,
    stop: Stop,
    signals: impl FnOnce() -> io::Result<S>,
) {
    let entered = runtime.enter();
    match signals() {
        Ok(next) => {
            runtime.spawn(two(next, stop));
        }
        Err(error) => {
            tracing::error!(code = "cli.signal_handler_failed", "signals can't be watched: {error}");
        }
    }
    drop(entered);
}

async fn two<S: Signals>(mut signals: S, stop: Stop) {
    signals.next().await;
    tracing::info!("stopping; a second signal ends the program at once");
    stop.ask();
    let code = signals.next().await;
    std::process::exit(code);
}

/// A source of signals.
trait Signals: Send + 'static {
    /// The exit code that the next signal stands for.
    fn next(&mut self) -> impl Future<Output = i32> + Send;
}

#[cfg(unix)]
struct Watched {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
fn signals() -> io::Result<Watched> {
    use tokio::signal::unix::{SignalKind, signal};
    Ok(Watched { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
}

#[cfg(unix)]
impl Signals for Watched {
    async fn next(&mut self) -> i32 {
        use futures_util::future::{Either, select};
        let terminated = std::pin::pin!(self.terminate.recv());
        let interrupted = std::pin::pin!(self.interrupt.recv());
        match select(terminated, interrupted).await {
            Either::Left(_) => TERMINATED,
            Either::Right(_) => INTERRUPTED,
        }
    }
}

#[cfg(windows)]
struct Watched(tokio::signal::windows::CtrlC);

#[cfg(windows)]
fn signals() -> io::Result<Watched> {
    Ok(Watched(tokio::signal::windows::ctrl_c()?))
}

#[cfg(windows)]
impl Signals for Watched {
    async fn next(&mut self) -> i32 {
        self.0.recv().await;
        INTERRUPTED
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

    use std::future::{pending, ready};

    use super::*;
    use crate::trial::log::told;

    /// Gives one signal, and no other.
    struct One(bool);

    impl Signals for One {
        async fn next(&mut self) -> i32 {
            if std::mem::replace(&mut self.0, true) { pending().await } else { ready(TERMINATED).await }
        }
    }

    fn runtime() -> tokio::runtime::Runtime {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
    }

    #[test]
    fn where_signals_can_not_be_watched_that_is_said_once_and_the_program_runs_on() {
        let (runtime, stop) = (runtime(), Stop::default());
        let none = || Err::<One, _>(io::Error::other("none are left"));
        let told = told(|| {
            watch_those(runtime.handle(), stop.clone(), none);
            runtime.block_on(tokio::task::yield_now());
        });
        assert_eq!(
            told,
            "ERROR signals can't be watched: none are left code=\"cli.signal_handler_failed\"\n"
        );
        assert!(!stop.is_asked());
    }

    #[test]
    fn the_first_signal_asks_the_stop() {
        let (runtime, stop) = (runtime(), Stop::default());
        watch_those(runtime.handle(), stop.clone(), || Ok(One(false)));
        runtime.block_on(stop.asked());
    }
}
