//! What an operator asks for, and what one looks at first.

use serde::{Deserialize, Serialize};

/// A delivery that failed or was discarded and is to be made again, with all its attempts and all of its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayDelivery {
    /// The delivery's id.
    pub id: i64,
    /// Now; it is due at once.
    pub now_ms: i64,
    /// The `within:` of each subscriber of the plan, ms. A delivery of any other is left as it is, since nobody makes it.
    pub within_ms: Vec<(String, i64)>,
}

/// The age of the oldest work that is due and not taken, ms; `None` where nothing is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lag {
    /// Deliveries.
    pub deliveries_ms: Option<i64>,
    /// Batch runs.
    pub runs_ms: Option<i64>,
}

/// Deliveries of one event, through one connection, to one subscriber, that are not over.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Backlog {
    /// The event's name.
    pub event: String,
    /// The connection that it came through; an app's own event came through none.
    pub connection: Option<String>,
    /// The subscriber's name.
    pub subscriber: String,
    /// Due, or due later.
    pub pending: u64,
    /// Being made.
    pub claimed: u64,
    /// Failed for good.
    pub failed: u64,
    /// The age of the oldest that is due and not taken, ms; `None` where none is.
    pub lag_ms: Option<i64>,
}
