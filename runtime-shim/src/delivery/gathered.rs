//! What a body gathered: its writes and the events that it emitted, ready to be committed.

use crate::codec::Form;
use crate::codec::interpret;
use crate::context::{Context, Emitted};
use crate::engine::Engine;
use crate::outbox::{Made, addressed};
use crate::plan::Shape;
use crate::store::{NewEvent, Write};

/// What a body gathered.
pub struct Gathered {
    /// In order.
    pub writes: Vec<Write>,
    /// With a delivery for each subscriber that hears them.
    pub events: Vec<NewEvent>,
}

impl Gathered {
    /// Takes it out of the body's context. An event that its own type can't read would be kept for subscribers that can
    /// never hear it, so it fails the body instead.
    pub fn of(engine: &Engine, mut cx: Context) -> Result<Gathered, String> {
        let created_at_ms = engine.now_ms();
        let mut events = Vec::new();
        for emitted in std::mem::take(&mut cx.emitted) {
            check(engine, &emitted)?;
            let made = Made {
                name: emitted.name.to_owned(),
                source: None,
                payload: emitted.payload,
                trace: cx.trace.clone(),
                created_at_ms,
            };
            events.push(addressed(&engine.plan, made));
        }
        Ok(Gathered { writes: cx.store.take_writes(), events })
    }
}

fn check(engine: &Engine, emitted: &Emitted) -> Result<(), String> {
    let shape = Shape::Named(emitted.name.to_owned());
    match interpret::read(&engine.plan.types, &shape, &emitted.payload, "", Form::Canonical) {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("the emitted {} breaks its own type: {error}", emitted.name)),
    }
}
