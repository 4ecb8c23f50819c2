//! Takes due deliveries in one statement: token, lease and attempt in the same breath.

use std::collections::BTreeSet;

use deadpool_postgres::Client;
use futures_util::future::join5;
use tokio_postgres::{Row, Statement};

use super::failed::Failed;
use super::group::ALL_DONE;
use super::hear;
use super::statement::{Given, small};
use super::walk;
use crate::store::{ClaimDeliveries, Claimed, ClaimedDelivery, Held};

/// Walks each subscriber's own part of the index and no further than there are free workers, so one with a long backlog
/// costs no more than another. Workers go to subscribers in turn, those that run fewest first, so that a backlog, however
/// old, starves nobody. What another instance is claiming just now is passed over, never waited for. The events are looked up
/// one by one, and the deliveries by their numbers: how many there will be is nothing that the planner can know.
pub const SQL: &str = "
WITH due AS (
    SELECT id, event_id FROM (
        SELECT first.id, first.event_id, first.due_ms, share.at_most, share.running,
               row_number() OVER (PARTITION BY share.place ORDER BY first.due_ms, first.id) AS place
        FROM unnest($1::text[], $2::int[], $3::int[]) WITH ORDINALITY AS share (subscriber, at_most, running, place)
        CROSS JOIN LATERAL (
            SELECT id, event_id, due_ms FROM jadpo_deliveries
            WHERE state = 'pending' AND subscriber = share.subscriber AND due_ms <= $4 AND give_up_ms > $4
            ORDER BY due_ms LIMIT least(share.at_most, $5::int) FOR UPDATE SKIP LOCKED) AS first) AS offered
    ORDER BY running + place, due_ms, id LIMIT $5::int),
chosen AS (
    SELECT due.id, event.name, event.source, event.occurred_at_ms, event.created_at_ms, event.payload, event.trace
    FROM due CROSS JOIN LATERAL (SELECT * FROM jadpo_events WHERE id = due.event_id LIMIT 1) AS event)
UPDATE jadpo_deliveries AS taken SET
    state = 'claimed', attempts = taken.attempts + 1, claim_token = $6, instance = $7, claimed_until_ms = $8
FROM chosen
WHERE taken.id = chosen.id AND taken.id = ANY (ARRAY(SELECT id FROM due))
RETURNING taken.id, taken.subscriber, taken.attempts, taken.due_ms, taken.give_up_ms, taken.event_id,
    chosen.name, chosen.source, chosen.occurred_at_ms, chosen.created_at_ms, chosen.payload, chosen.trace";

/// A claim alone waits for no disk. Should the server lose it, the delivery is pending as it was before: it runs again, and
/// what runs under the lost claim keeps nothing, since the fence no longer finds its token.
pub const BEGIN_UNSYNCED: &str = walk::begin!("SET LOCAL synchronous_commit = off");

pub async fn run(client: &Client, claim: &ClaimDeliveries) -> Result<Claimed, Failed> {
    let int = |number: u32| i32::try_from(number).unwrap_or(i32::MAX);
    let subscribers: Vec<&str> = claim.wanted.iter().map(|wanted| &*wanted.subscriber).collect();
    let at_most: Vec<i32> = claim.wanted.iter().map(|wanted| int(wanted.at_most)).collect();
    let running: Vec<i32> = claim.wanted.iter().map(|wanted| int(wanted.running)).collect();
    let all = int(claim.at_most);
    let params: [Given<'_>; 8] = [
        &subscribers,
        &at_most,
        &running,
        &claim.now_ms,
        &all,
        &claim.token,
        &claim.instance,
        &claim.until_ms,
    ];
    let (done, claimed) = in_one_transaction(client, claim, &params).await?;
    let done: BTreeSet<Held> = done.iter().map(|row| Held { id: row.get(0), token: row.get(1) }).collect();
    let fenced = claim.done.iter().copied().filter(|held| !done.contains(held));
    let mut deliveries: Vec<ClaimedDelivery> = claimed.iter().map(|row| read(row, claim.token)).collect();
    // RETURNING promises no order; the longest due starts first.
    deliveries.sort_by_key(|delivery| (delivery.due_ms, delivery.id));
    Ok(Claimed { deliveries, fenced: fenced.collect() })
}

/// Says that the instance lives, settles what is done and then claims, in one transaction and one round trip: where one
/// statement fails, the commit behind it keeps nothing.
async fn in_one_transaction(
    client: &Client,
    claim: &ClaimDeliveries,
    params: &[Given<'_>],
) -> Result<(Vec<Row>, Vec<Row>), Failed> {
    let ids: Vec<i64> = claim.done.iter().map(|held| held.id).collect();
    let tokens: Vec<i64> = claim.done.iter().map(|held| held.token).collect();
    let nows = vec![claim.now_ms; ids.len()];
    let hearing: [Given<'_>; 2] = [&claim.instance, &claim.now_ms];
    let settling: [Given<'_>; 3] = [&ids, &tokens, &nows];
    let steps = [
        claim.hear.then_some((hear::HEAR, &hearing[..])),
        (!ids.is_empty()).then_some((ALL_DONE, &settling[..])),
        (!claim.wanted.is_empty()).then_some((SQL, params)),
    ];
    let [hear, settle, take] = steps;
    let [hear, settle, take] =
        [prepared(client, hear).await?, prepared(client, settle).await?, prepared(client, take).await?];
    let begin = if ids.is_empty() { BEGIN_UNSYNCED } else { walk::BEGIN };
    let (begun, heard, done, claimed, committed) = join5(
        client.batch_execute(begin),
        rows(client, hear),
        rows(client, settle),
        rows(client, take),
        client.batch_execute("COMMIT"),
    )
    .await;
    begun?;
    heard?;
    let both = (done?, claimed?);
    committed?;
    Ok(both)
}

/// A statement with its parameters.
type Step<'a> = Option<(Statement, &'a [Given<'a>])>;

async fn prepared<'a>(
    client: &Client,
    step: Option<(&str, &'a [Given<'a>])>,
) -> Result<Step<'a>, tokio_postgres::Error> {
    let Some((sql, params)) = step else { return Ok(None) };
    Ok(Some((client.prepare_cached(sql).await?, params)))
}

/// What it gives; one that is left out gives nothing.
async fn rows(client: &Client, step: Step<'_>) -> Result<Vec<Row>, tokio_postgres::Error> {
    let Some((statement, params)) = step else { return Ok(Vec::new()) };
    client.query(&statement, params).await
}

fn read(row: &Row, token: i64) -> ClaimedDelivery {
    ClaimedDelivery {
        id: row.get(0),
        token,
        subscriber: row.get(1),
        attempts: small(row.get(2)),
        due_ms: row.get(3),
        give_up_ms: row.get(4),
        event_id: row.get(5),
        event: row.get(6),
        source: row.get(7),
        occurred_at_ms: row.get(8),
        created_at_ms: row.get(9),
        payload: row.get(10),
        trace: row.get(11),
    }
}
