//! The app that benches of deliveries measure, whatever it is kept in: one event, one subscriber that has its value at once,
//! and an action that emits.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;
use jadpo_runtime::host::BoxFuture;
use jadpo_runtime::serve::serve;
use jadpo_runtime::start::Ready;
use jadpo_runtime::step::RunStep;
use jadpo_runtime::{Context, Delivered, Dispatch, Failure};
use tokio::runtime::Runtime;
use tokio::sync::Notify;

/// The event's name.
pub const EVENT: &str = "Told";

/// What all of them declare alike.
const MANIFEST: &str = "app board { }
action tell { input: Tell  store: main  emits: [Told] }
subscriber hear { on: Told  store: main }
type Tell = Object { first: Int  count: Int }
type Told = Event { text: Text }
";

/// What its handlers do.
pub trait Hands: Send + Sync + 'static {
    /// The subscriber's.
    fn hear(&self, event: &Delivered);

    /// The action's: what it emits, for its input.
    fn tell(&self, _input: &str) -> Vec<String> {
        Vec::new()
    }
}

/// The app's code.
pub struct Code<H>(pub Arc<H>);

impl<H: Hands> Dispatch for Code<H> {
    fn deliver<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        event: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        self.0.hear(event);
        Box::pin(async { Ok(()) })
    }

    fn act<'a>(
        &'a self,
        _: &'a str,
        cx: &'a mut Context,
        input: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        for payload in self.0.tell(input.unwrap_or_default()) {
            cx.emit(EVENT, payload);
        }
        Box::pin(async { Ok(None) })
    }

    fn step<'a>(
        &'a self,
        _: &'a str,
        _: &'a mut Context,
        _: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async { Ok(None) })
    }
}

/// The plan of the app with these declarations as well: its store and its deployables.
pub fn plan(more: &str) -> String {
    let mut system = MemorySystem::new();
    system.write("/board/app.jadpo", format!("{MANIFEST}{more}").as_str());
    let workspace = Workspace::open(Arc::new(system), Path::new("/board"));
    let report = workspace.check();
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    let project = workspace.model().expect("a project without errors has a model");
    jadpo_codegen::generate(&project).files["plan.json"].clone()
}

/// What it runs on.
pub fn executor() -> Runtime {
    let executor = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    executor.expect("the system gives threads")
}

/// Counts what it hears, and says once that is enough.
pub struct Counts {
    heard: AtomicU32,
    enough: u32,
    end: Notify,
}

impl Counts {
    pub fn new(enough: u32) -> Arc<Counts> {
        Arc::new(Counts { heard: AtomicU32::new(0), enough, end: Notify::new() })
    }

    /// How many it heard.
    pub fn heard(&self) -> u32 {
        self.heard.load(Ordering::Relaxed)
    }

    /// Serves the app until enough is heard, and stops it; how long that took.
    pub async fn served(&self, ready: Ready) -> Duration {
        served(ready, self.end.notified()).await
    }
}

impl Hands for Counts {
    fn hear(&self, _: &Delivered) {
        if self.heard.fetch_add(1, Ordering::Relaxed) + 1 == self.enough {
            self.end.notify_one();
        }
    }
}

/// Serves the app until `end`, and stops it.
pub async fn served(ready: Ready, end: impl Future<Output = ()>) -> Duration {
    let engine = ready.engine.clone();
    let begun = Instant::now();
    let stopped = async {
        end.await;
        engine.stop.ask();
    };
    assert_eq!(futures_util::future::join(serve(ready), stopped).await.0.dropped, 0);
    begun.elapsed()
}
