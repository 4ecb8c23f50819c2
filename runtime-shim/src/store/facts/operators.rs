//! What an operator asks for, and what one looks at first.

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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lag {
    /// Deliveries.
    pub deliveries_ms: Option<i64>,
    /// Batch runs.
    pub runs_ms: Option<i64>,
}
