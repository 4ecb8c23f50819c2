//! Runs an action: its body, and the commit of what it did, which sets off deliveries and batch runs.

use std::sync::Arc;

use tracing::Instrument;

use crate::body::{self, Bounds};
use crate::boundary::{self, RunEnd, Terms};
use crate::call::Turn;
use crate::clock;
use crate::codec::{Form, interpret};
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::limits;
use crate::plan::Action;
use crate::stop::Stop;
use crate::store::{ClaimOwn, Fence, SetOff};
use crate::trace;

/// What is asked of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Its name.
    pub action: String,
    /// Canonical JSON that its input's type reads; `None` where it takes none.
    pub input: Option<String>,
    /// What the commit depends on. Under [`Fence::Free`] it is a request's own action, which a stop lets finish.
    pub fence: Fence,
    /// The longest that its body runs, ms.
    pub limit_ms: u64,
    /// Who claims what the commit sets off; otherwise the loop takes it.
    pub claim: Option<ClaimOwn>,
    /// The W3C trace context that it runs in.
    pub trace: Option<String>,
}

/// How an action ended; nothing is kept unless it is [`ActionEnd::Done`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ActionEnd {
    /// All that it did is committed.
    Done {
        /// Its output as canonical JSON; `None` where it has none.
        output: Option<String>,
        /// What it set off, in the action's store.
        set_off: Vec<SetOff>,
    },
    /// Its body said so, or gave or emitted what the type can't hold.
    Failed(Failure),
    /// Its body panicked, with this message.
    Panicked(String),
    /// A write touched another number of rows than it stated.
    Conflict(String),
    /// The store refused a write.
    Refused(String),
    /// Its body ran longer than its limit.
    OverLimit,
    /// The store failed.
    StoreTrouble(String),
    /// It was told to end.
    Stopped,
    /// Its claim stands no more.
    Fenced,
}

/// Runs an action once. The loop is told of what it set off, unless that was claimed.
pub async fn run(engine: &Arc<Engine>, ask: Ask) -> ActionEnd {
    // Nothing of it is made unless somebody asks for it: it would be a good part of what a short request costs.
    let span = tracing::debug_span!("action", name = ask.action);
    trace::follow(&span, ask.trace.as_deref());
    run_in_span(engine, ask).instrument(span).await
}

async fn run_in_span(engine: &Arc<Engine>, ask: Ask) -> ActionEnd {
    let Some(action) = engine.plan.actions.get(&ask.action) else {
        return ActionEnd::Failed(Failure::new(format!("the plan has no action {}", ask.action)));
    };
    let Some(open) = engine.stores.get(&action.store) else {
        return ActionEnd::Failed(Failure::new(format!("this program has not opened {}", action.store)));
    };
    let Ask { action: name, input, fence, limit_ms, claim, trace } = ask;
    let is_free = fence == Fence::Free;
    let mut cx = Context::new(engine, open, fence.clone(), Turn::Wait, trace);
    let stop = if is_free { Stop::default() } else { engine.stop.clone() };
    let body = Box::pin(async {
        let output = engine.dispatch.act(&name, &mut cx, input.as_deref()).await?;
        check(engine, action, output)
    });
    let end = body::run(engine, &Bounds { limit_ms, stop, give_back: None }, &name, body).await;
    // Only a fence makes a second commit harmless, should the first one's answer be lost.
    let lease_ms = clock::signed(limit_ms.saturating_add(limits::LEASE_BEYOND_BUDGET_MS));
    let until_ms = (!is_free).then(|| engine.now_ms().saturating_add(lease_ms));
    let end = boundary::commit(engine, Terms { open, claim, until_ms }, cx, end, |_, _| fence).await;
    if let RunEnd::Kept(_, set_off) = &end {
        engine.notes.set_off(&open.name, set_off);
    }
    ended(end)
}

/// An output that its own type can't read would be no answer to whoever reads it.
fn check(engine: &Engine, action: &Action, output: Option<String>) -> Result<Option<String>, Failure> {
    if let (Some(shape), Some(output)) = (&action.output, &output) {
        let read = interpret::read(&engine.plan.types, shape, output, "", Form::Canonical);
        read.map_err(|error| Failure::new(format!("the output breaks its own type: {error}")))?;
    }
    Ok(output)
}

fn ended(end: RunEnd<Option<String>>) -> ActionEnd {
    match end {
        RunEnd::Kept(output, set_off) => ActionEnd::Done { output, set_off },
        RunEnd::Fenced | RunEnd::Received => ActionEnd::Fenced,
        RunEnd::Conflict(text) => ActionEnd::Conflict(text),
        RunEnd::Refused(text) => ActionEnd::Refused(text),
        RunEnd::Failed(failure) => ActionEnd::Failed(failure),
        RunEnd::Panicked(message) => ActionEnd::Panicked(message),
        RunEnd::OverLimit(_) => ActionEnd::OverLimit,
        RunEnd::Trouble(text) => ActionEnd::StoreTrouble(text),
        RunEnd::Stopped | RunEnd::SlotsOut(_) => ActionEnd::Stopped,
        RunEnd::Late => ActionEnd::StoreTrouble("the store failed until the lease ended".to_owned()),
    }
}

#[cfg(test)]
mod tests;
