//! What the body of a called action gave, in case its process ends between the commit and the answer.

use std::sync::{Arc, Mutex, PoisonError};

use crate::context::Context;
use crate::delivered::Delivered;
use crate::dispatch::Dispatch;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::step::RunStep;

/// The outputs of called actions by their trace; clones are the same.
#[derive(Clone, Default)]
pub struct Outputs {
    last: Arc<Mutex<Option<Gave>>>,
}

/// What the body of an action gave.
pub struct Gave {
    trace: String,
    /// Canonical JSON; `None` where the action has no output.
    pub output: Option<String>,
}

impl Outputs {
    /// What the action of this trace gave; `None` where its body did not come that far.
    pub fn take(&self, trace_id: &str) -> Option<Gave> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.take_if(|gave| gave.trace.contains(trace_id))
    }

    fn keep(&self, trace: &str, output: Option<String>) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(Gave { trace: trace.to_owned(), output });
    }
}

/// The app's code, what its actions give remembered.
pub struct Remembered {
    pub inner: Arc<dyn Dispatch>,
    pub outputs: Outputs,
    /// Only actions whose trace begins so are called by a test.
    pub trace_head: &'static str,
}

impl Dispatch for Remembered {
    fn deliver<'a>(
        &'a self,
        subscriber: &'a str,
        cx: &'a mut Context,
        event: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        self.inner.deliver(subscriber, cx, event)
    }

    fn act<'a>(
        &'a self,
        action: &'a str,
        cx: &'a mut Context,
        input: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            let output = self.inner.act(action, cx, input).await?;
            if cx.trace().starts_with(self.trace_head) {
                self.outputs.keep(cx.trace(), output.clone());
            }
            Ok(output)
        })
    }

    fn step<'a>(
        &'a self,
        batch: &'a str,
        cx: &'a mut Context,
        step: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        self.inner.step(batch, cx, step)
    }
}
