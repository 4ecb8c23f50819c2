//! When there is next something to do.

use std::collections::BTreeMap;

/// Whose outlook is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlookAsked {
    /// Now.
    pub now_ms: i64,
    /// The subscribers whose deliveries could be claimed.
    pub subscribers: Vec<String>,
    /// Who asks; its own live claims are not lost.
    pub instance: i64,
    /// How long an instance may be silent, ms.
    pub silent_ms: i64,
    /// Deliveries that this process still runs.
    pub running: Vec<i64>,
    /// The batches whose runs could be claimed.
    pub batches: Vec<String>,
    /// Batch runs that this process still works on.
    pub running_runs: Vec<i64>,
}

/// When there is next something to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// When the earliest pending delivery of each subscriber asked for is due; none of those that have none.
    pub due_ms: BTreeMap<String, i64>,
    /// The earliest end of a pending delivery's `within:`.
    pub give_up_ms: Option<i64>,
    /// The earliest time that a claim counts as lost.
    pub lost_ms: Option<i64>,
    /// When a run of the batches asked for can next be claimed: it is due then, or its claim counts as lost.
    pub run_due_ms: Option<i64>,
}
