//! What commits as one, and how that ends.

use super::{ClaimedDelivery, ClaimedRun, Held, NewEvent, NewRun};
use crate::sql::SqlValue;

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

/// What the commit of a boundary depends on and settles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fence {
    /// Nothing: an action that a route, a public caller or a test runs.
    Free,
    /// A delivery of this store: its claim still stands, and the commit makes it `done`.
    Delivery(Held),
    /// A delivery kept in another store: it is not yet known here, and the commit makes it known.
    Received {
        /// The other store, as the app names it.
        store: String,
        /// The delivery's id there.
        delivery: i64,
    },
    /// A schedule's run: its claim still stands, and the commit ends it.
    Schedule {
        /// The schedule, as the plan names it.
        name: String,
        /// The claim's token.
        token: i64,
    },
    /// A step of a batch run: its claim still stands, the steps before it are committed and it is not, and the commit keeps
    /// where it ended.
    Step {
        /// The run with its claim's token.
        held: Held,
        /// Steps of the run that were committed before it. The claim goes on after the commit, so it alone would let a commit
        /// whose answer was lost in again.
        before: u64,
        /// Where the next step goes on; `None` ends the run.
        cursor: Option<String>,
        /// Values that this step refused and skipped.
        skipped: Vec<Skipped>,
    },
}

/// A value of a backfill that its field's rules refuse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped {
    /// The record's key.
    pub key: String,
    /// What was wanted.
    pub problem: String,
}

/// What commits as one when a body has its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Boundary {
    /// What it depends on and settles.
    pub fence: Fence,
    /// Now.
    pub now_ms: i64,
    /// In order.
    pub writes: Vec<Write>,
    /// Events emitted, with their deliveries.
    pub events: Vec<NewEvent>,
    /// Batch runs started.
    pub runs: Vec<NewRun>,
    /// Who claims what it sets off; otherwise that is pending.
    pub claim: Option<ClaimOwn>,
}

impl Boundary {
    /// A boundary that nothing was gathered in.
    pub fn empty(fence: Fence, now_ms: i64) -> Boundary {
        Boundary { fence, now_ms, writes: Vec::new(), events: Vec::new(), runs: Vec::new(), claim: None }
    }
}

/// A claim of what a commit sets off, made in that commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimOwn {
    /// Unique to this claim.
    pub token: i64,
    /// Who claims.
    pub instance: i64,
    /// When the lease ends.
    pub until_ms: i64,
    /// Whose deliveries; those of others are pending.
    pub subscribers: Vec<String>,
    /// Whose runs; those of others are pending.
    pub batches: Vec<String>,
}

/// What a commit set off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SetOff {
    /// A delivery of an event that it emitted.
    Delivery {
        /// Its id.
        id: i64,
        /// The subscriber's name.
        subscriber: String,
        /// When it is due.
        due_ms: i64,
        /// When its `within:` ends.
        give_up_ms: i64,
        /// The claim, where it was claimed in the commit.
        claimed: Option<Box<ClaimedDelivery>>,
    },
    /// A batch run that it started.
    Run {
        /// Its id.
        id: i64,
        /// The batch's name.
        batch: String,
        /// The claim, where it was claimed in the commit.
        claimed: Option<Box<ClaimedRun>>,
    },
}

/// How a boundary ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoundaryEnd {
    /// All of it is committed; what it set off, in the order it was gathered.
    Done(Vec<SetOff>),
    /// The claim stands no more; nothing is kept.
    Fenced,
    /// The delivery was received here before; nothing is kept.
    Received,
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
