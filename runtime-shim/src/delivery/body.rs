//! Runs one attempt's body: until it has its value, panics, is past its limit, finds all slots out, or is stopped.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::pin::pin;

use futures_util::FutureExt;
use futures_util::future::{Either, select};

use crate::call::GiveBack;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::held::measured;

/// How a body ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyEnd {
    /// It has its value.
    Value,
    /// It said so.
    Failed(Failure),
    /// With this message.
    Panicked(String),
    /// It ran longer than this, ms.
    OverLimit(u64),
    /// A call found all slots of this connection out.
    SlotsOut(String),
    /// The process stops.
    Stopped,
}

/// Runs a body. A value wins over whatever else happened in the same moment, since what it did is whole.
pub async fn run(
    engine: &Engine,
    subscriber: &str,
    cx: &mut Context,
    event: &Delivered,
    give_back: GiveBack,
    limit_ms: u64,
) -> BodyEnd {
    let raced = async {
        let deliver = engine.dispatch.deliver(subscriber, cx, event);
        let body = measured(&*engine.host, subscriber, deliver);
        let (full, stop) = (pin!(give_back.asked()), pin!(engine.stop.asked()));
        let ends = select(full, select(stop, engine.host.sleep(limit_ms)));
        match select(body, ends).await {
            Either::Left((Ok(()), _)) => BodyEnd::Value,
            Either::Left((Err(failure), _)) => BodyEnd::Failed(failure),
            Either::Right((Either::Left((connection, _)), _)) => BodyEnd::SlotsOut(connection),
            Either::Right((Either::Right((Either::Left(_), _)), _)) => BodyEnd::Stopped,
            Either::Right((Either::Right((Either::Right(_), _)), _)) => BodyEnd::OverLimit(limit_ms),
        }
    };
    // The body is also dropped in here, so a panic on the way out is its own as well.
    AssertUnwindSafe(raced).catch_unwind().await.unwrap_or_else(|panic| BodyEnd::Panicked(message(&*panic)))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text =
        panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("with no message").to_owned()
}
