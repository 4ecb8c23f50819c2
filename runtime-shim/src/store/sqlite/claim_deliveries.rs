//! Takes due deliveries with their events in one transaction: token, lease and attempt in the same breath.

use rusqlite::{Connection, Row, named_params};

use super::failed::Failed;
use super::{fence, hear};
use crate::store::{ClaimDeliveries, Claimed, ClaimedDelivery, Wanted};

/// The longest due of a subscriber with their events. It walks the subscriber's own part of the index and no further than
/// there are free workers, so one with a long backlog costs no more than another.
pub const DUE: &str = "
SELECT due.id, due.attempts, due.due_ms, due.give_up_ms, due.event_id,
       event.name, event.source, event.occurred_at_ms, event.created_at_ms, event.payload, event.trace
FROM jadpo_deliveries AS due CROSS JOIN jadpo_events AS event ON event.id = due.event_id
WHERE due.state = 'pending' AND due.subscriber = :subscriber
  AND due.due_ms <= :now_ms AND due.give_up_ms > :now_ms
ORDER BY due.due_ms, due.id LIMIT :at_most";

/// The same without what only those need that are taken.
pub const WHEN: &str = "
SELECT id, due_ms FROM jadpo_deliveries
WHERE state = 'pending' AND subscriber = :subscriber AND due_ms <= :now_ms AND give_up_ms > :now_ms
ORDER BY due_ms, id LIMIT :at_most";

/// The write lock is held since before they were found due, so they still are.
pub const TAKE: &str = "
UPDATE jadpo_deliveries SET
    state = 'claimed', attempts = attempts + 1,
    claim_token = :token, instance = :instance, claimed_until_ms = :until_ms
WHERE id IN (SELECT value FROM json_each(:ids))";

pub fn run(connection: &Connection, claim: &ClaimDeliveries) -> Result<Claimed, Failed> {
    if claim.hear {
        hear::run(connection, claim.instance, claim.now_ms)?;
    }
    let fenced = fence::finish_all(connection, &claim.done, claim.now_ms)?;
    let mut deliveries = Vec::new();
    for (subscriber, at_most) in shares(connection, claim)? {
        due(connection, claim, subscriber, at_most, &mut deliveries)?;
    }
    if !deliveries.is_empty() {
        take(connection, claim, &deliveries)?;
    }
    // The longest due starts first.
    deliveries.sort_by_key(|delivery| (delivery.due_ms, delivery.id));
    Ok(Claimed { deliveries, fenced })
}

/// How many each subscriber gets. Workers go to subscribers in turn, those that run fewest first, so that a backlog, however
/// old, starves nobody.
fn shares<'a>(connection: &Connection, claim: &'a ClaimDeliveries) -> Result<Vec<(&'a str, u32)>, Failed> {
    if let [only] = &*claim.wanted {
        return Ok(vec![(&only.subscriber, only.at_most.min(claim.at_most))]);
    }
    let mut turns = Vec::new();
    for (at, wanted) in claim.wanted.iter().enumerate() {
        for (place, (id, due_ms)) in when(connection, claim, wanted)?.into_iter().enumerate() {
            turns.push((u64::from(wanted.running) + place as u64, due_ms, id, at));
        }
    }
    turns.sort_unstable();
    turns.truncate(claim.at_most as usize);
    let mut shares: Vec<(&str, u32)> = claim.wanted.iter().map(|wanted| (&*wanted.subscriber, 0)).collect();
    for (.., at) in turns {
        shares[at].1 += 1;
    }
    shares.retain(|(_, at_most)| *at_most > 0);
    Ok(shares)
}

fn when(
    connection: &Connection,
    claim: &ClaimDeliveries,
    wanted: &Wanted,
) -> Result<Vec<(i64, i64)>, Failed> {
    let mut statement = connection.prepare_cached(WHEN)?;
    let params = named_params! {
        ":subscriber": wanted.subscriber,
        ":now_ms": claim.now_ms,
        ":at_most": wanted.at_most.min(claim.at_most),
    };
    let rows = statement.query_map(params, |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn due(
    connection: &Connection,
    claim: &ClaimDeliveries,
    subscriber: &str,
    at_most: u32,
    found: &mut Vec<ClaimedDelivery>,
) -> Result<(), Failed> {
    let mut statement = connection.prepare_cached(DUE)?;
    let params = named_params! { ":subscriber": subscriber, ":now_ms": claim.now_ms, ":at_most": at_most };
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        found.push(delivery(row, subscriber, claim.token)?);
    }
    Ok(())
}

fn delivery(row: &Row<'_>, subscriber: &str, token: i64) -> rusqlite::Result<ClaimedDelivery> {
    Ok(ClaimedDelivery {
        id: row.get(0)?,
        token,
        subscriber: subscriber.to_owned(),
        attempts: row.get::<_, u32>(1)?.saturating_add(1),
        due_ms: row.get(2)?,
        give_up_ms: row.get(3)?,
        event_id: row.get(4)?,
        event: row.get(5)?,
        source: row.get(6)?,
        occurred_at_ms: row.get(7)?,
        created_at_ms: row.get(8)?,
        payload: row.get(9)?,
        trace: row.get(10)?,
    })
}

fn take(connection: &Connection, claim: &ClaimDeliveries, found: &[ClaimedDelivery]) -> Result<(), Failed> {
    let ids: Vec<i64> = found.iter().map(|delivery| delivery.id).collect();
    connection.prepare_cached(TAKE)?.execute(named_params! {
        ":token": claim.token,
        ":instance": claim.instance,
        ":until_ms": claim.until_ms,
        ":ids": super::json(&ids),
    })?;
    Ok(())
}
