//! Keeps an event and a pending delivery for each subscriber; part of the caller's transaction.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::NewEvent;

const EVENT: &str = "
INSERT INTO jadpo_events (name, source, external_id, occurred_at_ms, payload, trace, created_at_ms)
VALUES (:name, :source, :external_id, :occurred_at_ms, :payload, :trace, :created_at_ms)";

const DELIVERY: &str = "
INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
VALUES (:event_id, :subscriber, 'pending', 0, :due_ms, :give_up_ms)";

pub fn run(connection: &Connection, event: &NewEvent) -> Result<(), Failed> {
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
        statement.execute(named_params! {
            ":event_id": event_id,
            ":subscriber": delivery.subscriber,
            ":due_ms": event.created_at_ms,
            ":give_up_ms": delivery.give_up_ms,
        })?;
    }
    Ok(())
}
