//! The app that is measured: one event, one subscriber that has its value at once, and an action that emits.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jadpo_analysis::Workspace;
use jadpo_analysis::system::MemorySystem;
use jadpo_runtime::engine::Engine;
use jadpo_runtime::host::BoxFuture;
use jadpo_runtime::native::NativeHost;
use jadpo_runtime::serve::serve;
use jadpo_runtime::start::{Ready, Surroundings, start};
use jadpo_runtime::step::RunStep;
use jadpo_runtime::{App, Context, Delivered, Dispatch, Failure};
use tokio::runtime::Runtime;
use tokio::sync::Notify;

use super::Work;
use super::database::{execute, number, put_to_rest};

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
            cx.emit("Told", payload);
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

/// The plan of an app that keeps all in one database: `server` does all, `front` only emits.
pub fn plan(workers: u32) -> String {
    let app = format!(
        r#"app board {{ }}
store main {{ engine: postgres(env("BOARD_MAIN")) }}
action tell {{ input: Tell  store: main  emits: [Told] }}
subscriber hear {{ on: Told  store: main }}
type Tell = Object {{ first: Int  count: Int }}
type Told = Event {{ text: Text }}
route post_tell {{ method: POST  path: "/tell"  run: tell  auth: none }}
deployable server {{ target: native  routes: []  runner: {{ workers: {workers} }} }}
deployable front {{ target: native  subscribers: []  host: {{ listen: "127.0.0.1:0" }} }}
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

/// One of its programs, ready to be served.
pub fn ready<H: Hands>(executor: &Runtime, plan: &str, deployable: &str, url: &str, hands: &Arc<H>) -> Ready {
    let app = App::new(plan, deployable, Code(hands.clone())).env("BOARD_MAIN", url);
    let host = Arc::new(NativeHost::new(executor.handle().clone()).expect("the native host starts"));
    start(app, &Surroundings::new(host)).expect("the app starts")
}

/// What its programs run on.
pub fn executor() -> Runtime {
    let executor = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    executor.expect("the system gives threads")
}

/// Counts what it hears, and says once that is enough.
struct Counts {
    heard: std::sync::atomic::AtomicU32,
    enough: u32,
    end: Notify,
}

impl Hands for Counts {
    fn hear(&self, _: &Delivered) {
        if self.heard.fetch_add(1, std::sync::atomic::Ordering::Relaxed) + 1 == self.enough {
            self.end.notify_one();
        }
    }
}

/// Deliveries a second, from the loop's start to its end, each done.
pub fn burn_down(url: &str, work: Work) -> f64 {
    let plan = plan(work.in_flight);
    let executor = executor();
    let counts = Arc::new(Counts { heard: 0.into(), enough: work.due, end: Notify::new() });
    drop(ready(&executor, &plan, "server", url, &counts));
    fill(url, work.due);
    let ready = ready(&executor, &plan, "server", url, &counts);
    let passed = executor.block_on(served(ready, counts.end.notified()));
    let heard = counts.heard.load(std::sync::atomic::Ordering::Relaxed);
    assert_eq!(heard, work.due, "each is heard once");
    let done = number(url, "SELECT count(*) FROM jadpo_deliveries WHERE state = 'done' AND attempts = 1");
    assert_eq!(done, i64::from(work.due), "each is done");
    f64::from(work.due) / passed.as_secs_f64()
}

async fn served(ready: Ready, end: impl Future<Output = ()>) -> Duration {
    let engine: Arc<Engine> = ready.engine.clone();
    let begun = Instant::now();
    let stopped = async {
        end.await;
        engine.stop.ask();
    };
    assert_eq!(futures_util::future::join(serve(ready), stopped).await.0.dropped, 0);
    begun.elapsed()
}

/// An event of its own for each delivery, with a payload of 100 bytes.
fn fill(url: &str, due: u32) {
    let sql = format!(
        r#"WITH kept AS (
            INSERT INTO jadpo_events (name, occurred_at_ms, payload, trace, created_at_ms)
            SELECT 'Told', now.ms, '{{"text":"' || repeat('x', 89) || '"}}',
                   '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01', now.ms
            FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) AS now, generate_series(1, {due})
            RETURNING id, created_at_ms)
        INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
        SELECT id, 'hear', 'pending', 0, created_at_ms - {due} + id, created_at_ms + 86400000 FROM kept"#
    );
    execute(url, &sql);
    put_to_rest(url);
}
