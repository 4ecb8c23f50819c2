//! The one way that everything which runs hears that it must end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use event_listener::Event;

/// Says once that everything ends; clones say and hear the same.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    shared: Arc<Shared>,
}

#[derive(Debug, Default)]
struct Shared {
    asked: AtomicBool,
    event: Event,
}

impl Stop {
    /// Asks everything to end. Asking again changes nothing.
    pub fn ask(&self) {
        self.shared.asked.store(true, Ordering::SeqCst);
        self.shared.event.notify(usize::MAX);
    }

    /// Whether that was asked.
    pub fn is_asked(&self) -> bool {
        self.shared.asked.load(Ordering::SeqCst)
    }

    /// Ends once it was asked.
    pub async fn asked(&self) {
        loop {
            // Listening before looking: what is asked in between is heard.
            let listener = self.shared.event.listen();
            if self.is_asked() {
                return;
            }
            listener.await;
        }
    }
}
