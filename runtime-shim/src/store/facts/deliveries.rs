//! Events and their deliveries: kept, claimed, ended.

use serde::{Deserialize, Serialize};

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
    /// Claims whose boundary gathered nothing: they are made `done` first, in the same transaction.
    pub done: Vec<Held>,
}

/// What a claim took, and what it settled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Claimed {
    /// The longest due first.
    pub deliveries: Vec<ClaimedDelivery>,
    /// Deliveries that could not be made `done`, since their claims stand no more.
    pub fenced: Vec<Held>,
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

/// A claim that is held: what is claimed and the token that the fence compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Held {
    /// The id of the delivery, or of the batch run.
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

/// What stood under tokens whose claims were never answered, and was given back.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GivenBack {
    /// Deliveries.
    pub deliveries: u64,
    /// Runs of schedules.
    pub schedules: u64,
    /// Batch runs.
    pub runs: u64,
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

/// Deliveries by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is the state of its name")]
pub struct DeliveryCounts {
    pub pending: u64,
    pub claimed: u64,
    pub done: u64,
    pub failed: u64,
    pub discarded: u64,
}

/// A failed delivery, to be shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
