//! Polls: who is due, the call, the event made from its answer, and what of it is kept.
//!
//! The steps decide on rows and facts; [`run`] does what they say.

mod due;
mod event;
mod run;
mod step;
#[cfg(test)]
mod tests;

pub use due::is_due;
pub use event::{PolledEvent, event_of};
pub use run::{PollEnd, run};
pub use step::{PollError, PollStep, bounded, step};

use crate::clock;
use crate::plan::{Deployable, Plan};

/// A poll that a program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PollTask {
    /// `poll <connection>.<poll>`: its key in the store.
    pub name: String,
    /// `<connection>.<poll>`: its name in logs.
    pub label: String,
    /// The connection that it calls through.
    pub connection: String,
    /// The operation that it calls.
    pub operation: String,
    /// The connection's interval, ms.
    pub every_ms: i64,
    /// The event that it emits: the key of its type.
    pub event: String,
    /// The store that keeps its row and its events.
    pub store: String,
    /// How long the events are kept, ms.
    pub keep_ms: i64,
}

/// The polls of a deployable, or what its plan lacks for one of them.
pub fn tasks(plan: &Plan, deployable: &Deployable) -> Result<Vec<PollTask>, String> {
    deployable.polls.iter().map(|(connection, poll)| task(plan, connection, poll)).collect()
}

/// The key under which a poll's row stands.
pub fn row_name(connection: &str, poll: &str) -> String {
    format!("poll {connection}.{poll}")
}

fn task(plan: &Plan, connection: &str, poll: &str) -> Result<PollTask, String> {
    let lacks = |what: &str| format!("the plan has no {what} for the poll {connection}.{poll}");
    let declared = plan.connections.get(connection).ok_or_else(|| lacks("connection"))?;
    let entry = declared.polls.get(poll).ok_or_else(|| lacks("entry"))?;
    if !plan.types.contains_key(&entry.event) {
        return Err(lacks("event type"));
    }
    Ok(PollTask {
        name: row_name(connection, poll),
        label: format!("{connection}.{poll}"),
        connection: connection.to_owned(),
        operation: entry.operation.clone(),
        every_ms: clock::signed(entry.every_ms),
        event: entry.event.clone(),
        store: declared.events_store.clone().ok_or_else(|| lacks("events store"))?,
        keep_ms: clock::signed(declared.keep_ms),
    })
}
