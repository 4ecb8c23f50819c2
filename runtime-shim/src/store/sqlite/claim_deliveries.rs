//! Takes due deliveries in one statement: token, lease and attempt in the same breath.

use rusqlite::{Connection, Row, named_params};

use super::failed::Failed;
use super::{fence, hear};
use crate::store::{ClaimDeliveries, Claimed, ClaimedDelivery};

/// Walks each subscriber's own part of the index and no further than there are free workers, so one with a long backlog
/// costs no more than another. Workers go to subscribers in turn, those that run fewest first, so that a backlog, however
/// old, starves nobody.
pub const SQL: &str = "
UPDATE jadpo_deliveries SET
    state = 'claimed', attempts = attempts + 1,
    claim_token = :token, instance = :instance, claimed_until_ms = :until_ms
WHERE id IN (
    SELECT id FROM (
        SELECT due.id AS id, due.due_ms AS due_ms, share.value ->> 1 AS at_most, share.value ->> 2 AS running,
               row_number() OVER (PARTITION BY share.key ORDER BY due.due_ms, due.id) AS place
        FROM json_each(:wanted) AS share CROSS JOIN jadpo_deliveries AS due
        WHERE due.id IN (
            SELECT first.id FROM jadpo_deliveries AS first
            WHERE first.state = 'pending' AND first.subscriber = share.value ->> 0
              AND first.due_ms <= :now_ms AND first.give_up_ms > :now_ms
            ORDER BY first.due_ms LIMIT :at_most))
    WHERE place <= at_most ORDER BY running + place, due_ms, id LIMIT :at_most)
RETURNING id, subscriber, attempts, due_ms, give_up_ms, event_id";

/// What RETURNING can't join.
const EVENT: &str = "
SELECT name, source, occurred_at_ms, created_at_ms, payload, trace FROM jadpo_events WHERE id = ?1";

pub fn run(connection: &Connection, claim: &ClaimDeliveries) -> Result<Claimed, Failed> {
    if claim.hear {
        hear::run(connection, claim.instance, claim.now_ms)?;
    }
    let mut claimed = Claimed::default();
    for held in &claim.done {
        if !fence::finish(connection, *held, claim.now_ms)? {
            claimed.fenced.push(held.id);
        }
    }
    if !claim.wanted.is_empty() {
        claimed.deliveries = take(connection, claim)?;
    }
    Ok(claimed)
}

fn take(connection: &Connection, claim: &ClaimDeliveries) -> Result<Vec<ClaimedDelivery>, Failed> {
    let wanted: Vec<(&str, u32, u32)> =
        claim.wanted.iter().map(|wanted| (&*wanted.subscriber, wanted.at_most, wanted.running)).collect();
    let params = named_params! {
        ":token": claim.token,
        ":instance": claim.instance,
        ":until_ms": claim.until_ms,
        ":wanted": super::json(&wanted),
        ":now_ms": claim.now_ms,
        ":at_most": claim.at_most,
    };
    let mut statement = connection.prepare_cached(SQL)?;
    let taken = statement.query_map(params, taken)?;
    let mut taken = taken.collect::<Result<Vec<_>, _>>()?;
    // RETURNING promises no order; the longest due starts first.
    taken.sort_by_key(|taken| (taken.due_ms, taken.id));
    let mut event = connection.prepare_cached(EVENT)?;
    let with_event = |taken: Taken| event.query_row([taken.event_id], |row| taken.with(row, claim.token));
    Ok(taken.into_iter().map(with_event).collect::<Result<_, _>>()?)
}

/// A delivery that was taken, before its event is looked up.
struct Taken {
    id: i64,
    subscriber: String,
    attempts: u32,
    due_ms: i64,
    give_up_ms: i64,
    event_id: i64,
}

fn taken(row: &Row<'_>) -> rusqlite::Result<Taken> {
    Ok(Taken {
        id: row.get(0)?,
        subscriber: row.get(1)?,
        attempts: row.get(2)?,
        due_ms: row.get(3)?,
        give_up_ms: row.get(4)?,
        event_id: row.get(5)?,
    })
}

impl Taken {
    fn with(self, event: &Row<'_>, token: i64) -> rusqlite::Result<ClaimedDelivery> {
        Ok(ClaimedDelivery {
            id: self.id,
            token,
            subscriber: self.subscriber,
            attempts: self.attempts,
            due_ms: self.due_ms,
            give_up_ms: self.give_up_ms,
            event_id: self.event_id,
            event: event.get(0)?,
            source: event.get(1)?,
            occurred_at_ms: event.get(2)?,
            created_at_ms: event.get(3)?,
            payload: event.get(4)?,
            trace: event.get(5)?,
        })
    }
}
