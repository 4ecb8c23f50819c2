//! The app that is measured: one event, one subscriber that has its value at once, and an action that emits.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;
use jadpo_runtime::host::BoxFuture;
use jadpo_runtime::native::NativeHost;
use jadpo_runtime::serve::serve;
use jadpo_runtime::start::{Ready, Surroundings, start};
use jadpo_runtime::step::RunStep;
use jadpo_runtime::{App, Context, Delivered, Dispatch, Failure};
use tokio::runtime::Runtime;
use tokio::sync::Notify;

use super::clocks::{Clocks, Spent};
use super::database;

/// Workers, and so the most that one claim takes.
const WORKERS: u32 = 256;

/// The event's name.
pub const EVENT: &str = "Told";

/// What is worked off.
#[derive(Clone, Copy)]
pub struct Work {
    /// Deliveries that are due before the clock starts.
    pub due: u32,
    /// The run ends once so many of them are done.
    pub enough: u32,
    /// `NORMAL` or `FULL`.
    pub synchronous: &'static str,
}

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
struct Code<H>(Arc<H>);

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

/// The app's plan.
pub fn plan() -> String {
    let app = format!(
        r#"app board {{ }}
store main {{ engine: sqlite("board.db") }}
action tell {{ input: Tell  store: main  emits: [Told] }}
subscriber hear {{ on: Told  store: main }}
type Tell = Object {{ first: Int  count: Int }}
type Told = Event {{ text: Text }}
deployable server {{ target: native  runner: {{ workers: {WORKERS} }} }}
"#
    );
    let mut system = MemorySystem::new();
    system.write("/board/app.jadpo", app.as_str());
    let workspace = Workspace::open(Arc::new(system), Path::new("/board"));
    let report = workspace.check();
    assert!(report.diagnostics.is_empty(), "{:?}", report.diagnostics);
    let project = workspace.model().expect("a project without errors has a model");
    jadpo_codegen::generate(&project).files["plan.json"].clone()
}

/// The app over a file, ready to be served.
pub fn ready<H: Hands>(
    executor: &Runtime,
    plan: &str,
    file: &Path,
    synchronous: &str,
    hands: &Arc<H>,
) -> Ready {
    let app = App::new(plan, "server", Code(hands.clone())).store_file("main", file.display().to_string());
    let app = if synchronous == "FULL" { app.sync_each_commit("main") } else { app };
    let host = Arc::new(NativeHost::new(executor.handle().clone()).expect("the native host starts"));
    start(app, &Surroundings::new(host)).expect("the app starts")
}

/// What it runs on.
pub fn executor() -> Runtime {
    let executor = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    executor.expect("the system gives threads")
}

/// Makes its tables in a file.
pub fn prepare(plan: &str, file: &Path) {
    struct Nothing;
    impl Hands for Nothing {
        fn hear(&self, _: &Delivered) {}
    }
    drop(ready(&executor(), plan, file, "NORMAL", &Arc::new(Nothing)));
}

/// Counts what it hears, and says once that is enough.
struct Counts {
    heard: AtomicU32,
    enough: u32,
    end: Notify,
}

impl Hands for Counts {
    fn hear(&self, _: &Delivered) {
        if self.heard.fetch_add(1, Ordering::Relaxed) + 1 == self.enough {
            self.end.notify_one();
        }
    }
}

/// What was done of the work that lies in a file.
pub struct Done {
    /// How many, as the file says.
    pub count: u32,
    /// How many a claim took.
    pub batch: u32,
    pub spent: Spent,
}

/// Works off what is due in a file, from the loop's start to its end.
pub fn burn_down(plan: &str, file: &Path, work: Work) -> Done {
    let before = database::counted(file);
    let executor = executor();
    let counts = Arc::new(Counts { heard: AtomicU32::new(0), enough: work.enough, end: Notify::new() });
    let ready = ready(&executor, plan, file, work.synchronous, &counts);
    let store = ready.engine.stores["main"].store.clone();
    let clocks = Clocks::start();
    executor.block_on(served(ready, counts.end.notified()));
    let spent = clocks.spent();
    let asked = u32::try_from(store.operations()).unwrap_or(u32::MAX).max(1);
    let after = database::counted(file);
    let count = after.done - before.done;
    assert_eq!(counts.heard.load(Ordering::Relaxed), count, "each that was heard is done");
    assert_eq!(after.pending, before.pending - count, "what was claimed is done or given back");
    assert!(count >= work.enough, "{count} done");
    Done { count, batch: count.div_ceil(asked), spent }
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
