//! Runs a body: until it has its value, fails, panics, is past its limit, finds all slots out, or is stopped.

use std::any::Any;
use std::future::pending;
use std::panic::AssertUnwindSafe;
use std::pin::pin;

use futures_util::FutureExt;
use futures_util::future::{Either, poll_immediate, select};

use crate::call::GiveBack;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::held::measured;
use crate::host::BoxFuture;
use crate::stop::Stop;

/// How a body ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyEnd<T> {
    /// It has its value.
    Value(T),
    /// It said so.
    Failed(Failure),
    /// With this message.
    Panicked(String),
    /// It ran longer than this, ms.
    OverLimit(u64),
    /// A call found all slots of this connection out.
    SlotsOut(String),
    /// It was told to end.
    Stopped,
}

/// What ends a body before it has its value.
pub struct Bounds {
    /// The longest that it runs, ms.
    pub limit_ms: u64,
    /// Tells it to end; a request's own action has one that nobody asks.
    pub stop: Stop,
    /// Tells that a delivery's call found no slot.
    pub give_back: Option<GiveBack>,
}

/// Runs the body of the handler of this name. A value wins over whatever else happened in the same moment, since what it did is whole.
pub async fn run<T>(
    engine: &Engine,
    bounds: &Bounds,
    name: &str,
    body: BoxFuture<'_, Result<T, Failure>>,
) -> BodyEnd<T> {
    let full = async {
        match &bounds.give_back {
            Some(give_back) => give_back.asked().await,
            None => pending().await,
        }
    };
    let raced = async {
        let mut body = measured(&*engine.host, name, body);
        // A body that waits for nothing needs no timer and hears no stop.
        if let Some(ended) = poll_immediate(&mut body).await {
            return ended.map_or_else(BodyEnd::Failed, BodyEnd::Value);
        }
        let (full, stop) = (pin!(full), pin!(bounds.stop.asked()));
        let ends = select(full, select(stop, engine.host.sleep(bounds.limit_ms)));
        match select(body, ends).await {
            Either::Left((Ok(value), _)) => BodyEnd::Value(value),
            Either::Left((Err(failure), _)) => BodyEnd::Failed(failure),
            Either::Right((Either::Left((connection, _)), _)) => BodyEnd::SlotsOut(connection),
            Either::Right((Either::Right((Either::Left(_), _)), _)) => BodyEnd::Stopped,
            Either::Right((Either::Right((Either::Right(_), _)), _)) => BodyEnd::OverLimit(bounds.limit_ms),
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
