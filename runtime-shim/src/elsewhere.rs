//! Hears what other instances committed to a store that they share, and has the loop look.

use std::pin::pin;
use std::sync::Arc;

use event_listener::EventListener;
use futures_util::future::{Either, select};

use crate::engine::Engine;
use crate::limits;
use crate::notes::Note;
use crate::open_store::OpenStore;

/// Hears the other instances on every store that can be listened to, until the app is stopped.
pub fn listen(engine: &Arc<Engine>) {
    for open in engine.stores.values() {
        if let Some(next) = open.store.wakes() {
            engine.spawn(hear(engine.clone(), open.clone(), next));
        }
    }
}

async fn hear(engine: Arc<Engine>, open: OpenStore, mut next: EventListener) {
    while let Either::Left(_) = select(next, pin!(engine.stop.asked())).await {
        // Listening before the loop looks: what is said in between is heard below.
        let Some(heard_next) = open.store.wakes() else { return };
        next = heard_next;
        engine.notes.leave(Note::Elsewhere { store: open.name.clone() });
        engine.host.sleep(limits::WAKE_WINDOW_MS).await;
    }
}
