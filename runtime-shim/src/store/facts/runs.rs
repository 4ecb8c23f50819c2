//! Runs of batches and backfills: started, claimed, shown.

use serde::{Deserialize, Serialize};

use super::Held;

/// A run to be kept, due at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRun {
    /// The batch's name.
    pub batch: String,
    /// Canonical JSON, where the batch takes an input.
    pub input: Option<String>,
    /// The W3C trace context that it was started in.
    pub trace: Option<String>,
    /// When it is kept.
    pub created_at_ms: i64,
}

/// A claim of one due run, also of one whose claim was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimRun {
    /// Now.
    pub now_ms: i64,
    /// Unique to this claim.
    pub token: i64,
    /// Who claims.
    pub instance: i64,
    /// When the lease ends.
    pub until_ms: i64,
    /// How long an instance may be silent, ms.
    pub silent_ms: i64,
    /// Whose runs.
    pub batches: Vec<String>,
    /// Runs that this process still works on.
    pub running: Vec<i64>,
}

/// A run that was claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedRun {
    /// Its id.
    pub id: i64,
    /// The claim's token.
    pub token: i64,
    /// The batch's name.
    pub batch: String,
    /// Canonical JSON.
    pub input: Option<String>,
    /// Where the last committed step ended; `None` before the first.
    pub cursor: Option<String>,
    /// Steps committed so far.
    pub steps: u64,
    /// Attempts of the step that comes now, this one included. A run whose process ended under it comes with its attempt
    /// counted, so whoever claims one with more attempts than its batch has fails it.
    pub attempts: u32,
    /// The W3C trace context that it was started in.
    pub trace: Option<String>,
}

impl ClaimedRun {
    /// What names the claim when it ends.
    pub fn held(&self) -> Held {
        Held { id: self.id, token: self.token }
    }
}

/// Runs by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is the state of its name")]
pub struct RunCounts {
    pub pending: u64,
    pub claimed: u64,
    pub done: u64,
    pub failed: u64,
    pub discarded: u64,
}

/// A failed run, to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedRun {
    /// Its id.
    pub id: i64,
    /// The batch's name.
    pub batch: String,
    /// Where the last committed step ended.
    pub cursor: Option<String>,
    /// Steps committed.
    pub steps: u64,
    /// Attempts of the step that failed.
    pub attempts: u32,
    /// Values that were refused and skipped so far.
    pub skipped: u64,
    /// Why it failed last.
    pub error: String,
    /// When it was given up.
    pub finished_at_ms: i64,
}
