//! What a body gathered: its writes, the events that it emitted and the batch runs that it started, ready to be committed.

use crate::codec::Form;
use crate::codec::interpret;
use crate::context::{Context, Emitted, Started};
use crate::engine::Engine;
use crate::open_store::OpenStore;
use crate::outbox::{Made, addressed};
use crate::plan::Shape;
use crate::store::{Boundary, BoundaryEnd, ClaimOwn, Fence, NewEvent, NewRun, StoreTransaction, Write};

/// What a body gathered.
pub struct Gathered {
    /// In order.
    writes: Vec<Write>,
    /// With a delivery for each subscriber that hears them.
    events: Vec<NewEvent>,
    /// In order.
    runs: Vec<NewRun>,
    /// The transaction that the body opened.
    transaction: Option<Box<dyn StoreTransaction>>,
}

/// Why a commit kept nothing.
pub enum Unkept {
    /// The store failed; one error, in words.
    Trouble(String),
    /// It was the body's own making.
    Failed(String),
    /// The store failed until what was to be written was another's to do, or the app was stopped.
    Late,
}

impl Gathered {
    /// Takes it out of the body's context. An event or an input that its own type can't read would be kept for readers that
    /// can never have it, so it fails the body instead.
    pub fn of(engine: &Engine, cx: &mut Context) -> Result<Gathered, String> {
        let created_at_ms = engine.now_ms();
        let mut events = Vec::new();
        for emitted in std::mem::take(&mut cx.emitted) {
            check_event(engine, &emitted)?;
            let made = Made {
                name: emitted.name.to_owned(),
                source: None,
                payload: emitted.payload,
                trace: cx.trace().to_owned(),
                created_at_ms,
            };
            events.push(addressed(&engine.plan, made));
        }
        let mut runs = Vec::new();
        for started in std::mem::take(&mut cx.started) {
            check_run(engine, &started)?;
            let trace = Some(cx.trace().to_owned());
            runs.push(NewRun { batch: started.batch.to_owned(), input: started.input, trace, created_at_ms });
        }
        let transaction = cx.store.opened().take();
        Ok(Gathered { writes: cx.store.take_writes(), events, runs, transaction })
    }

    /// How many events were emitted.
    pub fn events(&self) -> u64 {
        self.events.len() as u64
    }

    /// Commits it. With `until_ms` a store that fails is asked again until then, which only a boundary whose fence would stop
    /// a second commit may do; a transaction is over with its first error in any case.
    pub async fn commit(
        self,
        engine: &Engine,
        open: &OpenStore,
        fence: &Fence,
        claim: Option<&ClaimOwn>,
        until_ms: Option<i64>,
    ) -> Result<BoundaryEnd, Unkept> {
        if self.is_empty() && *fence == Fence::Free {
            // What only read has nothing to keep, and must not wait for those that write.
            return Ok(BoundaryEnd::Done(Vec::new()));
        }
        // Apart, so that what only read need not carry what writing takes.
        Box::pin(self.write(engine, open, fence, claim, until_ms)).await
    }

    fn is_empty(&self) -> bool {
        let Gathered { writes, events, runs, transaction } = self;
        writes.is_empty() && events.is_empty() && runs.is_empty() && transaction.is_none()
    }

    async fn write(
        self,
        engine: &Engine,
        open: &OpenStore,
        fence: &Fence,
        claim: Option<&ClaimOwn>,
        until_ms: Option<i64>,
    ) -> Result<BoundaryEnd, Unkept> {
        let Gathered { writes, events, runs, transaction } = self;
        let boundary = || Boundary {
            fence: fence.clone(),
            now_ms: engine.now_ms(),
            writes: writes.clone(),
            events: events.clone(),
            runs: runs.clone(),
            claim: claim.cloned(),
        };
        let once = match (transaction, until_ms) {
            (Some(transaction), _) => transaction.commit(boundary()).await,
            (None, None) => open.store.commit(boundary()).await,
            (None, Some(until_ms)) => {
                let ended = open.insist(engine, until_ms, |open| open.store.commit(boundary())).await;
                return ended.ok_or(Unkept::Late);
            }
        };
        if let Err(error) = &once
            && !error.kind.is_trouble()
        {
            return Err(Unkept::Failed(error.to_string()));
        }
        let trouble = once.as_ref().err().map(ToString::to_string);
        open.heed(engine, once).map_err(|_| Unkept::Trouble(trouble.unwrap_or_default()))
    }
}

fn check_event(engine: &Engine, emitted: &Emitted) -> Result<(), String> {
    check(engine, emitted.name, &emitted.payload)
        .map_err(|error| format!("the emitted {} breaks its own type: {error}", emitted.name))
}

fn check_run(engine: &Engine, started: &Started) -> Result<(), String> {
    let ty = engine.plan.batches.get(started.batch).and_then(|batch| batch.input.as_ref());
    match (ty, &started.input) {
        (Some(ty), Some(input)) => check(engine, ty, input)
            .map_err(|error| format!("the input of {} breaks its own type: {error}", started.batch)),
        _ => Ok(()),
    }
}

fn check(engine: &Engine, ty: &str, json: &str) -> Result<(), String> {
    let shape = Shape::Named(ty.to_owned());
    let read = interpret::read(&engine.plan.types, &shape, json, "", Form::Canonical);
    read.map(drop).map_err(|error| error.to_string())
}
