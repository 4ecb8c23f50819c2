//! Takes the batch run that has been due longest: one statement, so of several instances one gets it.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::hear;
use super::statement::{count, small};
use super::walk;
use crate::store::{ClaimRun, ClaimedRun};

/// Each batch's earliest is the first entry of its part of the index; claims are few. A lost claim counts as due when it
/// was, and what another instance is taking just now is passed over.
pub const SQL: &str = "
WITH free AS (
    SELECT due.id, due.due_ms
    FROM unnest($1::text[]) AS asked (batch)
    CROSS JOIN LATERAL (
        SELECT id, due_ms FROM jadpo_batch_runs
        WHERE state = 'pending' AND batch = asked.batch AND due_ms <= $2
        ORDER BY due_ms LIMIT 1 FOR UPDATE SKIP LOCKED) AS due),
lost AS (
    SELECT held.id, held.due_ms
    FROM jadpo_batch_runs AS held LEFT JOIN jadpo_instances AS heard ON heard.id = held.instance
    WHERE held.state = 'claimed' AND held.batch = ANY ($1::text[]) AND held.id <> ALL ($3::bigint[])
      AND (held.claimed_until_ms <= $2
           OR (held.instance <> $4 AND coalesce(heard.heard_at_ms, 0) + $5::bigint <= $2))
    ORDER BY held.due_ms LIMIT 1 FOR UPDATE OF held SKIP LOCKED),
chosen AS (
    SELECT id FROM (SELECT id, due_ms FROM free UNION ALL SELECT id, due_ms FROM lost) AS both_kinds
    ORDER BY due_ms, id LIMIT 1)
UPDATE jadpo_batch_runs AS taken SET
    state = 'claimed', attempts = taken.attempts + 1, claim_token = $6, instance = $4, claimed_until_ms = $7
FROM chosen WHERE taken.id = chosen.id AND taken.id = ANY (ARRAY(SELECT id FROM chosen))
RETURNING taken.id, taken.batch, taken.input, taken.cursor, taken.steps, taken.attempts, taken.trace";

pub async fn run(client: &Client, claim: &ClaimRun) -> Result<Option<ClaimedRun>, Failed> {
    let ClaimRun { now_ms, token, instance, until_ms, silent_ms, batches, running } = claim;
    let params =
        [batches as _, now_ms as _, running as _, instance as _, silent_ms as _, token as _, until_ms as _];
    let Some(row) = walk::query_opt(client, SQL, &params).await? else { return Ok(None) };
    hear::run(client, *instance, *now_ms).await?;
    Ok(Some(ClaimedRun {
        id: row.get(0),
        token: *token,
        batch: row.get(1),
        input: row.get(2),
        cursor: row.get(3),
        steps: count(row.get(4)),
        attempts: small(row.get(5)),
        trace: row.get(6),
    }))
}
