//! Schedules: when each is next due, a claim of its run, and how its last run ended.

use serde::{Deserialize, Serialize};

/// What a tick reads of a schedule to tell whether it is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleRow {
    /// The schedule, as the plan names it.
    pub name: String,
    /// When it is next due.
    pub next_due_ms: i64,
    /// When it runs, as it was last claimed under: `every 3600000`, `daily 03:00 Europe/London`.
    pub spec: String,
    /// When the lease of its run ends, while one runs.
    pub claimed_until_ms: Option<i64>,
}

/// A claim of a schedule's run. One that was never seen is only written down; one that stood under another spec is due
/// anew, and not run either.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimSchedule {
    /// The schedule, as the plan names it.
    pub name: String,
    /// The tick's time, which the due time is compared with.
    pub tick_ms: i64,
    /// Now, which leases are compared with.
    pub now_ms: i64,
    /// When it is due after this.
    pub next_due_ms: i64,
    /// When it runs, in words.
    pub spec: String,
    /// Unique to this claim.
    pub token: i64,
    /// Who claims.
    pub instance: i64,
    /// When the lease ends.
    pub until_ms: i64,
    /// How long an instance may be silent, ms.
    pub silent_ms: i64,
}

/// A schedule whose run was claimed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduleClaim {
    /// The claim's token.
    pub token: i64,
    /// Whether the last run was lost: its process ended, or was too slow.
    pub lost_before: bool,
}

/// A schedule, to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleState {
    /// The schedule, as the plan names it.
    pub name: String,
    /// When it is next due.
    pub next_due_ms: i64,
    /// Whether a run of it is claimed.
    pub running: bool,
    /// When a run of it last ended well.
    pub last_run_ms: Option<i64>,
    /// Why its last run failed, if it did.
    pub last_error: Option<String>,
    /// When that was.
    pub failed_at_ms: Option<i64>,
}
