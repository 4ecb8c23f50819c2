//! Says that this process lives while a piece of it holds a claim, so that nobody takes the claim for lost.

use std::pin::pin;

use futures_util::future::{Either, select};

use crate::engine::Engine;
use crate::limits;
use crate::open_store::OpenStore;

/// Runs `work`, and is heard from in the store meanwhile. The claim itself was heard when it was made.
pub async fn while_alive<T>(engine: &Engine, open: &OpenStore, work: impl Future<Output = T>) -> T {
    match select(pin!(work), pin!(beat(engine, open))).await {
        Either::Left((value, _)) => value,
        Either::Right((never, _)) => match never {},
    }
}

async fn beat(engine: &Engine, open: &OpenStore) -> std::convert::Infallible {
    loop {
        engine.host.sleep(limits::HEARD_EVERY_MS).await;
        let heard = open.store.hear(engine.instance, engine.now_ms()).await;
        // A beat that is missed is made up for by the next one; the error budget has noted it.
        let _ = open.heed(engine, heard);
    }
}
