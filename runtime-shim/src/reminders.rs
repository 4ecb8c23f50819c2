//! What a start reminds of: deliveries that failed for good and polls that failed last, which stay until something is done.

use crate::clock;
use crate::engine::Engine;
use crate::limits;
use crate::open_store::OpenStore;
use crate::poll::{PollError, PollTask};
use crate::store::{FailedDelivery, PollState};

/// Logs them, the latest deliveries first. A store that can't be read says so, and reminds of nothing.
pub async fn remind(engine: &Engine, polls: &[PollTask]) {
    for open in engine.stores.values() {
        remind_of_deliveries(engine, open).await;
        let states = open.heed_read(engine, open.store.poll_states().await);
        for state in states.unwrap_or_default() {
            if let Some(task) = polls.iter().find(|task| task.name == state.name && task.store == open.name) {
                remind_of_poll(task, &state);
            }
        }
    }
}

async fn remind_of_deliveries(engine: &Engine, open: &OpenStore) {
    let shown_max = limits::FAILED_LOGGED_MAX;
    let failed = open.store.failed_deliveries(shown_max + 1).await;
    let failed = open.heed_read(engine, failed).unwrap_or_default();
    for one in failed.iter().take(shown_max as usize) {
        let FailedDelivery { id, event, subscriber, attempts, error, finished_at_ms } = one;
        let _entered = tracing::info_span!("delivery", id, subscriber, event).entered();
        let at = clock::timestamp(*finished_at_ms);
        tracing::warn!("kept as failed since {at:.0}, after {attempts} attempts: {error}");
    }
    if failed.len() > shown_max as usize {
        tracing::warn!("store {} keeps more failed deliveries than these {shown_max}", open.name);
    }
}

fn remind_of_poll(task: &PollTask, state: &PollState) {
    let (Some(error), Some(failed_at_ms)) = (&state.last_error, state.failed_at_ms) else { return };
    let text = PollError::from_json(error).text;
    let _entered = tracing::info_span!("poll", name = task.label).entered();
    tracing::warn!("failed when it was last called, at {:.0}: {text}", clock::timestamp(failed_at_ms));
}
