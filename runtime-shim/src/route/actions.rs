//! Runs the actions of an app's routes, and says what their callers are told of the end.

use std::sync::Arc;

use super::answer::{RouteAnswer, RouteCall, RouteError, Serve};
use crate::action::{self, ActionEnd, Ask};
use crate::engine::Engine;
use crate::failure::{Failure, FailureKind};
use crate::host::BoxFuture;
use crate::store::Fence;

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
        !self.engine.stop.is_asked() && self.engine.stores.values().all(|open| open.errors.is_ready())
    }

    fn answer(&self, call: RouteCall) -> BoxFuture<'_, RouteAnswer> {
        Box::pin(answer(&self.engine, call))
    }
}

/// Runs a route's action, whose deadline is the route's. What it sets off is left to the loop.
async fn answer(engine: &Arc<Engine>, call: RouteCall) -> RouteAnswer {
    let Some(route) = engine.plan.routes.get(&call.route) else {
        tracing::error!("the plan has no route {}", call.route);
        return refused(&ActionEnd::Fenced);
    };
    let ask = Ask {
        action: route.action.clone(),
        input: call.input,
        fence: Fence::Free,
        limit_ms: route.within_ms,
        claim: None,
        trace: call.trace,
    };
    match action::run(engine, ask).await {
        ActionEnd::Done { output, set_off } => {
            let status = if set_off.is_empty() { 200 } else { 202 };
            let pending = if route.settle { set_off.len() as u64 } else { 0 };
            RouteAnswer { status, output, failed: 0, pending, error: None }
        }
        end => refused(&end),
    }
}

/// The answer where nothing is kept.
fn refused(end: &ActionEnd) -> RouteAnswer {
    let (status, code, message) = told(end);
    let error = Some(RouteError { code, message: message.to_owned() });
    RouteAnswer { status, output: None, failed: 0, pending: 0, error }
}

/// What a caller is told: what the app says to it, and nothing of the inside, which is logged.
fn told(end: &ActionEnd) -> (u16, &'static str, &str) {
    const INTERNAL: (u16, &str, &str) = (500, "internal", "the request could not be answered");
    match end {
        ActionEnd::Failed(failure) => {
            if let Some((status, code)) = told_by_app(failure) {
                return (status, code, failure.text());
            }
            tracing::error!("the action failed: {failure}");
        }
        ActionEnd::Panicked(message) => tracing::error!("the action panicked: {message}"),
        ActionEnd::Refused(text) => tracing::error!("the store refused what the action writes: {text}"),
        ActionEnd::Conflict(text) => {
            tracing::info!("the action's writes met others: {text}");
            return (409, "conflict", "what this would change has changed meanwhile");
        }
        ActionEnd::OverLimit => {
            tracing::warn!("the action took longer than its route waits");
            return (504, "deadline_exceeded", "this took too long, and nothing of it was kept");
        }
        ActionEnd::StoreTrouble(text) => {
            tracing::error!("the store failed: {text}");
            return (503, "unavailable", "the store does not answer");
        }
        ActionEnd::Stopped => return (503, "unavailable", "the program stops"),
        ActionEnd::Fenced | ActionEnd::Done { .. } => tracing::error!("the action's claim was lost"),
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
