//! Serves an app until it is stopped: ticks, the loop, and the drain. Every host runs the same.

use std::pin::pin;

use futures_util::future::{Either, select};

use crate::limits;
use crate::runner::Runner;
use crate::start::Ready;
use crate::tick::Ticker;

/// How serving ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drained {
    /// Tasks that did not end in time; what they did is not kept.
    pub dropped: usize,
}

/// Runs the app until its [`Stop`](crate::stop::Stop) is asked, and then waits a bounded time for what still runs.
pub async fn serve(ready: Ready) -> Drained {
    let Ready { engine, polls } = ready;
    engine.spawn(Ticker::new(engine.clone(), polls).run());
    if !engine.deployable.subscribers.is_empty() {
        engine.spawn(Runner::new(engine.clone()).run());
    }
    engine.stop.asked().await;
    tracing::info!(tasks = engine.tasks.running(), "stopping");
    match select(pin!(engine.tasks.all_ended()), engine.host.sleep(limits::DRAIN_MS)).await {
        Either::Left(_) => Drained { dropped: 0 },
        Either::Right(_) => {
            let dropped = engine.tasks.running();
            tracing::warn!(dropped, "still busy after the drain; what they did is not kept");
            Drained { dropped }
        }
    }
}
