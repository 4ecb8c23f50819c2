//! What the purge lets go of.

/// One bounded step of the purge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PurgeStep {
    /// Now.
    pub now_ms: i64,
    /// How long the store keeps what has no rule of its own, ms.
    pub keep_ms: i64,
    /// How long events of these connections are kept, ms.
    pub keep_of: Vec<(String, i64)>,
    /// The polls of the plan.
    pub polls: Vec<String>,
    /// The schedules of the plan.
    pub schedules: Vec<String>,
    /// Where the last step ended; 0 to begin with.
    pub after_event: i64,
    /// At most this many of each kind are looked at.
    pub at_most: u32,
}

/// What a step of the purge did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purged {
    /// Events that went, with their deliveries.
    pub events: u64,
    /// Rows of polls that went.
    pub polls: u64,
    /// Rows of schedules that went.
    pub schedules: u64,
    /// Batch runs that went.
    pub runs: u64,
    /// Deliveries of other stores that are forgotten.
    pub received: u64,
    /// Where the next step goes on; `None` when there is nothing left to look at.
    pub next: Option<i64>,
}
