//! The wrapper in which notifications enter the world's queue in the order of the wire.
//!
//! The transport calls a service strictly in that order, but runs what the calls return side by side: a handler that
//! passed edits on could swap two of them.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tower::Service;
use tower_lsp::jsonrpc::{Request, Response};
use tower_lsp::lsp_types::notification::{Exit, Initialized, Notification as _};
use tower_lsp::lsp_types::request::{Request as _, Shutdown};

use crate::ending::Ending;
use crate::notifications::Notification;
use crate::state::World;

/// A service, with the world's notifications taken out before it sees them.
#[derive(Debug)]
pub struct InOrder<S> {
    inner: S,
    world: World,
    ending: Arc<Ending>,
}

impl<S> InOrder<S> {
    /// Wraps `inner`.
    pub fn new(inner: S, world: World, ending: Arc<Ending>) -> Self {
        Self { inner, world, ending }
    }
}

impl<S> Service<Request> for InOrder<S>
where
    S: Service<Request, Response = Option<Response>>,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, cx: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        self.inner.poll_ready(cx)
    }

    fn call(&mut self, mut request: Request) -> Self::Future {
        match request.method() {
            // The transport would go on waiting for input after it.
            Exit::METHOD => {
                self.ending.end();
                return Box::pin(ready(Ok(None)));
            }
            Shutdown::METHOD => {
                self.ending.ask();
                request = without_null(request);
            }
            // The server has something to do then too.
            Initialized::METHOD => self.tell(request.clone()),
            method if request.id().is_none() && Notification::is_known(method) => {
                self.tell(request);
                return Box::pin(ready(Ok(None)));
            }
            _ => {}
        }
        Box::pin(self.inner.call(request))
    }
}

impl<S> InOrder<S> {
    fn tell(&self, request: Request) {
        // After a shutdown only `exit` means anything.
        if self.ending.was_asked_for() {
            return;
        }
        let (method, _, params) = request.into_parts();
        if !self.world.tell(Notification::read(&method, params.unwrap_or_default())) {
            // Without a world every answer would be silence; an editor starts a server that ended again.
            self.ending.end();
        }
    }
}

/// Some editors write the parameters that `shutdown` hasn't as `null`, which the transport refuses.
fn without_null(request: Request) -> Request {
    let (method, id, params) = request.into_parts();
    let mut rebuilt = Request::build(method);
    if let Some(id) = id {
        rebuilt = rebuilt.id(id);
    }
    match params.filter(|params| !params.is_null()) {
        Some(params) => rebuilt.params(params).finish(),
        None => rebuilt.finish(),
    }
}
