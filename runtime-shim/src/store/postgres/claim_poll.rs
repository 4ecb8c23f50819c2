//! Takes a poll that is due, or has never run, and moves it on: one statement, so of several instances one gets it.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::query_opt;
use crate::store::{ClaimPoll, PollClaim};

const SQL: &str = "
INSERT INTO jadpo_polls AS poll (name, next_due_ms, every_ms, claim_no)
VALUES ($1, $2::bigint + $3::bigint, $3::bigint, 1)
ON CONFLICT (name) DO UPDATE SET
    next_due_ms = $2::bigint + $3::bigint,
    every_ms    = $3::bigint,
    claim_no    = poll.claim_no + 1,
    digest      = CASE WHEN poll.next_due_ms < $2::bigint - $4::bigint THEN NULL ELSE poll.digest END
WHERE poll.next_due_ms <= $2::bigint
   OR (poll.next_due_ms - $2::bigint > $3::bigint AND poll.every_ms IS DISTINCT FROM $3::bigint)
RETURNING claim_no, digest, last_error";

pub async fn run(client: &Client, claim: &ClaimPoll) -> Result<Option<PollClaim>, Failed> {
    let params = [&claim.name as _, &claim.tick_ms as _, &claim.every_ms as _, &claim.keep_ms as _];
    let claimed = query_opt(client, SQL, &params).await?;
    Ok(claimed.map(|row| PollClaim { claim_no: row.get(0), digest: row.get(1), last_error: row.get(2) }))
}
