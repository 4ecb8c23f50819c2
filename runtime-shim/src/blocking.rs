//! Work that blocks its thread, run where it holds up nobody.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use crate::context::Context;
use crate::failure::Failure;
use crate::host::BoxFuture;

/// The work's value, or its panic.
type Done<T> = Result<T, Box<dyn Any + Send>>;

impl Context {
    /// Runs work that blocks its thread (a file read, a long computation) beside those that serve, and gives its value. A
    /// panic in it is the body's own. Work that has begun can't be stopped: where the body is dropped, it runs on unheard.
    pub fn blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> BoxFuture<'static, Result<T, Failure>> {
        let outcome: Arc<Mutex<Option<Done<T>>>> = Arc::default();
        let told = outcome.clone();
        let span = tracing::Span::current();
        let run = self.host.blocking(Box::new(move || {
            let done = span.in_scope(|| catch_unwind(AssertUnwindSafe(work)));
            *told.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }));
        Box::pin(async move {
            run.await;
            let done = outcome.lock().unwrap_or_else(PoisonError::into_inner).take();
            match done {
                Some(Ok(value)) => Ok(value),
                Some(Err(panic)) => resume_unwind(panic),
                None => Err(Failure::new("the program stops, and runs no more work that blocks")),
            }
        })
    }
}
