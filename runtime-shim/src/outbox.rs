//! Who hears an event: the deliveries that are kept with it, in the same transaction.

use std::collections::BTreeSet;

use crate::clock;
use crate::plan::Plan;
use crate::store::{NewDelivery, NewEvent};

/// An event as it was made, before anybody is named who hears it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// Its name: its type's key in the plan.
    pub name: String,
    /// The connection that it came through; an app's own event came through none.
    pub source: Option<String>,
    /// Canonical JSON.
    pub payload: String,
    /// The W3C trace context that it was made in.
    pub trace: String,
    /// When it is kept, in milliseconds since the epoch.
    pub created_at_ms: i64,
}

/// The event with a delivery for each subscriber of the plan that hears it, whatever deployable runs that subscriber.
pub fn addressed(plan: &Plan, made: Made) -> NewEvent {
    let deliveries =
        hearers(plan, &made.name, made.source.as_deref()).map(|(subscriber, within_ms)| NewDelivery {
            subscriber: subscriber.to_owned(),
            give_up_ms: made.created_at_ms.saturating_add(clock::signed(within_ms)),
        });
    NewEvent {
        deliveries: deliveries.collect(),
        name: made.name,
        source: made.source,
        external_id: None,
        occurred_at_ms: made.created_at_ms,
        payload: made.payload,
        trace: Some(made.trace),
        created_at_ms: made.created_at_ms,
    }
}

/// The stores that deliveries of a subscriber may be kept in: those of the connections that it hears, and for an event of the
/// app's own those of whatever emits it, in any program.
pub fn kept_in<'a>(plan: &'a Plan, subscriber: &str) -> BTreeSet<&'a str> {
    let Some(subscriber) = plan.subscribers.get(subscriber) else { return BTreeSet::new() };
    let hears = |event: &String| subscriber.on.contains(event);
    let connections = subscriber.from.iter().filter_map(|name| plan.connections.get(name));
    let polled = connections.filter_map(|connection| connection.events_store.as_deref());
    let subscribers = plan.subscribers.values().map(|other| (&other.emits, other.store.as_str()));
    let actions = plan.actions.values().map(|action| (&action.emits, action.store.as_str()));
    let emitting = subscribers.chain(actions).filter(|(emits, _)| emits.iter().any(hears));
    polled.chain(emitting.map(|(_, store)| store)).collect()
}

/// The subscribers that hear an event, with their `within:` in milliseconds.
fn hearers<'a>(
    plan: &'a Plan,
    event: &'a str,
    source: Option<&'a str>,
) -> impl Iterator<Item = (&'a str, u64)> + use<'a> {
    plan.subscribers.iter().filter_map(move |(name, subscriber)| {
        let hears = subscriber.on.iter().any(|on| on == event);
        let from = source.is_none_or(|source| subscriber.from.iter().any(|from| from == source));
        (hears && from).then_some((name.as_str(), subscriber.within_ms))
    })
}
