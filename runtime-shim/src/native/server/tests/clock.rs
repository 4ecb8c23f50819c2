//! A host whose time moves by hand, for a server on real sockets.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use event_listener::Event;

use crate::host::{BoxFuture, Host, HttpError, HttpRequest, HttpResponse};

use super::wait_until;

/// The host; clones share their time.
#[derive(Clone, Default)]
pub struct Clock {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    now_ms: Mutex<u64>,
    moved: Event,
    /// Every sleep that was asked for, ms.
    asked: Mutex<Vec<u64>>,
    /// Whether a sleep is over at once.
    races: AtomicBool,
}

impl Clock {
    /// A clock on which every sleep is over at once.
    pub fn racing() -> Clock {
        let clock = Clock::default();
        clock.shared.races.store(true, Ordering::SeqCst);
        clock
    }

    pub fn advance(&self, ms: u64) {
        *self.shared.now_ms.lock().unwrap() += ms;
        self.shared.moved.notify(usize::MAX);
    }

    /// Every sleep that was asked for so far, ms.
    pub fn asked(&self) -> Vec<u64> {
        self.shared.asked.lock().unwrap().clone()
    }

    /// Waits until somebody sleeps for so long.
    pub fn wait_for_sleep(&self, ms: u64) {
        wait_until("a sleep", || self.asked().contains(&ms));
    }

    fn now_ms(&self) -> u64 {
        *self.shared.now_ms.lock().unwrap()
    }
}

impl Host for Clock {
    fn wall_ms(&self) -> i64 {
        i64::try_from(self.now_ms()).unwrap()
    }

    fn monotonic_us(&self) -> u64 {
        self.now_ms() * 1_000
    }

    fn boot_ms(&self) -> u64 {
        self.now_ms()
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        let (clock, until_ms) = (self.clone(), self.now_ms() + ms);
        self.shared.asked.lock().unwrap().push(ms);
        Box::pin(async move {
            loop {
                let moved = clock.shared.moved.listen();
                if clock.now_ms() >= until_ms || clock.shared.races.load(Ordering::SeqCst) {
                    return;
                }
                moved.await;
            }
        })
    }

    fn random(&self) -> u64 {
        4
    }

    fn http(&self, _: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        Box::pin(async { Err(HttpError::Transport("there is no network here".to_owned())) })
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        drop(tokio::spawn(task));
    }
}
