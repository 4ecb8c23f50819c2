//! What a test sets off itself: actions, runs of schedules, batches and backfills.

use std::fmt;

use serde_json::Value;

use super::input::Input;
use super::running::CALL_TRACE_HEAD;
use super::world::TestApp;
use crate::action::{self, ActionEnd, Ask};
use crate::codec::{self, Form, Wire};
use crate::limits;
use crate::notes::Note;
use crate::plan::Plan;
use crate::route;
use crate::store::{Fence, NewRun};

/// What an action gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    action: String,
    canonical: Option<String>,
}

/// Why an action gave nothing; nothing of it was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The status that a route would answer.
    pub status: u16,
    /// What went wrong, as the log has it.
    pub text: String,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.status, self.text)
    }
}

impl Output {
    /// It as its generated type.
    #[track_caller]
    pub fn get<T: Wire>(&self) -> T {
        match codec::decode(self.text(), Form::Canonical) {
            Ok(value) => value,
            Err(error) => panic!("the output of {} is another type: {error}", self.action),
        }
    }

    /// It as canonical JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        serde_json::from_str(self.text()).expect("an output is canonical JSON")
    }

    #[track_caller]
    fn text(&self) -> &str {
        let Some(text) = &self.canonical else { panic!("the action {} gives no output", self.action) };
        text
    }
}

impl TestApp {
    /// Calls an action as a route does, and then runs what it set off as far as it needs no time.
    ///
    /// # Panics
    /// Where the action fails.
    #[track_caller]
    pub fn call(&mut self, action: &str, input: impl Input) -> Output {
        match self.try_call(action, input) {
            Ok(output) => output,
            Err(refused) => panic!("the action {action} failed: {refused}\n{}", self.picture()),
        }
    }

    /// The same for an action that may fail.
    ///
    /// Where the process ends before the action's commit, it is called again, as its caller would; where it ends after it, the
    /// caller gets the output all the same.
    #[track_caller]
    pub fn try_call(&mut self, action: &str, input: impl Input) -> Result<Output, Refused> {
        let plan = self.plan();
        known("action", action, plan.actions.keys());
        let input = input.canonical();
        let canonical = loop {
            let kept_before = self.writes.tally().calls;
            let (trace, trace_id) = self.next_trace();
            let ask = Ask {
                action: action.to_owned(),
                input: input.clone(),
                fence: Fence::Free,
                limit_ms: limits::RUN_MS_MAX,
                claim: None,
                trace: Some(trace),
            };
            let engine = self.running().engine.clone();
            match self.until(async move { action::run(&engine, ask).await }) {
                Some(ActionEnd::Done { output, .. }) => break output,
                Some(end) => return Err(refused(&end)),
                None if self.writes.tally().calls > kept_before => {
                    break self
                        .outputs
                        .take(&trace_id)
                        .expect("what is committed had its value before")
                        .output;
                }
                None => {}
            }
        };
        self.run_until(self.now_ms());
        Ok(Output { action: action.to_owned(), canonical })
    }

    /// Lets time pass until a schedule is due next, and runs it.
    #[track_caller]
    pub fn run_schedule(&mut self, schedule: &str) {
        let plan = self.plan();
        known("schedule", schedule, plan.schedules.keys());
        let action = plan.actions.get(&plan.schedules[schedule].action);
        let store = action.map(|action| action.store.clone()).unwrap_or_default();
        // The first tick writes down when it is due.
        self.run_until(self.now_ms());
        let rows = self.ask(&store, |store| store.schedule_rows());
        let Some(row) = rows.into_iter().find(|row| row.name == schedule) else {
            panic!("the deployable of this test runs no schedule {schedule}");
        };
        self.run_until(row.next_due_ms);
    }

    /// Starts a run of a batch or a backfill, due at once.
    #[track_caller]
    pub fn start_batch(&mut self, batch: &str, input: impl Input) {
        let plan = self.plan();
        known("batch or backfill", batch, plan.batches.keys().chain(plan.backfills.keys()));
        let run = NewRun {
            batch: batch.to_owned(),
            input: input.canonical(),
            trace: None,
            created_at_ms: self.now_ms(),
        };
        self.ask(batch_store(&plan, batch), |store| store.start_run(run));
        self.running().engine.notes.leave(Note::RunDue);
        self.run_until(self.now_ms());
    }

    /// The trace that the next action is called in, and its id.
    pub(super) fn next_trace(&self) -> (String, String) {
        let number = self.calls_made.get() + 1;
        self.calls_made.set(number);
        let id = format!("{CALL_TRACE_HEAD}{number:016x}");
        (format!("{id}-{number:016x}-01"), id)
    }
}

/// Panics where a name is none of those that the app has.
#[track_caller]
pub fn known<'a>(what: &str, name: &str, names: impl Iterator<Item = &'a String>) {
    let names: Vec<&str> = names.map(String::as_str).collect();
    assert!(names.contains(&name), "the app has no {what} {name}; it has {}", listed(&names));
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn batch_store<'p>(plan: &'p Plan, name: &str) -> &'p str {
    let batch = plan.batches.get(name).map(|batch| &batch.store);
    batch.or_else(|| plan.backfills.get(name).map(|backfill| &backfill.store)).map_or("", String::as_str)
}

fn refused(end: &ActionEnd) -> Refused {
    let text = match end {
        ActionEnd::Failed(failure) => failure.text().to_owned(),
        ActionEnd::Panicked(text) => format!("it panicked: {text}"),
        ActionEnd::Conflict(text) | ActionEnd::Refused(text) | ActionEnd::StoreTrouble(text) => text.clone(),
        ActionEnd::OverLimit => "it ran longer than a run may".to_owned(),
        ActionEnd::Stopped => "the program stops".to_owned(),
        ActionEnd::Fenced | ActionEnd::Done { .. } => "its claim was lost".to_owned(),
    };
    Refused { status: route::status_of(end), text }
}
