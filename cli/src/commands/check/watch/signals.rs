//! The signals that end the watching: the first after the check that is under way, the second at once.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver};

/// Exit code after a second signal: 128 and the number of an interrupt, as shells say it.
const INTERRUPTED: i32 = 130;

/// Gets something when it is time to stop. Where signals can't be watched, that is said once, and a signal ends the
/// program at once, as the system does by itself.
pub fn stop() -> Receiver<()> {
    stop_by(watched(), &mut io::stderr())
}

fn stop_by(watched: io::Result<(tokio::runtime::Runtime, Signals)>, stderr: &mut dyn Write) -> Receiver<()> {
    let (stop, stopped) = mpsc::channel();
    match watched {
        Ok((runtime, mut signals)) => {
            std::thread::spawn(move || {
                runtime.block_on(signals.next());
                // The receiver is gone only when the program ends anyway.
                let _ = stop.send(());
                runtime.block_on(signals.next());
                std::process::exit(INTERRUPTED);
            });
        }
        Err(error) => {
            let _ = writeln!(
                stderr,
                "error[cli.signal_handler_failed]: signals can't be watched, so one ends the program at once: {error}"
            );
            // Without a sender the receiver would take it that it is time to stop.
            std::mem::forget(stop);
        }
    }
    stopped
}

/// The signals, watched from now on.
fn watched() -> io::Result<(tokio::runtime::Runtime, Signals)> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let entered = runtime.enter();
    let signals = Signals::new()?;
    drop(entered);
    Ok((runtime, signals))
}

#[cfg(unix)]
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { interrupt: signal(SignalKind::interrupt())?, terminate: signal(SignalKind::terminate())? })
    }

    async fn next(&mut self) {
        use std::future::poll_fn;
        use std::task::Poll;
        poll_fn(|cx| {
            let ready = self.interrupt.poll_recv(cx).is_ready() || self.terminate.poll_recv(cx).is_ready();
            if ready { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
    }
}

#[cfg(windows)]
struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    fn new() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    async fn next(&mut self) {
        self.0.recv().await;
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use std::sync::mpsc::TryRecvError;

    use super::*;

    #[test]
    fn where_signals_can_not_be_watched_that_is_said_once_and_the_watching_goes_on() {
        let mut told = Vec::new();
        let stopped = stop_by(Err(io::Error::other("none are left")), &mut told);
        assert_eq!(
            String::from_utf8(told).unwrap(),
            "error[cli.signal_handler_failed]: signals can't be watched, so one ends the program at once: none are left\n"
        );
        assert_eq!(stopped.try_recv(), Err(TryRecvError::Empty), "nobody says that it is time to stop");
    }
}
