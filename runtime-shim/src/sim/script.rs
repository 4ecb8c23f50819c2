//! A provider of which only its answers are known: no network, no process, and every call on record.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::host::{BoxFuture, ERROR_BODY_BYTES_MAX, HttpError, HttpRequest, HttpResponse};

use super::network::Network;
use super::timers::Timers;

/// Answers by script. Clones share script and record.
#[derive(Clone, Default)]
pub struct Script {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    rules: Vec<Rule>,
    sent: Vec<Sent>,
    at_once: usize,
    at_once_max: usize,
}

/// Makes the answer to the request of this number, counted from 0 within its rule.
type Make = Arc<dyn Fn(&HttpRequest, usize) -> Reply + Send + Sync>;

struct Rule {
    part: String,
    make: Make,
    asked: usize,
}

/// A request that was sent.
#[derive(Clone)]
pub struct Sent {
    /// In virtual milliseconds since the epoch.
    pub at_ms: i64,
    /// As it was sent.
    pub request: HttpRequest,
}

/// One answer of a script.
#[derive(Clone, Debug)]
pub struct Reply {
    after_ms: u64,
    outcome: Option<Result<HttpResponse, HttpError>>,
}

impl Script {
    /// A script without answers, which fails every request.
    pub fn new() -> Self {
        Self::default()
    }

    /// Answers requests whose `METHOD url` holds `part` with these replies in turn, the last of them from then on. What was
    /// said last for a part counts, and the rule made first where several fit.
    #[must_use]
    pub fn on(self, part: &str, replies: Vec<Reply>) -> Self {
        assert!(!replies.is_empty(), "a rule needs a reply");
        self.make(part, move |_, number| replies[number.min(replies.len() - 1)].clone())
    }

    /// Answers such requests with what `make` makes of each and its number, counted from 0.
    #[must_use]
    pub fn make(
        self,
        part: &str,
        make: impl Fn(&HttpRequest, usize) -> Reply + Send + Sync + 'static,
    ) -> Self {
        self.set(part, make);
        self
    }

    /// The same, in the middle of a run.
    pub fn set(&self, part: &str, make: impl Fn(&HttpRequest, usize) -> Reply + Send + Sync + 'static) {
        let rule = Rule { part: part.to_owned(), make: Arc::new(make), asked: 0 };
        let mut state = self.lock();
        match state.rules.iter_mut().find(|known| known.part == part) {
            Some(known) => *known = rule,
            None => state.rules.push(rule),
        }
    }

    /// Every request so far.
    pub fn sent(&self) -> Vec<Sent> {
        self.lock().sent.clone()
    }

    /// How many requests were sent.
    pub fn calls(&self) -> usize {
        self.lock().sent.len()
    }

    /// How many are under way.
    pub fn at_once(&self) -> usize {
        self.lock().at_once
    }

    /// How many were under way at once at most.
    pub fn at_once_max(&self) -> usize {
        self.lock().at_once_max
    }

    /// Puts a request on record, and says which rule answers it and how often that was asked before.
    fn begin(&self, request: &HttpRequest, at_ms: i64) -> (Option<(Make, usize)>, UnderWay) {
        let mut state = self.lock();
        state.sent.push(Sent { at_ms, request: request.clone() });
        state.at_once += 1;
        state.at_once_max = state.at_once_max.max(state.at_once);
        let line = format!("{} {}", request.method, request.url);
        let rule = state.rules.iter_mut().find(|rule| line.contains(&rule.part));
        let found = rule.map(|rule| {
            rule.asked += 1;
            (Arc::clone(&rule.make), rule.asked - 1)
        });
        (found, UnderWay { script: self.clone() })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Network for Script {
    fn http(
        &self,
        timers: &Timers,
        request: HttpRequest,
    ) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let (script, timers) = (self.clone(), timers.clone());
        Box::pin(async move {
            let (found, _under_way) = script.begin(&request, timers.wall_ms());
            // Outside the lock, since it is the test's own code, which may panic or look at the script.
            let reply = match found {
                Some((make, number)) => make(&request, number),
                None => Reply::broken("the script has no answer for it"),
            };
            reply.give(&timers, &request).await
        })
    }
}

impl Reply {
    /// Status 200 and a JSON body.
    pub fn json(body: &str) -> Self {
        Self::status(200).header("content-type", "application/json").body(body)
    }

    /// An answer without a body.
    pub fn status(status: u16) -> Self {
        let answer = HttpResponse { status, headers: Vec::new(), body: Vec::new() };
        Self { after_ms: 0, outcome: Some(Ok(answer)) }
    }

    /// A connection that breaks.
    pub fn broken(why: &str) -> Self {
        Self { after_ms: 0, outcome: Some(Err(HttpError::Transport(why.to_owned()))) }
    }

    /// No answer, ever.
    pub fn never() -> Self {
        Self { after_ms: 0, outcome: None }
    }

    /// The same with one header more.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        if let Some(Ok(answer)) = &mut self.outcome {
            answer.headers.push((name.to_ascii_lowercase(), value.to_owned()));
        }
        self
    }

    /// The same with this body.
    #[must_use]
    pub fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        if let Some(Ok(answer)) = &mut self.outcome {
            answer.body = body.into();
        }
        self
    }

    /// The same, so many virtual milliseconds later.
    #[must_use]
    pub fn after_ms(mut self, ms: u64) -> Self {
        self.after_ms = ms;
        self
    }

    /// Answers a request as a network would: in its time, and no more of the body than is read.
    pub(crate) async fn give(
        self,
        timers: &Timers,
        request: &HttpRequest,
    ) -> Result<HttpResponse, HttpError> {
        timers.sleep(self.after_ms).await;
        let Some(outcome) = self.outcome else { return std::future::pending().await };
        let mut answer = outcome?;
        if !(200..300).contains(&answer.status) {
            answer.body.truncate(ERROR_BODY_BYTES_MAX);
        } else if !request.read_body {
            answer.body.clear();
        } else if answer.body.len() as u64 > request.max_response_bytes {
            return Err(HttpError::TooLarge);
        }
        Ok(answer)
    }
}

/// Counts a request until it is answered or dropped.
struct UnderWay {
    script: Script,
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.script.lock().at_once -= 1;
    }
}
