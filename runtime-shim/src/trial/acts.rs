//! An app with actions, whose code is two functions.

use super::Body;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::dispatch::Dispatch;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::step::RunStep;

/// The code of an app's actions.
pub trait Act:
    for<'a> Fn(&'a str, &'a mut Context, Option<&'a str>) -> BoxFuture<'a, Result<Option<String>, Failure>>
    + Send
    + Sync
    + 'static
{
}

impl<F> Act for F where
    F: for<'a> Fn(
            &'a str,
            &'a mut Context,
            Option<&'a str>,
        ) -> BoxFuture<'a, Result<Option<String>, Failure>>
        + Send
        + Sync
        + 'static
{
}

/// What it does with deliveries, and in its actions.
pub struct Acts<F, A>(pub F, pub A);

impl<F: Body, A: Act> Dispatch for Acts<F, A> {
    fn deliver<'a>(
        &'a self,
        subscriber: &'a str,
        cx: &'a mut Context,
        event: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        (self.0)(subscriber, cx, event)
    }

    fn act<'a>(
        &'a self,
        action: &'a str,
        cx: &'a mut Context,
        input: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        (self.1)(action, cx, input)
    }

    fn step<'a>(
        &'a self,
        batch: &'a str,
        _: &'a mut Context,
        _: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move { Err(Failure::new(format!("this trial has no batch {batch}"))) })
    }
}
