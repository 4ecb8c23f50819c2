//! Schedules: when each is next due, and the run of its action under a lease.

mod run;
#[cfg(test)]
mod tests;
mod when;

pub use run::{ScheduleEnd, run};
pub use when::{Times, UnknownZone};

use crate::plan::{Deployable, Plan};
use crate::store::ScheduleRow;

/// A schedule that a program runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleTask {
    /// Its name: its key in the store.
    pub name: String,
    /// The action that it runs.
    pub action: String,
    /// The store that its action writes, which keeps its row too.
    pub store: String,
    /// When it runs.
    pub times: Times,
}

impl ScheduleTask {
    /// Whether a tick must ask the store for it: it was never seen, is due, runs under another rule now, or is held by somebody
    /// who may be lost.
    pub fn may_be_due(&self, row: Option<&ScheduleRow>, tick_ms: i64) -> bool {
        row.is_none_or(|row| {
            row.next_due_ms <= tick_ms || row.spec != self.times.spec() || row.claimed_until_ms.is_some()
        })
    }
}

/// The schedules of a deployable, or what its plan lacks for one of them.
pub fn tasks(plan: &Plan, deployable: &Deployable) -> Result<Vec<ScheduleTask>, String> {
    deployable.schedules.iter().map(|name| task(plan, name)).collect()
}

fn task(plan: &Plan, name: &str) -> Result<ScheduleTask, String> {
    let declared = plan.schedules.get(name).ok_or_else(|| format!("the plan has no schedule {name}"))?;
    let action = plan.actions.get(&declared.action);
    let action = action
        .ok_or_else(|| format!("the plan has no action {} for the schedule {name}", declared.action))?;
    let times = Times::new(&declared.when).map_err(|error| format!("the schedule {name}: {error}"))?;
    Ok(ScheduleTask {
        name: name.to_owned(),
        action: declared.action.clone(),
        store: action.store.clone(),
        times,
    })
}
