//! A real network in a virtual world: requests go out on threads of their own, and the clock stands until they are answered,
//! or until all that are not are held back by a provider that waits for virtual time itself.

use std::collections::BTreeSet;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Duration;

use event_listener::Event;
use serde::{Deserialize, Serialize};
use tokio::runtime::Runtime;

use crate::host::{BoxFuture, HttpError, HttpRequest, HttpResponse};
use crate::native::HttpClient;
use crate::outside::Outside;

use super::network::{Network, Settled};
use super::timers::Timers;

/// The header by which a provider that follows virtual time tells requests apart: a number.
pub const REQUEST_HEADER: &str = "x-virtual-request";

/// How long the world may take to answer.
const WORLD_TIMEOUT: Duration = Duration::from_secs(30);

/// A provider that follows virtual time.
pub trait World: Send + Sync + 'static {
    /// Tells it the time, in milliseconds since the epoch; asks which of its answers wait for a later one.
    fn advance(&self, now_ms: i64) -> BoxFuture<'static, WorldState>;
}

/// What a provider waits for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct WorldState {
    /// The requests that it holds until a later time.
    pub held: Vec<HeldRequest>,
}

/// A request that is answered at a later time. Its caller may have gone without the provider's having noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub struct HeldRequest {
    /// What its [`REQUEST_HEADER`] says.
    pub request: u64,
    /// When it is answered, in milliseconds since the epoch.
    pub due_ms: i64,
}

/// Requests over a real network.
pub struct RealNetwork {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    client: HttpClient,
    world: Option<Arc<dyn World>>,
    outside: Outside,
    in_flight: Arc<InFlight>,
}

impl RealNetwork {
    /// A network of which nobody but the world knows virtual time. `outside` is the virtual world's.
    pub fn new(world: Option<Arc<dyn World>>, outside: Outside) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let client = HttpClient::new().map_err(io::Error::other)?;
        Ok(Self { runtime: Some(runtime), client, world, outside, in_flight: Arc::default() })
    }

    /// Asks the world on the network's own thread, and waits for its answer.
    fn advance(&self, now_ms: i64) -> Option<WorldState> {
        let (world, runtime) = (self.world.as_ref()?, self.runtime.as_ref()?);
        let (sender, receiver) = mpsc::channel();
        let state = world.advance(now_ms);
        runtime.spawn(async move {
            // The receiver is gone only where its wait has ended in a panic.
            let _ = sender.send(state.await);
        });
        Some(receiver.recv_timeout(WORLD_TIMEOUT).expect("the world answers when it is told the time"))
    }
}

impl Network for RealNetwork {
    fn http(
        &self,
        _timers: &Timers,
        mut request: HttpRequest,
    ) -> BoxFuture<'static, Result<HttpResponse, HttpError>> {
        let client = self.client.clone();
        let handle = self.runtime.as_ref().map(|runtime| runtime.handle().clone());
        let (in_flight, outside) = (Arc::clone(&self.in_flight), self.outside.clone());
        let numbered = self.world.is_some();
        Box::pin(async move {
            let Some(handle) = handle else {
                return Err(HttpError::Transport("the network is gone".to_owned()));
            };
            let flight = Flight { number: in_flight.begin(), beside: in_flight, outside };
            if numbered {
                request.headers.push((REQUEST_HEADER.to_owned(), flight.number.to_string()));
            }
            let answer = Arc::new(Handover::default());
            let handed = Arc::clone(&answer);
            let task = handle.spawn(async move {
                let outcome = client.send(request).await;
                *handed.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
                handed.given.notify(usize::MAX);
            });
            let _task = AbortOnDrop(task);
            answer.wait().await
        })
    }

    fn settle(&self, now_ms: i64) -> Settled {
        let in_flight = self.in_flight.now();
        if in_flight.is_empty() {
            return Settled::Quiet { next_ms: None };
        }
        let Some(state) = self.advance(now_ms) else { return Settled::Busy };
        // Of a request that was dropped a provider hears late, so only what is still in flight counts.
        let due_ms = |number: &u64| {
            let held = state.held.iter().find(|held| held.request == *number);
            held.map(|held| held.due_ms)
        };
        match in_flight.iter().map(due_ms).collect::<Option<Vec<_>>>() {
            Some(dues) => Settled::Quiet { next_ms: dues.into_iter().min() },
            None => Settled::Busy,
        }
    }

    fn moved(&self, now_ms: i64) {
        self.advance(now_ms);
    }
}

impl Drop for RealNetwork {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // Dropping it would wait, and fail where the thread runs another runtime's tasks.
            runtime.shutdown_background();
        }
    }
}

/// An outcome on its way from one thread to another.
#[derive(Default)]
struct Handover {
    outcome: Mutex<Option<Result<HttpResponse, HttpError>>>,
    given: Event,
}

impl Handover {
    async fn wait(&self) -> Result<HttpResponse, HttpError> {
        loop {
            let given = self.given.listen();
            if let Some(outcome) = self.outcome.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return outcome;
            }
            given.await;
        }
    }
}

/// The requests whose answers are waited for.
#[derive(Default)]
struct InFlight(Mutex<Numbers>);

#[derive(Default)]
struct Numbers {
    last: u64,
    live: BTreeSet<u64>,
}

impl InFlight {
    fn begin(&self) -> u64 {
        let mut numbers = self.numbers();
        numbers.last += 1;
        let number = numbers.last;
        numbers.live.insert(number);
        number
    }

    fn end(&self, number: u64) {
        self.numbers().live.remove(&number);
    }

    fn now(&self) -> BTreeSet<u64> {
        self.numbers().live.clone()
    }

    fn numbers(&self) -> MutexGuard<'_, Numbers> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request in flight, until its answer is taken or it is dropped.
struct Flight {
    number: u64,
    beside: Arc<InFlight>,
    outside: Outside,
}

impl Drop for Flight {
    fn drop(&mut self) {
        self.beside.end(self.number);
        self.outside.notify();
    }
}

struct AbortOnDrop(tokio::task::JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// A provider's clock behind an address: it takes `{"now_ms":…}` by POST and answers with a [`WorldState`].
pub struct ClockServer {
    client: HttpClient,
    url: String,
}

#[derive(Serialize)]
struct Now {
    now_ms: i64,
}

impl ClockServer {
    /// The clock at this address.
    pub fn new(url: impl Into<String>) -> io::Result<Self> {
        Ok(Self { client: HttpClient::new().map_err(io::Error::other)?, url: url.into() })
    }
}

impl World for ClockServer {
    fn advance(&self, now_ms: i64) -> BoxFuture<'static, WorldState> {
        let client = self.client.clone();
        let request = HttpRequest {
            method: "POST".to_owned(),
            url: self.url.clone(),
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: Some(serde_json::to_vec(&Now { now_ms }).expect("a number is JSON")),
            max_response_bytes: 1_024,
            read_body: true,
        };
        Box::pin(async move {
            let answer = client.send(request).await.expect("the clock of the provider answers");
            serde_json::from_slice(&answer.body).expect("the clock of the provider answers with its state")
        })
    }
}
