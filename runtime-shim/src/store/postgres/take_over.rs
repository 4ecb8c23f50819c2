//! Frees what a process that died, or was too slow, held; one with no attempt left has killed its last process.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::walk;
use crate::limits;
use crate::store::{EndedDelivery, TakeOver};

pub const SQL: &str = "
WITH lost AS (
    SELECT held.id, held.attempts >= rule.attempts AS over
    FROM jadpo_deliveries AS held
    LEFT JOIN jadpo_instances AS heard ON heard.id = held.instance
    LEFT JOIN unnest($1::text[], $2::int[]) AS rule (subscriber, attempts) ON rule.subscriber = held.subscriber
    WHERE held.state = 'claimed'
      AND held.id <> ALL ($3::bigint[])
      AND (held.claimed_until_ms <= $4
           OR (held.instance <> $5 AND coalesce(heard.heard_at_ms, 0) + $6::bigint <= $4))
    ORDER BY held.claimed_until_ms LIMIT $7 FOR UPDATE OF held SKIP LOCKED)
UPDATE jadpo_deliveries AS ended SET
    state = CASE WHEN lost.over THEN 'failed' ELSE 'pending' END,
    finished_at_ms = CASE WHEN lost.over THEN $4 END,
    last_error = $8,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
FROM lost WHERE ended.id = lost.id AND ended.id = ANY (ARRAY(SELECT id FROM lost))
RETURNING ended.id, ended.subscriber, ended.state = 'failed'";

/// What a delivery says whose process ended under it.
const ERROR: &str = "its process ended";

pub async fn run(client: &Client, over: &TakeOver) -> Result<Vec<EndedDelivery>, Failed> {
    let subscribers: Vec<&str> = over.attempts.iter().map(|(subscriber, _)| &**subscriber).collect();
    let attempts: Vec<i32> =
        over.attempts.iter().map(|(_, attempts)| i32::try_from(*attempts).unwrap_or(i32::MAX)).collect();
    let at_most = i64::from(limits::ENDED_AT_ONCE_MAX);
    let rows = walk::query(
        client,
        SQL,
        &[
            &subscribers,
            &attempts,
            &over.running,
            &over.now_ms,
            &over.instance,
            &over.silent_ms,
            &at_most,
            &ERROR,
        ],
    )
    .await?;
    let ended = |row: &tokio_postgres::Row| EndedDelivery {
        id: row.get(0),
        subscriber: row.get(1),
        failed: row.get(2),
        error: ERROR.to_owned(),
    };
    let mut ended: Vec<EndedDelivery> = rows.iter().map(ended).collect();
    ended.sort_by_key(|ended| ended.id);
    Ok(ended)
}
