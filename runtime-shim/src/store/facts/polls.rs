//! Polls: what a tick reads, a claim, and how its call ended.

use super::NewEvent;

/// What a tick reads of a poll to tell whether it is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollRow {
    /// `poll <connection>.<poll>`.
    pub name: String,
    /// When it is next due.
    pub next_due_ms: i64,
    /// The interval it was last claimed under.
    pub every_ms: Option<i64>,
}

/// A claim of one poll.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimPoll {
    /// `poll <connection>.<poll>`.
    pub name: String,
    /// The tick's time, which the poll is compared with and moved on from.
    pub tick_ms: i64,
    /// The connection's interval now.
    pub every_ms: i64,
    /// How long the digest is believed after a due time that nobody kept.
    pub keep_ms: i64,
}

/// A poll that was claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollClaim {
    /// The claim's number: what is written later is written only under it.
    pub claim_no: i64,
    /// The digest of the event last kept, as hexadecimal text.
    pub digest: Option<String>,
    /// JSON: why its last call failed, if it did.
    pub last_error: Option<String>,
}

/// A changed answer to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeepPoll {
    /// `poll <connection>.<poll>`.
    pub name: String,
    /// The claim that made the call.
    pub claim_no: i64,
    /// The digest that the claim returned.
    pub digest_was: Option<String>,
    /// The new event's digest.
    pub digest: String,
    /// When the change was seen.
    pub changed_at_ms: i64,
    /// The event with its deliveries.
    pub event: NewEvent,
}

/// A failed poll to be written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollFailure {
    /// `poll <connection>.<poll>`.
    pub name: String,
    /// The claim that made the call.
    pub claim_no: i64,
    /// When it is due again.
    pub due_ms: i64,
    /// JSON: its kind and text, and for a drifted answer each place.
    pub error: String,
    /// When it failed.
    pub failed_at_ms: i64,
}

/// A poll, to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollState {
    /// `poll <connection>.<poll>`.
    pub name: String,
    /// When it is next due.
    pub next_due_ms: i64,
    /// When its event last changed.
    pub changed_at_ms: Option<i64>,
    /// JSON: why its last call failed.
    pub last_error: Option<String>,
    /// When that was.
    pub failed_at_ms: Option<i64>,
}
