//! What the server answers: the app's routes, and whether it lives and is ready.

use std::sync::Arc;

use hyper::Request;
use hyper::body::{Body, Incoming};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HeaderMap, HeaderName};
use tracing::Instrument;
use tracing::field::Empty;

use super::body;
use super::life::Life;
use crate::route::{Admitted, Head, Reply, RouteCall, Routes, Serve, health};
use crate::trace;

/// Where a caller's trace goes on.
const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// What is served.
pub struct Site {
    routes: Arc<Routes>,
    serve: Arc<dyn Serve>,
}

impl Site {
    /// The routes of an app and what runs their actions.
    pub fn new(routes: Arc<Routes>, serve: Arc<dyn Serve>) -> Site {
        Site { routes, serve }
    }

    /// Answers a request.
    pub(super) async fn reply(&self, request: Request<Incoming>, life: &Life) -> Reply {
        let (method, path) = (request.method().as_str(), request.uri().path());
        match health(method, path, || self.serve.is_ready()) {
            Some(reply) => reply,
            None => self.routed(request, life).await.unwrap_or_else(|refusal| refusal),
        }
    }

    async fn routed(&self, request: Request<Incoming>, life: &Life) -> Result<Reply, Reply> {
        let admitted = self.routes.admit(&head(&request))?;
        let route = self.routes.name(&admitted);
        // Nothing of it is made unless somebody asks for it: it would be a good part of what a short request costs.
        let span = tracing::debug_span!("request", route, method = %request.method(), status = Empty);
        trace::follow(&span, text(request.headers(), &TRACEPARENT));
        let reply = self.admitted(&admitted, request, life).instrument(span.clone()).await;
        let status = reply.as_ref().map_or_else(|refusal| refusal.status, |reply| reply.status);
        span.record("status", status);
        tracing::debug!(parent: &span, "answered");
        reply
    }

    async fn admitted(
        &self,
        admitted: &Admitted,
        request: Request<Incoming>,
        life: &Life,
    ) -> Result<Reply, Reply> {
        let comes_whole = admitted.wants_body || request.body().is_end_stream();
        let trace = trace::passed_on(text(request.headers(), &TRACEPARENT));
        let body = if admitted.wants_body { Some(body::read(request.into_body()).await?) } else { None };
        life.is_answering(comes_whole);
        let input = self.routes.input(admitted, body.as_deref())?;
        let call = RouteCall { route: self.routes.name(admitted).to_owned(), input, trace };
        let answer = self.serve.answer(call).await;
        Ok(self.routes.reply(admitted, answer))
    }
}

fn head(request: &Request<Incoming>) -> Head<'_> {
    let (uri, headers) = (request.uri(), request.headers());
    Head {
        method: request.method().as_str(),
        path: uri.path(),
        query: uri.query(),
        authorization: text(headers, &AUTHORIZATION),
        content_type: text(headers, &CONTENT_TYPE),
        has_body: !request.body().is_end_stream(),
    }
}

/// The text of a header that is there once; one that is given twice could mean either.
fn text<'r>(headers: &'r HeaderMap, name: &HeaderName) -> Option<&'r str> {
    let mut values = headers.get_all(name).iter();
    let only = values.next().filter(|_| values.next().is_none())?;
    only.to_str().ok()
}
