//! What goes into a store and what comes out: plain facts, times in milliseconds since the epoch.

use std::collections::BTreeMap;

use crate::sql::SqlValue;

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

/// An event to be kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewEvent {
    /// Its name: its type's key in the plan.
    pub name: String,
    /// The connection that it came through; an app's own event came through none.
    pub source: Option<String>,
    /// The provider's own id.
    pub external_id: Option<String>,
    /// When it happened.
    pub occurred_at_ms: i64,
    /// Canonical JSON.
    pub payload: String,
    /// The W3C trace context that it was made in.
    pub trace: Option<String>,
    /// When it is kept.
    pub created_at_ms: i64,
    /// One for each subscriber that hears it.
    pub deliveries: Vec<NewDelivery>,
}

/// A delivery to be kept, due at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewDelivery {
    /// The subscriber's name.
    pub subscriber: String,
    /// When its `within:` ends.
    pub give_up_ms: i64,
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
}

/// A subscriber and how many of its deliveries may be taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// Its name.
    pub subscriber: String,
    /// At least 1.
    pub at_most: u32,
    /// How many of it run already: the others' turn comes first.
    pub running: u32,
}

/// A claim of due deliveries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimDeliveries {
    /// Now.
    pub now_ms: i64,
    /// Unique to this claim.
    pub token: i64,
    /// Who claims.
    pub instance: i64,
    /// When the lease ends.
    pub until_ms: i64,
    /// Whose deliveries.
    pub wanted: Vec<Wanted>,
    /// At most this many in all.
    pub at_most: u32,
    /// Whether to say in the same transaction that the instance lives.
    pub hear: bool,
}

/// A delivery that was claimed, with its event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedDelivery {
    /// Its id.
    pub id: i64,
    /// The claim's token.
    pub token: i64,
    /// The subscriber's name.
    pub subscriber: String,
    /// Attempts, this one included.
    pub attempts: u32,
    /// When it was due.
    pub due_ms: i64,
    /// When its `within:` ends.
    pub give_up_ms: i64,
    /// Its event's id.
    pub event_id: i64,
    /// Its event's name.
    pub event: String,
    /// The connection that the event came through.
    pub source: Option<String>,
    /// When the event happened.
    pub occurred_at_ms: i64,
    /// When the event was kept.
    pub created_at_ms: i64,
    /// The event as canonical JSON.
    pub payload: String,
    /// The W3C trace context that the event was made in.
    pub trace: Option<String>,
}

impl ClaimedDelivery {
    /// What names the claim when it ends.
    pub fn held(&self) -> Held {
        Held { id: self.id, token: self.token }
    }
}

/// A claim that is held: the delivery and the token that the fence compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// The delivery's id.
    pub id: i64,
    /// The claim's token.
    pub token: i64,
}

/// A claim that is given back as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GiveBack {
    /// What was held.
    pub held: Held,
    /// When it is due again.
    pub due_ms: i64,
}

/// A gathered statement of the app.
#[derive(Clone, Debug, PartialEq)]
pub struct Write {
    /// One statement.
    pub sql: String,
    /// What stands for `?1`, `?2`, ….
    pub params: Vec<SqlValue>,
    /// How many rows it must touch, where that was stated.
    pub rows: Option<u64>,
}

/// What commits as one when a delivery's body has its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// The claim that the fence compares.
    pub held: Held,
    /// Now.
    pub now_ms: i64,
    /// In order.
    pub writes: Vec<Write>,
    /// Events emitted, with their deliveries.
    pub events: Vec<NewEvent>,
}

/// How a boundary ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundaryEnd {
    /// All of it is committed.
    Done,
    /// The claim stands no more; nothing is kept.
    Fenced,
    /// A write touched another number of rows than it stated; nothing is kept.
    Conflict {
        /// The statement.
        sql: String,
        /// Rows stated.
        wanted: u64,
        /// Rows touched.
        got: u64,
    },
    /// The engine refused a write, in its words; nothing is kept.
    Refused(String),
}

/// Claims to be taken from processes that ended or are too slow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakeOver {
    /// Now.
    pub now_ms: i64,
    /// Who takes over.
    pub instance: i64,
    /// How long an instance may be silent, ms.
    pub silent_ms: i64,
    /// Deliveries that this process still runs.
    pub running: Vec<i64>,
    /// Each subscriber of the plan with the attempts that its deliveries have.
    pub attempts: Vec<(String, u32)>,
}

/// A delivery that the store freed or ended without running it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedDelivery {
    /// Its id.
    pub id: i64,
    /// The subscriber's name.
    pub subscriber: String,
    /// Whether it is failed now; otherwise it is pending again.
    pub failed: bool,
    /// What it says now.
    pub error: String,
}

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
    /// Where the last step ended; 0 to begin with.
    pub after_event: i64,
    /// At most this many events are looked at.
    pub at_most: u32,
}

/// What a step of the purge did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Purged {
    /// Events that went, with their deliveries.
    pub events: u64,
    /// Rows of polls that went.
    pub polls: u64,
    /// Where the next step goes on; `None` when there is nothing left to look at.
    pub next: Option<i64>,
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

/// Deliveries by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the state of its name")]
pub struct DeliveryCounts {
    pub pending: u64,
    pub claimed: u64,
    pub done: u64,
    pub failed: u64,
    pub discarded: u64,
}

/// A failed delivery, to be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedDelivery {
    /// Its id.
    pub id: i64,
    /// The event's name.
    pub event: String,
    /// The subscriber's name.
    pub subscriber: String,
    /// How often it was tried.
    pub attempts: u32,
    /// Why it failed last.
    pub error: String,
    /// When it was given up.
    pub finished_at_ms: i64,
}
