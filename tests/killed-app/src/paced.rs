//! A native host whose clocks go faster than the machine's, so that leases and minutes pass in seconds.

use std::time::Duration;

use jadpo_runtime::host::{BoxFuture, Host, HttpError, HttpRequest, HttpResponse};
use jadpo_runtime::native::NativeHost;

use crate::pace::Pace;

/// The native host with other clocks; network, chance and threads are the machine's.
pub struct PacedHost {
    native: NativeHost,
    pace: Pace,
}

impl PacedHost {
    /// A host whose clocks go at this pace.
    pub fn new(native: NativeHost, pace: Pace) -> Self {
        Self { native, pace }
    }
}

impl Host for PacedHost {
    fn wall_ms(&self) -> i64 {
        self.pace.wall_ms()
    }

    fn monotonic_us(&self) -> u64 {
        self.native.monotonic_us().saturating_mul(u64::from(self.pace.rate))
    }

    fn boot_ms(&self) -> u64 {
        self.native.boot_ms().saturating_mul(u64::from(self.pace.rate))
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        let length = Duration::from_millis(ms) / self.pace.rate;
        Box::pin(async move { tokio::time::sleep(length).await })
    }

    fn random(&self) -> u64 {
        self.native.random()
    }

    fn http(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        self.native.http(request)
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.native.spawn(task);
    }

    fn blocking(&self, work: Box<dyn FnOnce() + Send>) -> BoxFuture<'static, ()> {
        self.native.blocking(work)
    }
}
