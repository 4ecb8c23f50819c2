//! Keeps an event and a delivery for each subscriber, pending or claimed, in one statement of the caller's transaction.

use tokio_postgres::Row;
use tokio_postgres::types::ToSql;

use crate::store::{ClaimOwn, ClaimedDelivery, NewEvent, SetOff};

/// The deliveries' numbers rise in the order in which they were gathered.
pub const SQL: &str = "
WITH kept AS (
    INSERT INTO jadpo_events (name, source, external_id, occurred_at_ms, payload, trace, created_at_ms)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    RETURNING id, created_at_ms)
INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms,
                              claim_token, instance, claimed_until_ms)
SELECT kept.id, new.subscriber, CASE WHEN new.own THEN 'claimed' ELSE 'pending' END, new.own::int,
       kept.created_at_ms, new.give_up_ms,
       CASE WHEN new.own THEN $11::bigint END, CASE WHEN new.own THEN $12::bigint END,
       CASE WHEN new.own THEN $13::bigint END
FROM kept
CROSS JOIN unnest($8::text[], $9::bigint[], $10::bool[]) WITH ORDINALITY AS new (subscriber, give_up_ms, own, place)
ORDER BY new.place
RETURNING id, event_id";

/// Its parameters, which outlive the statement that they are given to.
pub struct Given<'a> {
    event: &'a NewEvent,
    subscribers: Vec<&'a str>,
    give_ups: Vec<i64>,
    /// Which of them are claimed as they are kept.
    own: Vec<bool>,
    token: Option<i64>,
    instance: Option<i64>,
    until_ms: Option<i64>,
}

impl<'a> Given<'a> {
    pub fn of(event: &'a NewEvent, claim: Option<&ClaimOwn>) -> Given<'a> {
        let own = |subscriber| claim.is_some_and(|claim: &ClaimOwn| claim.subscribers.contains(subscriber));
        Given {
            event,
            subscribers: event.deliveries.iter().map(|new| &*new.subscriber).collect(),
            give_ups: event.deliveries.iter().map(|new| new.give_up_ms).collect(),
            own: event.deliveries.iter().map(|new| own(&new.subscriber)).collect(),
            token: claim.map(|claim| claim.token),
            instance: claim.map(|claim| claim.instance),
            until_ms: claim.map(|claim| claim.until_ms),
        }
    }

    pub fn params(&self) -> [&(dyn ToSql + Sync); 13] {
        let event = self.event;
        [
            &event.name,
            &event.source,
            &event.external_id,
            &event.occurred_at_ms,
            &event.payload,
            &event.trace,
            &event.created_at_ms,
            &self.subscribers,
            &self.give_ups,
            &self.own,
            &self.token,
            &self.instance,
            &self.until_ms,
        ]
    }
}

/// What it set off, by the rows that it gave.
pub fn set_off(event: &NewEvent, claim: Option<&ClaimOwn>, rows: &[Row]) -> Vec<SetOff> {
    let mut ids: Vec<(i64, i64)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
    ids.sort_unstable();
    let each = event.deliveries.iter().zip(ids).map(|(new, (id, event_id))| {
        let claim = claim.filter(|claim| claim.subscribers.contains(&new.subscriber));
        let claimed = claim.map(|claim| {
            Box::new(ClaimedDelivery {
                id,
                token: claim.token,
                subscriber: new.subscriber.clone(),
                attempts: 1,
                due_ms: event.created_at_ms,
                give_up_ms: new.give_up_ms,
                event_id,
                event: event.name.clone(),
                source: event.source.clone(),
                occurred_at_ms: event.occurred_at_ms,
                created_at_ms: event.created_at_ms,
                payload: event.payload.clone(),
                trace: event.trace.clone(),
            })
        });
        SetOff::Delivery {
            id,
            subscriber: new.subscriber.clone(),
            due_ms: event.created_at_ms,
            give_up_ms: new.give_up_ms,
            claimed,
        }
    });
    each.collect()
}
