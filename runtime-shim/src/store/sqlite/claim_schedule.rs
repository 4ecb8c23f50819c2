//! Takes a schedule's run: one statement, so of several instances one gets it.

use rusqlite::{Connection, OptionalExtension, named_params};

use super::failed::Failed;
use super::hear;
use crate::store::{ClaimSchedule, ScheduleClaim};

/// One that was never seen, or stood under another spec, is only written down. A claim that was lost is taken whenever it
/// is next due, since its run is still owed.
pub const SQL: &str = "
INSERT INTO jadpo_schedules (name, next_due_ms, spec) VALUES (:name, :next_due_ms, :spec)
ON CONFLICT (name) DO UPDATE SET
    next_due_ms = :next_due_ms, spec = :spec,
    claim_token      = iif(claim_token IS NULL AND spec <> :spec, NULL, :token),
    instance         = iif(claim_token IS NULL AND spec <> :spec, NULL, :instance),
    claimed_until_ms = iif(claim_token IS NULL AND spec <> :spec, NULL, :until_ms),
    lost_before      = claim_token IS NOT NULL
WHERE CASE
    WHEN claim_token IS NULL THEN next_due_ms <= :tick_ms OR spec <> :spec
    ELSE claimed_until_ms <= :now_ms
      OR (instance <> :instance
          AND coalesce((SELECT heard_at_ms FROM jadpo_instances AS heard WHERE heard.id = jadpo_schedules.instance), 0)
              + :silent_ms <= :now_ms)
    END
RETURNING claim_token IS :token, lost_before";

pub fn run(connection: &Connection, claim: &ClaimSchedule) -> Result<Option<ScheduleClaim>, Failed> {
    let taken = connection
        .prepare_cached(SQL)?
        .query_row(
            named_params! {
                ":name": claim.name,
                ":tick_ms": claim.tick_ms,
                ":now_ms": claim.now_ms,
                ":next_due_ms": claim.next_due_ms,
                ":spec": claim.spec,
                ":token": claim.token,
                ":instance": claim.instance,
                ":until_ms": claim.until_ms,
                ":silent_ms": claim.silent_ms,
            },
            |row| Ok((row.get::<_, bool>(0)?, row.get::<_, bool>(1)?)),
        )
        .optional()?;
    let Some((true, lost_before)) = taken else { return Ok(None) };
    hear::run(connection, claim.instance, claim.now_ms)?;
    Ok(Some(ScheduleClaim { token: claim.token, lost_before }))
}
