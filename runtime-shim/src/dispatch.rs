//! The seam between the runtime and an app's own code.

use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::host::BoxFuture;

/// Runs the app's handlers; generated code implements it over the user's `Handlers`.
pub trait Dispatch: Send + Sync + 'static {
    /// Runs one attempt of a delivery: its body, until it has its value.
    fn deliver<'a>(
        &'a self,
        subscriber: &'a str,
        cx: &'a mut Context,
        event: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>>;
}
