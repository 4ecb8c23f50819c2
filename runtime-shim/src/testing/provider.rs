//! The providers of a test: answers by script, and every call on record.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use super::pattern::Pattern;
use crate::clock;
use crate::host::{self, BoxFuture, HttpError, HttpRequest, HttpResponse};
use crate::sim::{Network, Reply, Timers};

/// Makes the answer to a call, given how many of its pattern came before.
pub type Make = Arc<dyn Fn(&HttpRequest, usize) -> Reply + Send + Sync>;

/// All providers; clones are the same.
#[derive(Clone, Default)]
pub struct Providers {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    answers: Vec<Answer>,
    calls: Vec<Call>,
}

struct Answer {
    pattern: Pattern,
    make: Make,
    asked: usize,
}

/// A call that the app made, one for each attempt.
#[derive(Clone, PartialEq, Eq)]
pub struct Call {
    /// When it was sent.
    pub at: jiff::Timestamp,
    /// Upper case.
    pub method: String,
    /// The whole URL.
    pub url: String,
    /// In order; names in any case.
    pub headers: Vec<(String, String)>,
    /// The body as text; `None` where none was sent.
    pub body: Option<String>,
    /// Whether the script had an answer for it.
    pub scripted: bool,
}

/// Without the values of its query and its headers and without its body, any of which may be a secret.
impl fmt::Debug for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("at", &self.at)
            .field("method", &self.method)
            .field("url", &host::without_values(&self.url))
            .field("headers", &host::names(&self.headers))
            .field("body", &self.body.as_ref().map(|body| format!("{} bytes", body.len())))
            .field("scripted", &self.scripted)
            .finish()
    }
}

impl Call {
    /// Its method and its URL, without the values of the query.
    pub(super) fn shown(&self) -> String {
        format!("{} {}", self.method, host::without_values(&self.url))
    }

    /// The body as JSON.
    #[track_caller]
    pub fn json(&self) -> Value {
        let body = self.body.as_deref().unwrap_or("");
        serde_json::from_str(body)
            .unwrap_or_else(|error| panic!("the body of {} is no JSON ({error}): {body:?}", self.shown()))
    }

    /// The first header of this name, in any case.
    pub fn header(&self, name: &str) -> Option<&str> {
        let named = |(known, _): &&(String, String)| known.eq_ignore_ascii_case(name);
        self.headers.iter().find(named).map(|(_, value)| value.as_str())
    }
}

/// What answers calls: one reply for all of them, or several in turn, the last of them from then on.
pub trait IntoReplies {
    /// In turn; at least one.
    fn into_replies(self) -> Vec<Reply>;
}

impl From<Value> for Reply {
    /// Status 200 with this body.
    fn from(body: Value) -> Reply {
        Reply::json(&body.to_string())
    }
}

impl IntoReplies for Value {
    fn into_replies(self) -> Vec<Reply> {
        vec![self.into()]
    }
}

impl IntoReplies for Reply {
    fn into_replies(self) -> Vec<Reply> {
        vec![self]
    }
}

impl<T: Into<Reply>, const N: usize> IntoReplies for [T; N] {
    fn into_replies(self) -> Vec<Reply> {
        self.into_iter().map(Into::into).collect()
    }
}

impl<T: Into<Reply>> IntoReplies for Vec<T> {
    fn into_replies(self) -> Vec<Reply> {
        self.into_iter().map(Into::into).collect()
    }
}

impl Providers {
    /// Answers such calls from now on.
    pub fn answer(&self, pattern: Pattern, make: Make) {
        let mut state = self.lock();
        state.answers.retain(|known| known.pattern.text() != pattern.text());
        state.answers.push(Answer { pattern, make, asked: 0 });
    }

    /// Every call so far.
    pub fn calls(&self) -> Vec<Call> {
        self.lock().calls.clone()
    }

    fn begin(&self, request: &HttpRequest, at_ms: i64) -> Option<(Make, usize)> {
        let mut state = self.lock();
        let fitting = state.answers.iter_mut().rev();
        let fitting = fitting.filter(|answer| answer.pattern.fits(&request.method, &request.url));
        let found = fitting.min_by_key(|answer| answer.pattern.openness()).map(|answer| {
            answer.asked += 1;
            (Arc::clone(&answer.make), answer.asked - 1)
        });
        state.calls.push(Call {
            at: clock::timestamp(at_ms),
            method: request.method.clone(),
            url: request.url.clone(),
            headers: request.headers.clone(),
            body: request.body.as_ref().map(|body| String::from_utf8_lossy(body).into_owned()),
            scripted: found.is_some(),
        });
        found
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Network for Providers {
    fn http(
        &self,
        timers: &Timers,
        request: HttpRequest,
    ) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let (providers, timers) = (self.clone(), timers.clone());
        Box::pin(async move {
            let found = providers.begin(&request, timers.wall_ms());
            // Outside the lock, since it is the test's own code, which may panic or look at the calls.
            let reply = match found {
                Some((make, number)) => make(&request, number),
                None => Reply::broken("the test has no answer for this call"),
            };
            reply.give(&timers, &request).await
        })
    }
}
