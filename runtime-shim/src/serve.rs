//! Serves an app until it is stopped: ticks, the loop, and the drain. Every host runs the same.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use futures_util::future::{Either, select};

use crate::elsewhere;
use crate::engine::Engine;
use crate::limits;
use crate::reminders::remind;
use crate::runner::Runner;
use crate::start::Ready;
use crate::tick::Ticker;

/// How serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drained {
    /// Tasks that did not end in time; what they did is not kept.
    pub dropped: usize,
    /// Whether the ticks, the loop or the server broke, which stops the app: half of it must not run on unnoticed.
    pub broke: bool,
}

/// Runs the app until its [`Stop`](crate::stop::Stop) is asked, and then waits a bounded time for what still runs.
pub async fn serve(ready: Ready) -> Drained {
    let Ready { deployable, engine, polls, schedules, beside, .. } = ready;
    let subscribers = engine.deployable.subscribers.len();
    tracing::info!(%deployable, polls = polls.len(), subscribers, "{} started", engine.plan.app);
    // Before anything compares a time with what is kept.
    engine.read_clock().await;
    remind(&engine, &polls).await;
    let broke = Arc::new(AtomicBool::new(false));
    for task in beside {
        spawn_to_the_end(&engine, &broke, task);
    }
    spawn_to_the_end(&engine, &broke, Ticker::new(engine.clone(), polls, schedules).run());
    spawn_to_the_end(&engine, &broke, Runner::new(engine.clone()).run());
    elsewhere::listen(&engine);
    engine.stop.asked().await;
    tracing::debug!(tasks = engine.tasks.running(), "draining");
    let all_ended = pin!(engine.tasks.all_ended());
    let dropped = match select(all_ended, engine.host.sleep(drain_ms(&engine))).await {
        Either::Left(_) => 0,
        Either::Right(_) => engine.tasks.running(),
    };
    let app = &engine.plan.app;
    if dropped == 0 {
        tracing::info!("{app} stopped");
    } else {
        tracing::warn!("{app} stopped; {dropped} tasks were still busy, and nothing they did is kept");
    }
    Drained { dropped, broke: broke.load(Ordering::SeqCst) }
}

/// How long a stop waits, ms: what the server drains in, and a moment in which it drops who is still busy then.
pub fn drain_ms(engine: &Engine) -> u64 {
    let host = engine.deployable.host.as_ref();
    host.map_or(limits::DRAIN_MS, |host| host.drain_ms.saturating_add(limits::DROP_MS_MAX))
}

/// Runs what must run until the stop; one that panics before asks it.
fn spawn_to_the_end(
    engine: &Arc<Engine>,
    broke: &Arc<AtomicBool>,
    task: impl Future<Output = ()> + Send + 'static,
) {
    let mut ends = Ends { engine: engine.clone(), broke: broke.clone(), whole: false };
    engine.spawn(async move {
        task.await;
        ends.whole();
    });
}

/// Notices a task that does not come to its end.
struct Ends {
    engine: Arc<Engine>,
    broke: Arc<AtomicBool>,
    whole: bool,
}

impl Ends {
    fn whole(&mut self) {
        self.whole = true;
    }
}

impl Drop for Ends {
    fn drop(&mut self) {
        if !self.whole {
            tracing::error!(
                "the ticks, the loop of deliveries or the server broke off, so the program stops"
            );
            self.broke.store(true, Ordering::SeqCst);
            self.engine.stop.ask();
        }
    }
}
