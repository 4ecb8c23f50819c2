//! What a test asks of the app's routes, as a client over HTTP would.

use std::sync::Arc;

use serde_json::Value;

use super::running::Running;
use super::world::TestApp;
use crate::codec::{self, Form, Wire};
use crate::limits;
use crate::route::{self, Actions, Admitted, Head, Reply, RouteAnswer, RouteCall, Serve};

/// A request to be sent.
#[must_use = "a request is sent by `send`"]
pub struct Request<'a> {
    app: &'a mut TestApp,
    method: String,
    path: String,
    query: Option<String>,
    authorization: Option<String>,
    content_type: Option<String>,
    body: Option<Vec<u8>>,
}

/// What a route answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// The body; empty where there is none.
    pub body: String,
    headers: Vec<(&'static str, String)>,
}

impl TestApp {
    /// A request to one of the app's routes, or for its health: `PUT /tickets/1/closing`, with path and query
    /// percent-encoded as they are sent.
    #[track_caller]
    pub fn request(&mut self, line: &str) -> Request<'_> {
        let Some((method, target)) = line.split_once(' ').filter(|(_, target)| target.starts_with('/'))
        else {
            panic!("{line:?} is no request: write `GET /prices`");
        };
        let (path, query) = match target.split_once('?') {
            Some((path, query)) => (path, Some(query.to_owned())),
            None => (target, None),
        };
        Request {
            app: self,
            method: method.to_ascii_uppercase(),
            path: path.to_owned(),
            query,
            authorization: None,
            content_type: None,
            body: None,
        }
    }
}

impl Request<'_> {
    /// With this token in its `Authorization` header.
    pub fn bearer(mut self, token: &str) -> Self {
        self.authorization = Some(format!("Bearer {token}"));
        self
    }

    /// With this body of JSON.
    #[expect(clippy::needless_pass_by_value, reason = "it is written as `.json(json!({ … }))`")]
    pub fn json(self, body: Value) -> Self {
        self.body("application/json", body.to_string())
    }

    /// With this body of any content type.
    pub fn body(mut self, content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        self.content_type = Some(content_type.to_owned());
        self.body = Some(body.into());
        self
    }

    /// Sends it, waits for the answer, and then runs what it set off as far as it needs no time.
    ///
    /// Where the process ends before the action's commit, it is sent again, as its client would; where it ends after it, the
    /// answer is that of a route that leaves what was set off to later.
    #[track_caller]
    pub fn send(mut self) -> Answer {
        let mut reply = self.reply().unwrap_or_else(|refusal| refusal);
        if self.method == "HEAD" {
            reply.body.clear();
        }
        let now_ms = self.app.now_ms();
        self.app.run_until(now_ms);
        Answer { status: reply.status, body: reply.body, headers: reply.headers }
    }

    #[track_caller]
    fn reply(&mut self) -> Result<Reply, Reply> {
        loop {
            let running = self.app.running();
            assert!(running.listens, "the deployable of this test serves no routes");
            let (routes, actions) = (running.routes.clone(), Arc::new(Actions::new(running.engine.clone())));
            if let Some(reply) = route::health(&self.method, &self.path, || actions.is_ready()) {
                return Ok(reply);
            }
            let admitted = routes.admit(&self.head())?;
            let body = self.body.as_deref().filter(|_| admitted.wants_body);
            if body.is_some_and(|body| body.len() > limits::BODY_BYTES_MAX) {
                return Err(Reply::too_large(limits::BODY_BYTES_MAX));
            }
            let input = routes.input(&admitted, body)?;
            let (trace, trace_id) = self.app.next_trace();
            let call = RouteCall { route: routes.name(&admitted).to_owned(), input, trace: Some(trace) };
            let kept_before = self.app.writes.tally().calls;
            match self.app.until(async move { actions.answer(call).await }) {
                Some(answer) => return Ok(routes.reply(&admitted, answer)),
                None if self.app.writes.tally().calls > kept_before => {
                    return Ok(self.committed(&admitted, &trace_id));
                }
                None => {}
            }
        }
    }

    /// The answer of an action whose process ended after its commit.
    #[track_caller]
    fn committed(&mut self, admitted: &Admitted, trace_id: &str) -> Reply {
        let gave = self.app.outputs.take(trace_id).expect("what is committed had its value before");
        let Running { engine, routes, .. } = self.app.running();
        let (routes, plan) = (routes.clone(), engine.plan.clone());
        let route = &plan.routes[routes.name(admitted)];
        let store = plan.actions.get(&route.action).map_or("", |action| action.store.as_str());
        let set_off =
            "SELECT (SELECT count(*) FROM jadpo_deliveries AS d JOIN jadpo_events AS e ON e.id = d.event_id
                WHERE instr(e.trace, ?1)) + (SELECT count(*) FROM jadpo_batch_runs WHERE instr(trace, ?1))";
        let counted = self.app.query(store, set_off, (trace_id,));
        let pending = counted.first().and_then(|row| row.get::<i64>(0).ok()).unwrap_or(0).unsigned_abs();
        let status = if pending == 0 { 200 } else { 202 };
        let pending = if route.settle { pending } else { 0 };
        let answer = RouteAnswer { status, output: gave.output, failed: 0, pending, error: None };
        routes.reply(admitted, answer)
    }

    fn head(&self) -> Head<'_> {
        Head {
            method: &self.method,
            path: &self.path,
            query: self.query.as_deref(),
            authorization: self.authorization.as_deref(),
            content_type: self.content_type.as_deref(),
            has_body: self.body.as_ref().is_some_and(|body| !body.is_empty()),
        }
    }
}

impl Answer {
    /// It, where its status is this one.
    ///
    /// # Panics
    /// With the body, where it is another.
    #[track_caller]
    #[expect(clippy::return_self_not_must_use, reason = "it says all that was asked by not panicking")]
    pub fn expect_status(self, status: u16) -> Answer {
        assert!(self.status == status, "wanted status {status}, got {}: {}", self.status, self.body);
        self
    }

    /// Its body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        match serde_json::from_str(&self.body) {
            Ok(value) => value,
            Err(error) => {
                panic!("the answer, of status {}, is no JSON: {error}: {:?}", self.status, self.body)
            }
        }
    }

    /// Its body as the generated type of the action's output.
    #[track_caller]
    pub fn get<T: Wire>(&self) -> T {
        match codec::decode(&self.body, Form::Wire) {
            Ok(value) => value,
            Err(error) => {
                panic!("the answer, of status {}, is another type: {error}: {}", self.status, self.body)
            }
        }
    }

    /// The value of a header beside those that every answer has: `www-authenticate`, `allow`.
    pub fn header(&self, name: &str) -> Option<&str> {
        let header = self.headers.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        Some(&header.1)
    }
}
