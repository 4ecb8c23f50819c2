//! Takes due deliveries in one statement: token, lease and attempt in the same breath.

use rusqlite::{Connection, Row, named_params};

use super::failed::Failed;
use super::hear;
use crate::store::{ClaimDeliveries, ClaimedDelivery};

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
RETURNING
    id, subscriber, attempts, due_ms, give_up_ms, event_id,
    (SELECT name           FROM jadpo_events WHERE jadpo_events.id = event_id),
    (SELECT source         FROM jadpo_events WHERE jadpo_events.id = event_id),
    (SELECT occurred_at_ms FROM jadpo_events WHERE jadpo_events.id = event_id),
    (SELECT created_at_ms  FROM jadpo_events WHERE jadpo_events.id = event_id),
    (SELECT payload        FROM jadpo_events WHERE jadpo_events.id = event_id),
    (SELECT trace          FROM jadpo_events WHERE jadpo_events.id = event_id)";

pub fn run(connection: &Connection, claim: &ClaimDeliveries) -> Result<Vec<ClaimedDelivery>, Failed> {
    if claim.hear {
        hear::run(connection, claim.instance, claim.now_ms)?;
    }
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
    let claimed = statement.query_map(params, |row| read(row, claim.token))?;
    let mut claimed = claimed.collect::<Result<Vec<_>, _>>()?;
    // RETURNING promises no order; the longest due starts first.
    claimed.sort_by_key(|delivery| (delivery.due_ms, delivery.id));
    Ok(claimed)
}

fn read(row: &Row<'_>, token: i64) -> rusqlite::Result<ClaimedDelivery> {
    Ok(ClaimedDelivery {
        id: row.get(0)?,
        token,
        subscriber: row.get(1)?,
        attempts: row.get(2)?,
        due_ms: row.get(3)?,
        give_up_ms: row.get(4)?,
        event_id: row.get(5)?,
        event: row.get(6)?,
        source: row.get(7)?,
        occurred_at_ms: row.get(8)?,
        created_at_ms: row.get(9)?,
        payload: row.get(10)?,
        trace: row.get(11)?,
    })
}
