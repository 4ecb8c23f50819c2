//! Runs one schedule: the claim, its action under the claim's lease, and what is written down when that fails.

use std::sync::Arc;

use tracing::Instrument;

use super::ScheduleTask;
use crate::action::{self, ActionEnd, Ask};
use crate::alive::while_alive;
use crate::budget::Budget;
use crate::engine::Engine;
use crate::instance;
use crate::limits;
use crate::open_store::OpenStore;
use crate::poll::bounded;
use crate::status::Count;
use crate::store::{ClaimSchedule, Fence, ScheduleClaim};

/// How a schedule's run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScheduleEnd {
    /// It isn't due, was only written down, or another instance has it.
    NotDue,
    /// Its action is committed.
    Done,
    /// Its action failed, for this reason; it waits for its next time.
    Failed(String),
    /// Another has its claim; nothing of it is kept.
    Lost,
    /// The store failed under it; it runs again at the next tick.
    GivenBack,
    /// The store failed before the action ran, or could keep nothing of how it ended.
    StoreFailed,
}

/// Takes a schedule that is due at the tick's time, and runs its action.
pub async fn run(engine: &Arc<Engine>, open: &OpenStore, task: &ScheduleTask, tick_ms: i64) -> ScheduleEnd {
    let span = tracing::info_span!("schedule", name = task.name);
    claim_and_run(engine, open, task, tick_ms).instrument(span).await
}

async fn claim_and_run(
    engine: &Arc<Engine>,
    open: &OpenStore,
    task: &ScheduleTask,
    tick_ms: i64,
) -> ScheduleEnd {
    let budget = Budget::begin(&*engine.host, engine.budget_ms);
    let now_ms = engine.now_ms();
    let until_ms = now_ms.saturating_add(budget.lease_ms(engine.host.monotonic_us()));
    let token = instance::new_token(&*engine.host);
    let claim = ClaimSchedule {
        name: task.name.clone(),
        tick_ms,
        now_ms,
        next_due_ms: task.times.after(tick_ms),
        spec: task.times.spec().to_owned(),
        token,
        instance: engine.instance,
        until_ms,
        silent_ms: limits::SILENT_MS,
    };
    let ScheduleClaim { token, lost_before } = match open.heed(engine, open.store.claim_schedule(claim).await)
    {
        Ok(Some(claim)) => claim,
        Ok(None) => return ScheduleEnd::NotDue,
        Err(_) => {
            open.lost_answer(engine, token);
            return ScheduleEnd::StoreFailed;
        }
    };
    if lost_before {
        tracing::warn!("its last run's process ended or was too slow; it runs again");
    }
    let ask = Ask {
        action: task.action.clone(),
        input: None,
        fence: Fence::Schedule { name: task.name.clone(), token },
        limit_ms: budget.run_limit_ms(engine.host.monotonic_us()).unwrap_or(0),
        claim: None,
        trace: None,
    };
    engine.tally.one(Count::SchedulesRun);
    let end = while_alive(engine, open, action::run(engine, ask)).await;
    let error = match failure(end) {
        Outcome::Done => {
            tracing::info!("done");
            return ScheduleEnd::Done;
        }
        Outcome::Lost => {
            tracing::warn!("its claim was taken by another; nothing of this run is kept");
            return ScheduleEnd::Lost;
        }
        Outcome::Trouble(error) => {
            tracing::warn!("{error}; it runs again at the next tick");
            let given = open.insist(engine, until_ms, |open| {
                open.store.give_back_schedule(task.name.clone(), token, tick_ms)
            });
            return match given.await {
                Some(true) => ScheduleEnd::GivenBack,
                Some(false) => ScheduleEnd::Lost,
                None => {
                    open.lost_answer(engine, token);
                    ScheduleEnd::StoreFailed
                }
            };
        }
        Outcome::Failed(error) => bounded(&error),
    };
    tracing::warn!("failed, and waits for its next time: {error}");
    engine.tally.one(Count::SchedulesFailed);
    let written = open.insist(engine, until_ms, |open| {
        open.store.fail_schedule(task.name.clone(), token, engine.now_ms(), error.clone())
    });
    match written.await {
        Some(true) => ScheduleEnd::Failed(error),
        Some(false) => ScheduleEnd::Lost,
        None => ScheduleEnd::StoreFailed,
    }
}

enum Outcome {
    Done,
    Lost,
    /// The store's, which is no failure of the action.
    Trouble(String),
    Failed(String),
}

fn failure(end: ActionEnd) -> Outcome {
    match end {
        ActionEnd::Done { .. } => Outcome::Done,
        ActionEnd::Fenced => Outcome::Lost,
        ActionEnd::Failed(failure) => Outcome::Failed(failure.text().to_owned()),
        ActionEnd::Panicked(message) => Outcome::Failed(format!("panicked: {message}")),
        ActionEnd::Conflict(text) | ActionEnd::Refused(text) => Outcome::Failed(text),
        ActionEnd::StoreTrouble(text) => Outcome::Trouble(text),
        ActionEnd::OverLimit => {
            Outcome::Failed("deadline_exceeded: the action ran longer than a run may".to_owned())
        }
        ActionEnd::Stopped => Outcome::Failed("deadline_exceeded: the program stopped".to_owned()),
    }
}
