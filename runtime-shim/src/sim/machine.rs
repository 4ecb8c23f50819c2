//! A machine that can be lost: what runs on it stops where it stands.

use std::pin::pin;
use std::sync::Arc;

use futures_util::future::{Either, select};

use crate::host::{BoxFuture, Host, HttpError, HttpRequest, HttpResponse};
use crate::stop::Stop;

use super::host::VirtualHost;

/// A host whose tasks all end at once when it is lost.
pub struct Machine {
    host: Arc<VirtualHost>,
    lost: Stop,
}

impl Machine {
    /// One that runs on a host of a virtual world.
    pub fn new(host: Arc<VirtualHost>) -> Machine {
        Machine { host, lost: Stop::default() }
    }

    /// Loses it.
    pub fn crash(&self) {
        self.lost.ask();
    }

    /// Runs work on it; `None` where it is lost before the work has its value.
    pub async fn run<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        match select(pin!(self.lost.asked()), pin!(work)).await {
            Either::Left(_) => None,
            Either::Right((value, _)) => Some(value),
        }
    }

    /// Steps its wall clock, back where it is negative.
    pub fn step_wall(&self, ms: i64) {
        self.host.step_wall(ms);
    }

    /// Lets it have slept.
    pub fn has_slept(&self, ms: u64) {
        self.host.has_slept(ms);
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
        self.host.http(request)
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        let lost = self.lost.clone();
        self.host.spawn(Box::pin(async move {
            // The loss wins: nothing runs once more on a machine that is gone.
            select(pin!(lost.asked()), task).await;
        }));
    }
}
