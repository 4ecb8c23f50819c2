//! Commits what a body did, once it has its value and outside its timing.

use super::access::conflict;
use super::gathered::{Gathered, Unkept};
use crate::body::BodyEnd;
use crate::context::Context;
use crate::engine::Engine;
use crate::failure::Failure;
use crate::open_store::OpenStore;
use crate::status::Count;
use crate::store::{BoundaryEnd, ClaimOwn, Fence, SetOff, Skipped};

/// What a boundary is committed under.
pub struct Terms<'a> {
    /// The store that it writes.
    pub open: &'a OpenStore,
    /// Who claims what the commit sets off.
    pub claim: Option<ClaimOwn>,
    /// How long a store that fails is asked again to commit, where its fence stops a second commit; `None` asks once.
    pub until_ms: Option<i64>,
}

/// How a body and its commit ended; nothing is kept unless it is [`RunEnd::Kept`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunEnd<T> {
    /// All of it is committed, and this is what it set off.
    Kept(T, Vec<SetOff>),
    /// The claim stands no more.
    Fenced,
    /// The delivery was received in this store before.
    Received,
    /// A write touched another number of rows than it stated.
    Conflict(String),
    /// The engine refused a write.
    Refused(String),
    /// The body said so, or emitted what its type can't hold.
    Failed(Failure),
    /// With this message.
    Panicked(String),
    /// The body ran longer than this, ms.
    OverLimit(u64),
    /// A call found all slots of this connection out.
    SlotsOut(String),
    /// The body was told to end.
    Stopped,
    /// The store failed, when the body asked it or in the commit.
    Trouble(String),
    /// The store failed until the lease ended, or the app was stopped meanwhile.
    Late,
}

/// Commits what a body did to its context, where it has its value. `fence` says what the commit depends on, given the body's
/// value and what it skipped.
pub async fn commit<T>(
    engine: &Engine,
    terms: Terms<'_>,
    mut cx: Context,
    end: BodyEnd<T>,
    fence: impl FnOnce(&T, Vec<Skipped>) -> Fence,
) -> RunEnd<T> {
    // What ended in the transaction ended, whatever the body made of the error.
    if let Some(end) = cx.store.take_ended() {
        return not_kept(end);
    }
    let broken = cx.store.take_broken();
    let value = match end {
        BodyEnd::Value(value) => value,
        // One that failed because the store did is no failure of its own.
        BodyEnd::Failed(failure) => {
            let trouble = cx.store.take_trouble();
            return trouble.map_or(RunEnd::Failed(failure), |error| RunEnd::Trouble(error.to_string()));
        }
        BodyEnd::Panicked(message) => return RunEnd::Panicked(message),
        BodyEnd::OverLimit(limit_ms) => return RunEnd::OverLimit(limit_ms),
        BodyEnd::SlotsOut(connection) => return RunEnd::SlotsOut(connection),
        BodyEnd::Stopped => return RunEnd::Stopped,
    };
    if let Some(error) = broken {
        let text = error.to_string();
        // A transaction that the body held for too long is no trouble of the store.
        return if error.kind.is_trouble() {
            RunEnd::Trouble(text)
        } else {
            RunEnd::Failed(Failure::new(text))
        };
    }
    let gathered = match Gathered::of(engine, &mut cx) {
        Ok(gathered) => gathered,
        Err(text) => return RunEnd::Failed(Failure::new(text)),
    };
    let events = gathered.events();
    let fence = fence(&value, std::mem::take(&mut cx.skipped));
    match gathered.commit(engine, terms.open, &fence, terms.claim.as_ref(), terms.until_ms).await {
        Ok(BoundaryEnd::Done(set_off)) => {
            engine.tally.more(Count::EventsKept, events);
            RunEnd::Kept(value, set_off)
        }
        Ok(end) => not_kept(end),
        Err(Unkept::Trouble(text)) => RunEnd::Trouble(text),
        Err(Unkept::Failed(text)) => RunEnd::Failed(Failure::new(text)),
        Err(Unkept::Late) => RunEnd::Late,
    }
}

fn not_kept<T>(end: BoundaryEnd) -> RunEnd<T> {
    match end {
        BoundaryEnd::Fenced | BoundaryEnd::Done(_) => RunEnd::Fenced,
        BoundaryEnd::Received => RunEnd::Received,
        BoundaryEnd::Conflict { sql, wanted, got } => RunEnd::Conflict(conflict(&sql, wanted, got)),
        BoundaryEnd::Refused(text) => RunEnd::Refused(text),
    }
}
