//! Makes the steps of one claimed run until it ends, fails, or has to go on later.

use std::sync::Arc;

use tracing::Instrument;

use crate::alive::while_alive;
use crate::body::{self, Bounds};
use crate::boundary::{self, Terms};
use crate::budget::Budget;
use crate::call::Turn;
use crate::call::retry::backoff_ms;
use crate::clock;
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::limits;
use crate::open_store::OpenStore;
use crate::poll::bounded;
use crate::status::Count;
use crate::step::RunStep;
use crate::store::{ClaimedRun, Fence, Held, SetOff, Skipped};
use crate::trace;
use crate::watched::{Piece, PieceEnd};

/// What a run is made with.
pub struct Run<'e> {
    pub engine: &'e Arc<Engine>,
    pub open: &'e OpenStore,
    /// The claimer's budget.
    pub budget: Budget,
    /// When the lease ends.
    pub until_ms: i64,
}

/// How the work on a claimed run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// Its last step is committed.
    Done,
    /// It goes on later: a step failed and comes again, the budget is used up, or the app is stopped.
    Later,
    /// It has failed for good.
    Failed,
    /// Its claim stands no more.
    Lost,
    /// The store failed; the loop gives the run back as soon as it works again.
    StoreFailed,
}

/// How one step ended.
enum StepEnd {
    /// Committed; the next cursor, and what the step set off.
    Kept(Option<String>, Vec<SetOff>),
    Lost,
    /// Why, and whether it may come again.
    Failed {
        error: String,
        again: bool,
    },
    Stopped,
    StoreFailed,
}

impl Run<'_> {
    /// Makes steps.
    pub async fn run(&self, claimed: ClaimedRun) -> RunEnd {
        let span = tracing::info_span!("batch", name = claimed.batch, run = claimed.id);
        trace::follow(&span, claimed.trace.as_deref());
        while_alive(self.engine, self.open, self.steps(claimed)).instrument(span).await
    }

    async fn steps(&self, mut run: ClaimedRun) -> RunEnd {
        let held = run.held();
        if run.attempts > limits::STEP_RETRY.attempts {
            return self.fail(&run, "its process ended").await;
        }
        let mut set_off = Vec::new();
        loop {
            let limit_ms = self.budget.run_limit_ms(self.engine.host.monotonic_us());
            let (Some(limit_ms), false) = (limit_ms, self.engine.stop.is_asked()) else {
                return self.give_back(held).await;
            };
            match self.step(&run, limit_ms).await {
                StepEnd::Kept(next, more) => {
                    self.engine.notes.set_off(&self.open.name, &more);
                    self.engine.tally.one(Count::StepsDone);
                    // Whoever waits for the run waits for these, too; beyond that many nobody's deadline is long enough.
                    if set_off.len() < limits::ENDS_REMEMBERED_MAX {
                        set_off.extend(more);
                    }
                    run.steps += 1;
                    run.attempts = 1;
                    run.cursor = next;
                    if run.cursor.is_none() {
                        tracing::info!(steps = run.steps, "done");
                        let end = PieceEnd::Done { store: &self.open.name, set_off: &set_off };
                        self.engine.watched.ended(&self.piece(&run), &end);
                        return RunEnd::Done;
                    }
                }
                StepEnd::Failed { error, again } => return self.after_failure(&run, &error, again).await,
                // Where the claim is lost, that says so. Where it stands, the step was committed by the first try, whose answer
                // was lost, and the run goes on from there.
                StepEnd::Stopped | StepEnd::Lost => return self.give_back(held).await,
                StepEnd::StoreFailed => return self.after_trouble(held).await,
            }
        }
    }

    /// One step: its body, and the commit that keeps its cursor.
    async fn step(&self, run: &ClaimedRun, limit_ms: u64) -> StepEnd {
        let Some(size) = super::size_of(&self.engine.plan, &run.batch) else {
            return StepEnd::Failed { error: format!("the plan has no batch {}", run.batch), again: false };
        };
        let step = RunStep { cursor: run.cursor.clone(), size, input: run.input.clone() };
        let (held, before) = (run.held(), run.steps);
        let fence = Fence::Step { held, before, cursor: None, skipped: Vec::new() };
        let mut cx = Context::new(self.engine, self.open, fence, Turn::Wait, run.trace.clone());
        cx.attempt = run.attempts;
        let bounds = Bounds { limit_ms, stop: self.engine.stop.clone(), give_back: None };
        let body = Box::pin(async {
            let next = self.engine.dispatch.step(&run.batch, &mut cx, &step).await?;
            if next.is_some() && next == step.cursor {
                // It would do the same work for ever.
                return Err(Failure::new("the step gave the cursor back that it began at"));
            }
            Ok(next)
        });
        let end = body::run(self.engine, &bounds, &run.batch, body).await;
        let terms = Terms { open: self.open, claim: None, until_ms: Some(self.until_ms) };
        let fence = |next: &Option<String>, skipped: Vec<Skipped>| {
            report(&skipped);
            Fence::Step { held, before, cursor: next.clone(), skipped }
        };
        ended(boundary::commit(self.engine, terms, cx, end, fence).await)
    }

    /// The step comes again after a wait, unless its attempts are used up.
    async fn after_failure(&self, run: &ClaimedRun, error: &str, again: bool) -> RunEnd {
        let retry = limits::STEP_RETRY;
        if !again || run.attempts >= retry.attempts {
            return self.fail(run, error).await;
        }
        let wait_ms = backoff_ms(&retry, run.attempts, self.engine.random());
        let due_ms = self.engine.now_ms().saturating_add(clock::signed(wait_ms));
        let error = bounded(error);
        tracing::warn!(attempt = run.attempts, "a step failed, and comes again in {wait_ms} ms: {error}");
        let held = run.held();
        let written = self
            .open
            .insist(self.engine, self.until_ms, |open| open.store.retry_run(held, due_ms, error.clone()));
        wrote(written.await, RunEnd::Later)
    }

    async fn fail(&self, run: &ClaimedRun, error: &str) -> RunEnd {
        let error = bounded(error);
        tracing::warn!(steps = run.steps, "failed for good: {error}");
        let held = run.held();
        let written = self.open.insist(self.engine, self.until_ms, |open| {
            open.store.fail_run(held, self.engine.now_ms(), error.clone())
        });
        let end = wrote(written.await, RunEnd::Failed);
        if end == RunEnd::Failed {
            self.engine.tally.one(Count::RunsFailed);
            self.engine.watched.ended(&self.piece(run), &PieceEnd::Failed);
        }
        end
    }

    /// Trouble of the store is no failure of the step: it comes again a little later, its attempt not counted.
    async fn after_trouble(&self, held: Held) -> RunEnd {
        let due_ms = self.engine.now_ms().saturating_add(clock::signed(limits::STEP_RETRY.initial_ms));
        let given =
            self.open.insist(self.engine, self.until_ms, |open| open.store.give_back_run(held, due_ms)).await;
        if given.is_none() {
            self.open.lost_answer(self.engine, held.token);
        }
        wrote(given, RunEnd::Later)
    }

    /// Due at once, the step's attempt not counted.
    async fn give_back(&self, held: Held) -> RunEnd {
        let now_ms = self.engine.now_ms();
        let given = self.open.store.give_back_run(held, now_ms).await;
        match self.open.heed(self.engine, given) {
            Ok(true) => RunEnd::Later,
            Ok(false) => lost(),
            Err(_) => {
                self.open.lost_answer(self.engine, held.token);
                RunEnd::StoreFailed
            }
        }
    }

    fn piece(&self, run: &ClaimedRun) -> Piece {
        Piece::Run { store: self.open.name.clone(), id: run.id }
    }
}

fn wrote(written: Option<bool>, end: RunEnd) -> RunEnd {
    match written {
        Some(true) => end,
        Some(false) => lost(),
        None => RunEnd::StoreFailed,
    }
}

fn ended(end: boundary::RunEnd<Option<String>>) -> StepEnd {
    use boundary::RunEnd as End;
    let failed = |error: String| StepEnd::Failed { error, again: true };
    match end {
        End::Kept(next, set_off) => StepEnd::Kept(next, set_off),
        End::Fenced | End::Received => StepEnd::Lost,
        End::Conflict(text) | End::Refused(text) => failed(text),
        End::Failed(failure) => StepEnd::Failed {
            error: failure.text().to_owned(),
            again: failure.kind() != FailureKind::Undecodable,
        },
        End::Panicked(message) => failed(format!("panicked: {message}")),
        End::OverLimit(limit_ms) => {
            failed(format!("deadline_exceeded: the step ran longer than {limit_ms} ms"))
        }
        End::Stopped | End::SlotsOut(_) => StepEnd::Stopped,
        End::Trouble(error) => {
            tracing::warn!("{error}; the step comes again");
            StepEnd::StoreFailed
        }
        End::Late => StepEnd::StoreFailed,
    }
}

/// Tells the values that the rules of a backfill's field refuse; the first few by name, so that a log stays readable.
fn report(skipped: &[Skipped]) {
    for Skipped { key, problem } in skipped.iter().take(limits::SKIPPED_LOGGED_MAX) {
        tracing::warn!(key, "its value is not kept: {problem}");
    }
    if let Some(more) = skipped.len().checked_sub(limits::SKIPPED_LOGGED_MAX).filter(|more| *more > 0) {
        tracing::warn!("{more} more values of this step are not kept");
    }
}

fn lost() -> RunEnd {
    tracing::warn!("its claim was taken by another; nothing of this step is kept");
    RunEnd::Lost
}
