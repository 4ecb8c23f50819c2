//! What goes into a store and what comes out: plain facts, times in milliseconds since the epoch.

mod boundary;
mod deliveries;
mod operators;
mod outlook;
mod polls;
mod purge;
mod runs;
mod schedules;

pub use boundary::{Boundary, BoundaryEnd, ClaimOwn, Fence, SetOff, Skipped, Write};
pub use deliveries::{
    ClaimDeliveries, Claimed, ClaimedDelivery, DeliveryCounts, EndedDelivery, FailedDelivery, GiveBack,
    GivenBack, Held, NewDelivery, NewEvent, TakeOver, Wanted,
};
pub use operators::{Backlog, Lag, ReplayDelivery};
pub use outlook::{Outlook, OutlookAsked};
pub use polls::{ClaimPoll, KeepPoll, PollClaim, PollFailure, PollRow, PollState};
pub use purge::{PurgeStep, Purged};
pub use runs::{ClaimRun, ClaimedRun, FailedRun, NewRun, RunCounts};
pub use schedules::{ClaimSchedule, ScheduleClaim, ScheduleRow, ScheduleState};
