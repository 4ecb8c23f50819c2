//! The signals that end the watching: the first after the check that is under way, the second at once.

use std::io::{self, Write};
use std::sync::mpsc::{self, Receiver};

/// Exit code after a second signal: 128 and the number of an interrupt, as shells say it.
const INTERRUPTED: i32 = 130;

/// Gets something when it is time to stop. Where signals can't be watched, that is said once, and a signal ends the
/// program at once, as the system does by itself.
pub fn stop() -> Receiver<()> {
    let (stop, stopped) = mpsc::channel();
    match watched() {
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
                io::stderr(),
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
