//! Takes a schedule's run: one statement, so of several instances one gets it.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::hear;
use super::statement::query_opt;
use crate::store::{ClaimSchedule, ScheduleClaim};

/// One that was never seen, or stood under another spec, is only written down. A claim that was lost is taken whenever it
/// is next due, since its run is still owed.
const SQL: &str = "
INSERT INTO jadpo_schedules AS known (name, next_due_ms, spec) VALUES ($1, $2, $3)
ON CONFLICT (name) DO UPDATE SET
    next_due_ms = $2, spec = $3,
    claim_token      = CASE WHEN known.claim_token IS NOT NULL OR known.spec = $3 THEN $4::bigint END,
    instance         = CASE WHEN known.claim_token IS NOT NULL OR known.spec = $3 THEN $5::bigint END,
    claimed_until_ms = CASE WHEN known.claim_token IS NOT NULL OR known.spec = $3 THEN $6::bigint END,
    lost_before      = known.claim_token IS NOT NULL
WHERE CASE
    WHEN known.claim_token IS NULL THEN known.next_due_ms <= $7 OR known.spec <> $3
    ELSE known.claimed_until_ms <= $8
      OR (known.instance <> $5
          AND coalesce((SELECT heard_at_ms FROM jadpo_instances AS heard WHERE heard.id = known.instance), 0)
              + $9::bigint <= $8)
    END
RETURNING claim_token IS NOT DISTINCT FROM $4::bigint, lost_before";

pub async fn run(client: &Client, claim: &ClaimSchedule) -> Result<Option<ScheduleClaim>, Failed> {
    let taken = query_opt(
        client,
        SQL,
        &[
            &claim.name,
            &claim.next_due_ms,
            &claim.spec,
            &claim.token,
            &claim.instance,
            &claim.until_ms,
            &claim.tick_ms,
            &claim.now_ms,
            &claim.silent_ms,
        ],
    )
    .await?;
    let Some(row) = taken.filter(|row| row.get(0)) else { return Ok(None) };
    hear::run(client, claim.instance, claim.now_ms).await?;
    Ok(Some(ScheduleClaim { token: claim.token, lost_before: row.get(1) }))
}
