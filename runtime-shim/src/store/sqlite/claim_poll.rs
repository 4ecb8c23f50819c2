//! Takes a poll that is due, or has never run, and moves it on: one statement, so of several instances one gets it.

use rusqlite::{Connection, OptionalExtension, named_params};

use super::failed::Failed;
use crate::store::{ClaimPoll, PollClaim};

const SQL: &str = "
INSERT INTO jadpo_polls (name, next_due_ms, every_ms, claim_no)
VALUES (:name, :tick_ms + :every_ms, :every_ms, 1)
ON CONFLICT (name) DO UPDATE SET
    next_due_ms = :tick_ms + :every_ms,
    every_ms    = :every_ms,
    claim_no    = claim_no + 1,
    digest      = CASE WHEN next_due_ms < :tick_ms - :keep_ms THEN NULL ELSE digest END
WHERE next_due_ms <= :tick_ms
   OR (next_due_ms - :tick_ms > :every_ms AND every_ms IS NOT :every_ms)
RETURNING claim_no, digest, last_error";

pub fn run(connection: &Connection, claim: &ClaimPoll) -> Result<Option<PollClaim>, Failed> {
    let params = named_params! {
        ":name": claim.name,
        ":tick_ms": claim.tick_ms,
        ":every_ms": claim.every_ms,
        ":keep_ms": claim.keep_ms,
    };
    let claimed = connection
        .prepare_cached(SQL)?
        .query_row(params, |row| {
            Ok(PollClaim { claim_no: row.get(0)?, digest: row.get(1)?, last_error: row.get(2)? })
        })
        .optional()?;
    Ok(claimed)
}
