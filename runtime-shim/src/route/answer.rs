//! The seam between a request and the action that it runs.

use crate::host::BoxFuture;

/// Runs the actions of routes, for a server that knows nothing of them.
pub trait Serve: Send + Sync + 'static {
    /// Whether work can be taken: every store does its work, and no stop was asked.
    fn is_ready(&self) -> bool;

    /// Runs a route's action to its answer.
    fn answer(&self, call: RouteCall) -> BoxFuture<'_, RouteAnswer>;
}

/// A request whose caller may, and whose input fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteCall {
    /// The route's name.
    pub route: String,
    /// The action's input as canonical JSON; `None` where it takes none.
    pub input: Option<String>,
    /// The caller's W3C `traceparent`.
    pub trace: Option<String>,
}

/// What a route answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteAnswer {
    /// The HTTP status.
    pub status: u16,
    /// The action's output as canonical JSON; `None` where it has none.
    pub output: Option<String>,
    /// Pieces of what it set off that failed for good, as far as it waited for them.
    pub failed: u64,
    /// Pieces of what it set off that were not done when it stopped waiting.
    pub pending: u64,
    /// Why there is no output.
    pub error: Option<RouteError>,
}

/// Why an action did not have its value, as its caller may know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteError {
    /// A word for programs.
    pub code: &'static str,
    /// A sentence for people; nothing of the inside.
    pub message: String,
}
