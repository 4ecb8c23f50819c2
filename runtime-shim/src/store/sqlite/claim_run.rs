//! Takes the batch run that has been due longest: one statement, so of several instances one gets it.

use rusqlite::{Connection, OptionalExtension, named_params};

use super::failed::Failed;
use super::hear;
use crate::store::{ClaimRun, ClaimedRun};

/// Each batch's earliest is the first entry of its part of the index; claims are few.
pub const SQL: &str = "
UPDATE jadpo_batch_runs SET
    state = 'claimed', attempts = attempts + 1,
    claim_token = :token, instance = :instance, claimed_until_ms = :until_ms
WHERE id = (
    SELECT id FROM (
        SELECT due.id AS id, due.due_ms AS due_ms
        FROM json_each(:batches) AS asked CROSS JOIN jadpo_batch_runs AS due
        WHERE due.id = (
            SELECT first.id FROM jadpo_batch_runs AS first
            WHERE first.state = 'pending' AND first.batch = asked.value AND first.due_ms <= :now_ms
            ORDER BY first.due_ms LIMIT 1)
        UNION ALL
        SELECT held.id, held.due_ms
        FROM jadpo_batch_runs AS held LEFT JOIN jadpo_instances AS heard ON heard.id = held.instance
        WHERE held.state = 'claimed'
          AND held.batch IN (SELECT value FROM json_each(:batches))
          AND held.id NOT IN (SELECT value FROM json_each(:running))
          AND (held.claimed_until_ms <= :now_ms
               OR (held.instance <> :instance AND coalesce(heard.heard_at_ms, 0) + :silent_ms <= :now_ms)))
    ORDER BY due_ms, id LIMIT 1)
RETURNING id, batch, input, cursor, steps, attempts, trace";

pub fn run(connection: &Connection, claim: &ClaimRun) -> Result<Option<ClaimedRun>, Failed> {
    let params = named_params! {
        ":now_ms": claim.now_ms,
        ":token": claim.token,
        ":instance": claim.instance,
        ":until_ms": claim.until_ms,
        ":silent_ms": claim.silent_ms,
        ":batches": super::json(&claim.batches),
        ":running": super::json(&claim.running),
    };
    let claimed = connection
        .prepare_cached(SQL)?
        .query_row(params, |row| {
            Ok(ClaimedRun {
                id: row.get(0)?,
                token: claim.token,
                batch: row.get(1)?,
                input: row.get(2)?,
                cursor: row.get(3)?,
                steps: row.get::<_, i64>(4)?.unsigned_abs(),
                attempts: row.get(5)?,
                trace: row.get(6)?,
            })
        })
        .optional()?;
    if claimed.is_some() {
        hear::run(connection, claim.instance, claim.now_ms)?;
    }
    Ok(claimed)
}
