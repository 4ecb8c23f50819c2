//! A machine of a run: it can be lost at any step of anything that runs on it, stand still and go on, and count its requests.

use std::pin::{Pin, pin};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::Poll;

use futures_util::future::{poll_fn, select};

use crate::host::{BoxFuture, Host, HttpError, HttpRequest, HttpResponse};
use crate::sim::{Sleep, Timers, VirtualHost};
use crate::stop::Stop;

/// A machine.
pub struct Machine {
    host: Arc<VirtualHost>,
    timers: Timers,
    lost: Stop,
    fate: Arc<Mutex<Fate>>,
    at_once: Arc<AtOnce>,
}

#[derive(Debug, Default)]
struct Fate {
    /// Steps of its tasks until it is lost.
    steps_left: Option<u64>,
    /// Until when it stands still, µs since the start.
    still_until_us: u64,
}

/// Requests that the provider has of it, as long as each is neither answered nor its connection closed.
#[derive(Debug, Default)]
struct AtOnce {
    now: AtomicU64,
    most: AtomicU64,
}

impl Machine {
    pub fn new(host: Arc<VirtualHost>, timers: Timers) -> Machine {
        Machine { host, timers, lost: Stop::default(), fate: Arc::default(), at_once: Arc::default() }
    }

    /// Loses it: nothing of it runs on, and nobody is told.
    pub fn crash(&self) {
        self.lost.ask();
    }

    /// Loses it after so many more steps of whatever runs on it.
    pub fn crash_after(&self, steps: u64) {
        self.fate().steps_left = Some(steps);
    }

    /// Lets it live, if it still does, though it was to be lost soon.
    pub fn spare(&self) {
        self.fate().steps_left = None;
    }

    /// Whether it is lost.
    pub fn is_lost(&self) -> bool {
        self.lost.is_asked()
    }

    /// Lets nothing of it run for so long; its clocks go on.
    pub fn stand_still(&self, ms: u64) {
        self.fate().still_until_us = self.timers.now_us() + ms * 1_000;
    }

    /// Steps its wall clock, back where it is negative.
    pub fn step_wall(&self, ms: i64) {
        self.host.step_wall(ms);
    }

    /// Lets it have slept.
    pub fn has_slept(&self, ms: u64) {
        self.host.has_slept(ms);
    }

    /// The most requests to a capped connection that the provider had of it at once.
    pub fn at_once_max(&self) -> u64 {
        self.at_once.most.load(Ordering::Relaxed)
    }

    fn fate(&self) -> std::sync::MutexGuard<'_, Fate> {
        self.fate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The task as this machine runs it: not while it stands still, and no further than its last step.
    fn held(&self, mut task: BoxFuture<'static, ()>) -> impl Future<Output = ()> + use<> {
        let (fate, timers, lost) = (self.fate.clone(), self.timers.clone(), self.lost.clone());
        let mut still: Option<Sleep> = None;
        poll_fn(move |context| {
            loop {
                if let Some(sleep) = &mut still {
                    std::task::ready!(Pin::new(sleep).poll(context));
                }
                let mut fate = fate.lock().unwrap_or_else(PoisonError::into_inner);
                let left_us = fate.still_until_us.saturating_sub(timers.now_us());
                if left_us > 0 {
                    still = Some(timers.sleep(left_us.div_ceil(1_000)));
                    continue;
                }
                still = None;
                if let Some(steps) = &mut fate.steps_left {
                    if *steps == 0 {
                        drop(fate);
                        lost.ask();
                        return Poll::Pending;
                    }
                    *steps -= 1;
                }
                drop(fate);
                return task.as_mut().poll(context);
            }
        })
    }
}

impl Host for Machine {
    fn wall_ms(&self) -> i64 {
        self.host.wall_ms()
    }

    fn monotonic_us(&self) -> u64 {
        self.host.monotonic_us()
    }

    fn boot_ms(&self) -> u64 {
        self.host.boot_ms()
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        self.host.sleep(ms)
    }

    fn random(&self) -> u64 {
        self.host.random()
    }

    fn http(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        if !request.url.ends_with(super::provider::CAPPED) {
            return self.host.http(request);
        }
        let (http, at_once) = (self.host.http(request), self.at_once.clone());
        Box::pin(async move {
            let now = at_once.now.fetch_add(1, Ordering::Relaxed) + 1;
            at_once.most.fetch_max(now, Ordering::Relaxed);
            let _until_it_ends = Ends(at_once);
            http.await
        })
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        let (lost, held) = (self.lost.clone(), self.held(task));
        self.host.spawn(Box::pin(async move {
            // The loss wins: nothing runs once more on a machine that is gone.
            select(pin!(lost.asked()), pin!(held)).await;
        }));
    }
}

struct Ends(Arc<AtOnce>);

impl Drop for Ends {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::Relaxed);
    }
}
