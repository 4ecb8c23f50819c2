//! Keeps an event and a delivery for each subscriber, pending or claimed; part of the caller's transaction.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::{ClaimOwn, ClaimedDelivery, NewDelivery, NewEvent, SetOff};

const EVENT: &str = "
INSERT INTO jadpo_events (name, source, external_id, occurred_at_ms, payload, trace, created_at_ms)
VALUES (:name, :source, :external_id, :occurred_at_ms, :payload, :trace, :created_at_ms)";

const DELIVERY: &str = "
INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms,
                              claim_token, instance, claimed_until_ms)
VALUES (:event_id, :subscriber, iif(:token IS NULL, 'pending', 'claimed'), :token IS NOT NULL, :due_ms, :give_up_ms,
        :token, :instance, :until_ms)";

/// What is kept is added to `set_off`.
pub fn run(
    connection: &Connection,
    event: &NewEvent,
    claim: Option<&ClaimOwn>,
    set_off: &mut Vec<SetOff>,
) -> Result<(), Failed> {
    let event_id = connection.prepare_cached(EVENT)?.insert(named_params! {
        ":name": event.name,
        ":source": event.source,
        ":external_id": event.external_id,
        ":occurred_at_ms": event.occurred_at_ms,
        ":payload": event.payload,
        ":trace": event.trace,
        ":created_at_ms": event.created_at_ms,
    })?;
    let mut statement = connection.prepare_cached(DELIVERY)?;
    for delivery in &event.deliveries {
        let claim = claim.filter(|claim| claim.subscribers.contains(&delivery.subscriber));
        let id = statement.insert(named_params! {
            ":event_id": event_id,
            ":subscriber": delivery.subscriber,
            ":due_ms": event.created_at_ms,
            ":give_up_ms": delivery.give_up_ms,
            ":token": claim.map(|claim| claim.token),
            ":instance": claim.map(|claim| claim.instance),
            ":until_ms": claim.map(|claim| claim.until_ms),
        })?;
        set_off.push(SetOff::Delivery {
            id,
            subscriber: delivery.subscriber.clone(),
            due_ms: event.created_at_ms,
            give_up_ms: delivery.give_up_ms,
            claimed: claim.map(|claim| Box::new(claimed(id, claim.token, event_id, event, delivery))),
        });
    }
    Ok(())
}

fn claimed(id: i64, token: i64, event_id: i64, event: &NewEvent, delivery: &NewDelivery) -> ClaimedDelivery {
    ClaimedDelivery {
        id,
        token,
        subscriber: delivery.subscriber.clone(),
        attempts: 1,
        due_ms: event.created_at_ms,
        give_up_ms: delivery.give_up_ms,
        event_id,
        event: event.name.clone(),
        source: event.source.clone(),
        occurred_at_ms: event.occurred_at_ms,
        created_at_ms: event.created_at_ms,
        payload: event.payload.clone(),
        trace: event.trace.clone(),
    }
}
