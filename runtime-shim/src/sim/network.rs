//! What stands in for the network in a virtual world.

use crate::host::{BoxFuture, HttpError, HttpRequest, HttpResponse};

use super::timers::Timers;

/// Answers requests, and tells whether virtual time may move.
pub trait Network: Send + Sync + 'static {
    /// Sends one request; dropping the future ends it.
    fn http(
        &self,
        timers: &Timers,
        request: HttpRequest,
    ) -> BoxFuture<'static, Result<HttpResponse, HttpError>>;

    /// Whether anything real is under way at this virtual moment, in milliseconds since the epoch.
    fn settle(&self, now_ms: i64) -> Settled {
        let _ = now_ms;
        Settled::Quiet { next_ms: None }
    }

    /// Hears that the clock has moved, before anything runs at the new time.
    fn moved(&self, now_ms: i64) {
        let _ = now_ms;
    }
}

/// Whether virtual time may move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Yes, but not past this moment, at which something is due outside.
    Quiet {
        /// In milliseconds since the epoch.
        next_ms: Option<i64>,
    },
    /// No: an answer may come any moment.
    Busy,
}
