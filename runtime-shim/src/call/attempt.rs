//! The attempts of one call: each takes a slot, is sent, and is over when its time is up.

use std::pin::pin;

use futures_util::future::{Either, select};
use tracing::Instrument;
use tracing::field::Empty;

use crate::host::{Host, HttpError, HttpRequest, HttpResponse};
use crate::plan::{Operation, Retry};

use super::connection::{Call, Turn};
use super::error::{CallErrorKind, Seen};
use super::retry::{backoff_ms, is_passing, spread_ms};
use super::retry_after::asked_wait_ms;
use super::slots::{Asked, Slot};

/// Why a call failed for good.
pub(super) struct Failed(pub(super) CallErrorKind);

/// What is to become of a call after an attempt.
enum Next {
    Answered(HttpResponse),
    /// Again, after the ordinary wait.
    Again(CallErrorKind),
    /// Again, once the wait that the provider asked for is over.
    AgainWhenAllowed(CallErrorKind),
    Over(CallErrorKind),
}

/// Makes attempts until one is answered, one fails for good, or they are used up; says how many were sent.
pub(super) async fn run_all(
    call: &Call<'_>,
    operation: &Operation,
    request: &HttpRequest,
    turn: &Turn,
) -> (u32, Result<HttpResponse, Failed>) {
    let retry = call.package().retry;
    let host = &*call.inner.host;
    let mut sent = 0;
    loop {
        let (slot, slot_wait_ms) = match acquire(call, &retry, turn).await {
            Ok(acquired) => acquired,
            Err(kind) => return (sent, Err(Failed(kind))),
        };
        sent += 1;
        let next = attempt(call, operation, request, slot, Told { number: sent, slot_wait_ms }).await;
        let (kind, ordinary) = match next {
            Next::Answered(answer) => return (sent, Ok(answer)),
            Next::Over(kind) => return (sent, Err(Failed(kind))),
            Next::Again(kind) => (kind, true),
            Next::AgainWhenAllowed(kind) => (kind, false),
        };
        if sent >= retry.attempts {
            return (sent, Err(Failed(kind)));
        }
        if ordinary {
            host.sleep(backoff_ms(&retry, sent, host.random())).await;
        }
    }
}

/// Takes a slot at a moment when the provider does not ask to be left alone, and says how long the slot was waited for, in
/// milliseconds.
async fn acquire(call: &Call<'_>, retry: &Retry, turn: &Turn) -> Result<(Slot, u64), CallErrorKind> {
    let host = &*call.inner.host;
    let mut may_wait_ms = retry.max_ms;
    let mut slot_wait_us = 0;
    loop {
        wait_until_allowed(call, retry, &mut may_wait_ms).await?;
        let asked_us = host.monotonic_us();
        let slot = take_slot(call, turn).await;
        slot_wait_us += host.monotonic_us().saturating_sub(asked_us);
        if call.inner.asked.standing(host).is_none() {
            return Ok((slot, slot_wait_us / 1_000));
        }
        // Another call was told to wait while this one waited for its slot, which it must not hold meanwhile.
    }
}

/// Waits while the provider asks to be left alone, each waiter a little longer than asked; no slot is held meanwhile. Fails
/// where that is longer than the call may still wait.
async fn wait_until_allowed(
    call: &Call<'_>,
    retry: &Retry,
    may_wait_ms: &mut u64,
) -> Result<(), CallErrorKind> {
    let host = &*call.inner.host;
    while let Some(until) = call.inner.asked.standing(host) {
        let left_ms = until.left_ms(host);
        if until.too_long || left_ms > *may_wait_ms {
            return Err(CallErrorKind::AskedToWait(until.wall_ms));
        }
        *may_wait_ms -= left_ms;
        host.sleep(left_ms.saturating_add(spread_ms(left_ms, retry, host.random()))).await;
    }
    Ok(())
}

/// What of an attempt is told before it is made.
struct Told {
    number: u32,
    slot_wait_ms: u64,
}

/// One attempt in its span. Nothing of the request, and of the answer only its status, is told.
async fn attempt(
    call: &Call<'_>,
    operation: &Operation,
    request: &HttpRequest,
    slot: Slot,
    told: Told,
) -> Next {
    let span = tracing::info_span!(
        "call",
        connection = %call.inner.name,
        operation = %call.operation,
        attempt = told.number,
        slot_wait_ms = told.slot_wait_ms,
        status = Empty,
        error = Empty,
        duration_ms = Empty,
    );
    let host = &*call.inner.host;
    let begun_us = host.monotonic_us();
    let outcome = send(host, request.clone(), operation.timeout_ms, slot).instrument(span.clone()).await;
    span.record("duration_ms", host.monotonic_us().saturating_sub(begun_us) / 1_000);
    match &outcome {
        Ok(answer) => span.record("status", answer.status),
        Err(kind) => span.record("error", kind.name()),
    };
    judge(call, operation, outcome)
}

async fn take_slot(call: &Call<'_>, turn: &Turn) -> Slot {
    let slots = &call.inner.slots;
    let delivery = match turn {
        Turn::Wait | Turn::InTransaction => return slots.take(None).await,
        Turn::Delivery(delivery) => delivery,
    };
    match slots.ask(delivery.owner) {
        Asked::Taken(slot) => slot,
        Asked::OutToAsker => slots.take(Some(delivery.owner)).await,
        Asked::Out => {
            delivery.give_back(&call.inner.name);
            std::future::pending().await
        }
    }
}

/// Sends a request; its time covers the whole answer, the body included.
async fn send(
    host: &dyn Host,
    request: HttpRequest,
    timeout_ms: u64,
    slot: Slot,
) -> Result<HttpResponse, CallErrorKind> {
    let max_bytes = request.max_response_bytes;
    // Bound after the slot, so that the request has ended before the slot is given back, however this function is left.
    let _slot = slot;
    let answer = pin!(host.http(request));
    let time_up = pin!(host.sleep(timeout_ms));
    match select(answer, time_up).await {
        Either::Left((Ok(answer), _)) => Ok(answer),
        Either::Left((Err(error), _)) => Err(match error {
            HttpError::Transport(why) => CallErrorKind::Transport(why),
            HttpError::TooLarge => CallErrorKind::TooLarge(max_bytes),
            HttpError::Redirect(why) => CallErrorKind::Redirect(why),
        }),
        Either::Right(((), _)) => Err(CallErrorKind::Timeout(timeout_ms)),
    }
}

/// What an attempt's outcome means for the call; the rules stand in [`super::retry`].
fn judge(call: &Call<'_>, operation: &Operation, outcome: Result<HttpResponse, CallErrorKind>) -> Next {
    let inner = call.inner;
    let (status, asked_ms, kind) = match outcome {
        Ok(answer) if (200..300).contains(&answer.status) => return Next::Answered(answer),
        Ok(answer) => {
            let asked_ms = asked_wait_ms(&answer, inner.host.wall_ms());
            (
                Some(answer.status),
                asked_ms,
                CallErrorKind::Status(Box::new(Seen::of(&answer, &inner.secrets))),
            )
        }
        Err(CallErrorKind::Transport(why)) => (None, None, CallErrorKind::Transport(inner.secrets.cut(&why))),
        Err(kind @ CallErrorKind::Timeout(_)) => (None, None, kind),
        Err(CallErrorKind::Redirect(why)) => {
            return Next::Over(CallErrorKind::Redirect(inner.secrets.cut(&why)));
        }
        Err(kind) => return Next::Over(kind),
    };
    if status.is_some_and(|status| !is_passing(status)) {
        return Next::Over(kind);
    }
    let until = asked_ms.map(|asked_ms| inner.asked.keep(asked_ms, &call.package().retry, &*inner.host));
    match until {
        _ if !operation.retriable => Next::Over(kind),
        None => Next::Again(kind),
        Some(until) if until.too_long => Next::Over(kind),
        Some(_) => Next::AgainWhenAllowed(kind),
    }
}
