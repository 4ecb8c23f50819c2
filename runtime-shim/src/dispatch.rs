//! The seam between the runtime and an app's own code.

use crate::codec::{self, Form, Wire};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::step::RunStep;

/// Runs the app's handlers; generated code implements it over the user's `Handlers`.
pub trait Dispatch: Send + Sync + 'static {
    /// Runs one attempt of a delivery: its body, until it has its value.
    fn deliver<'a>(
        &'a self,
        subscriber: &'a str,
        cx: &'a mut Context,
        event: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>>;

    /// Runs an action's body. `input` and the output are canonical JSON; `None` where the action declares none.
    fn act<'a>(
        &'a self,
        action: &'a str,
        cx: &'a mut Context,
        input: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>>;

    /// Runs the body of one step of a batch or a backfill; the next cursor, `None` at the end.
    fn step<'a>(
        &'a self,
        batch: &'a str,
        cx: &'a mut Context,
        step: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>>;
}

/// An action's input as its type.
pub fn input<T: Wire>(input: Option<&str>) -> Result<T, Failure> {
    let text = input.ok_or_else(|| Failure::invalid("the action was called without its input"))?;
    codec::decode(text, Form::Canonical).map_err(|error| Failure::invalid(error.to_string()))
}

/// A value as canonical JSON: an action's output, a batch's input.
pub fn canonical<T: Wire>(value: &T) -> String {
    codec::encode(value, Form::Canonical)
}
