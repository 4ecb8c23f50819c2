//! Runs the actions of an app's routes, and says what their callers are told of the end.

use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::poll_immediate;
use tracing::Instrument;

use super::answer::{RouteAnswer, RouteCall, RouteError, Serve};
use crate::action::{self, ActionEnd, Ask};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::host::BoxFuture;
use crate::open_store::OpenStore;
use crate::settle::{self, Settled};
use crate::store::Fence;
use crate::tasks::Tasks;

/// The routes of one running app.
pub struct Actions {
    engine: Arc<Engine>,
}

impl Actions {
    /// The actions that an engine runs.
    pub fn new(engine: Arc<Engine>) -> Actions {
        Actions { engine }
    }
}

impl Serve for Actions {
    fn is_ready(&self) -> bool {
        !self.engine.stop.is_asked() && self.engine.stores.values().all(OpenStore::is_ready)
    }

    fn answer(&self, call: RouteCall) -> BoxFuture<'_, RouteAnswer> {
        Box::pin(answer(&self.engine, call))
    }
}

/// Runs a route's action to its answer. One that has to wait for something goes on in a task of its own: a caller that goes
/// away must not end it between its commit and the loop's hearing of it. Most have nothing to wait for, and a task of their
/// own would cost more than they do.
async fn answer(engine: &Arc<Engine>, call: RouteCall) -> RouteAnswer {
    let route = call.route.clone();
    let engine_of_run = engine.clone();
    let mut run = Box::pin(async move { run(&engine_of_run, call).await });
    if let Some(answer) = poll_immediate(&mut run).await {
        return answer;
    }
    let answered: Arc<Mutex<Option<RouteAnswer>>> = Arc::default();
    let (ended, answers) = (Tasks::default(), answered.clone());
    let running = ended.begin();
    let task = async move {
        let answer = run.await;
        *answers.lock().unwrap_or_else(PoisonError::into_inner) = Some(answer);
        drop(running);
    };
    engine.spawn(task.in_current_span());
    ended.all_ended().await;
    let answer = answered.lock().unwrap_or_else(PoisonError::into_inner).take();
    answer.unwrap_or_else(|| refused(&route, &ActionEnd::Stopped))
}

/// Runs a route's action, whose deadline is the route's, and under `settle:` waits for what it sets off; otherwise that is
/// left to the loop.
async fn run(engine: &Arc<Engine>, call: RouteCall) -> RouteAnswer {
    let Some(route) = engine.plan.routes.get(&call.route) else {
        tracing::error!("the plan has no route {}", call.route);
        return refused(&call.route, &ActionEnd::Fenced);
    };
    let ask = Ask {
        action: route.action.clone(),
        input: call.input,
        fence: Fence::Free,
        limit_ms: route.within_ms,
        claim: None,
        trace: call.trace,
    };
    let Settled { end, failed, pending } = if route.settle {
        // Apart, since most routes need not carry what waiting takes.
        Box::pin(settle::run(engine, ask)).await
    } else {
        let end = action::run(engine, ask).await;
        let pending = if let ActionEnd::Done { set_off, .. } = &end { set_off.len() as u64 } else { 0 };
        Settled { end, failed: 0, pending }
    };
    match end {
        ActionEnd::Done { output, .. } => {
            let status = if pending == 0 { 200 } else { 202 };
            // Who did not ask to wait is told no more than that something goes on.
            let pending = if route.settle { pending } else { 0 };
            RouteAnswer { status, output, failed, pending, error: None }
        }
        end => refused(&call.route, &end),
    }
}

/// The answer where nothing is kept.
fn refused(route: &str, end: &ActionEnd) -> RouteAnswer {
    let (status, code, message) = told(route, end);
    let error = Some(RouteError { code, message: message.to_owned() });
    RouteAnswer { status, output: None, failed: 0, pending: 0, error }
}

/// The status that a caller gets for an action without a value, which no route has run.
#[cfg(any(feature = "testing", all(test, feature = "sqlite")))]
pub fn status_of(end: &ActionEnd) -> u16 {
    told("none", end).0
}

/// What a caller is told: what the app says to it, and nothing of the inside, which is logged with the route, since at the
/// default level no span says it.
fn told<'e>(route: &str, end: &'e ActionEnd) -> (u16, &'static str, &'e str) {
    const INTERNAL: (u16, &str, &str) = (500, "internal", "the request could not be answered");
    match end {
        ActionEnd::Failed(failure) => {
            if let Some((status, code)) = told_by_app(failure) {
                return (status, code, failure.text());
            }
            tracing::error!(route, "the action failed: {failure}");
        }
        ActionEnd::Panicked(message) => tracing::error!(route, "the action panicked: {message}"),
        ActionEnd::Refused(text) => {
            tracing::error!(route, "the store refused what the action writes: {text}");
        }
        ActionEnd::Conflict(text) => {
            tracing::info!(route, "the action's writes met others: {text}");
            return (409, "conflict", "what this would change has changed meanwhile");
        }
        ActionEnd::OverLimit => {
            tracing::warn!(route, "the action took longer than its route waits");
            return (504, "deadline_exceeded", "this took too long, and nothing of it was kept");
        }
        ActionEnd::StoreTrouble(text) => {
            tracing::error!(route, "the store failed: {text}");
            return (503, "unavailable", "the store does not answer");
        }
        ActionEnd::Stopped => return (503, "unavailable", "the program stops"),
        ActionEnd::Fenced | ActionEnd::Done { .. } => tracing::error!(route, "the action's claim was lost"),
    }
    INTERNAL
}

/// The status and the code of a failure that the app has for its caller.
fn told_by_app(failure: &Failure) -> Option<(u16, &'static str)> {
    match failure.kind() {
        FailureKind::Invalid => Some((422, "invalid")),
        FailureKind::NotFound => Some((404, "not_found")),
        FailureKind::Forbidden => Some((403, "forbidden")),
        FailureKind::Conflict => Some((409, "conflict")),
        FailureKind::Retry | FailureKind::Undecodable => None,
    }
}
