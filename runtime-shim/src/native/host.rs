//! The native host: tokio's timers and tasks, the system's clocks and chance, and a real network.

use std::cell::RefCell;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use tokio::runtime::Handle;

use crate::host::{BoxFuture, Host, HttpError, HttpRequest, HttpResponse};

use super::http::{HttpClient, HttpSetupError};

/// The longest single sleep: a timer of tokio's holds about two years, and a sleep may be longer.
const SLEEP_MS_MAX: u64 = 30 * 24 * 3_600_000;

/// Random numbers that a thread asks the system for at once.
const DRAWN_AT_ONCE: usize = 32;

/// A program on a machine.
#[derive(Debug)]
pub struct NativeHost {
    runtime: Handle,
    client: HttpClient,
    started: Instant,
}

impl NativeHost {
    /// A host whose tasks run on `runtime`.
    pub fn new(runtime: Handle) -> Result<Self, HttpSetupError> {
        Ok(Self { runtime, client: HttpClient::new()?, started: Instant::now() })
    }
}

impl Host for NativeHost {
    fn wall_ms(&self) -> i64 {
        wall_ms()
    }

    fn monotonic_us(&self) -> u64 {
        u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX)
    }

    fn boot_ms(&self) -> u64 {
        boot_ms(self.started)
    }

    fn sleep(&self, ms: u64) -> BoxFuture<'static, ()> {
        Box::pin(async move {
            let mut left = ms;
            while left > 0 {
                let piece = left.min(SLEEP_MS_MAX);
                tokio::time::sleep(Duration::from_millis(piece)).await;
                left -= piece;
            }
        })
    }

    fn random(&self) -> u64 {
        DRAWN.with_borrow_mut(Drawn::next)
    }

    fn http(&self, request: HttpRequest) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let client = self.client.clone();
        Box::pin(async move { client.send(request).await })
    }

    fn spawn(&self, task: BoxFuture<'static, ()>) {
        self.runtime.spawn(task);
    }

    fn blocking(&self, work: Box<dyn FnOnce() + Send>) -> BoxFuture<'static, ()> {
        let running = self.runtime.spawn_blocking(work);
        // One that never ran has no outcome, which tells its asker.
        Box::pin(async move { drop(running.await) })
    }
}

/// Random numbers that were asked of the system together: asking it for each would be a good part of what a short request
/// costs.
struct Drawn {
    bytes: [u8; 8 * DRAWN_AT_ONCE],
    left: usize,
}

thread_local! {
    static DRAWN: RefCell<Drawn> = const { RefCell::new(Drawn { bytes: [0; 8 * DRAWN_AT_ONCE], left: 0 }) };
}

impl Drawn {
    fn next(&mut self) -> u64 {
        if self.left == 0 {
            getrandom::fill(&mut self.bytes).expect("a system that gives no random bits can run no program");
            self.left = DRAWN_AT_ONCE;
        }
        self.left -= 1;
        let (numbers, _) = self.bytes.as_chunks();
        u64::from_ne_bytes(numbers[self.left])
    }
}

/// Milliseconds since the epoch, UTC.
pub(super) fn wall_ms() -> i64 {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(since) => i64::try_from(since.as_millis()).unwrap_or(i64::MAX),
        Err(before) => i64::try_from(before.duration().as_millis()).map_or(i64::MIN, |ms| -ms),
    }
}

/// A clock that counts while the machine sleeps, which the standard library's does not on these systems.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn boot_ms(_started: Instant) -> u64 {
    #[cfg(target_vendor = "apple")]
    const CLOCK: rustix::time::ClockId = rustix::time::ClockId::Monotonic;
    #[cfg(not(target_vendor = "apple"))]
    const CLOCK: rustix::time::ClockId = rustix::time::ClockId::Boottime;

    let now = rustix::time::clock_gettime(CLOCK);
    let ms = now.tv_sec.saturating_mul(1_000).saturating_add(now.tv_nsec / 1_000_000);
    u64::try_from(ms).unwrap_or(0)
}

/// The standard library's clock, which counts while the machine sleeps on Windows.
#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn boot_ms(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}
