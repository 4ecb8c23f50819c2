//! Keeps a changed answer in one statement: the digest under its claim, then the event with its deliveries, all or nothing.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::{count, query_one};
use crate::store::KeepPoll;

const SQL: &str = "
WITH ours AS (
    UPDATE jadpo_polls
    SET digest = $4, changed_at_ms = $5, last_error = NULL, failed_at_ms = NULL
    WHERE name = $1 AND claim_no = $2 AND digest IS NOT DISTINCT FROM $3
    RETURNING 1),
kept AS (
    INSERT INTO jadpo_events (name, source, external_id, occurred_at_ms, payload, trace, created_at_ms)
    SELECT $6, $7, $8, $9, $10, $11, $12 FROM ours
    RETURNING id, created_at_ms),
set_off AS (
    INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
    SELECT kept.id, new.subscriber, 'pending', 0, kept.created_at_ms, new.give_up_ms
    FROM kept CROSS JOIN unnest($13::text[], $14::bigint[]) AS new (subscriber, give_up_ms))
SELECT count(*) FROM ours";

pub async fn run(client: &Client, keep: &KeepPoll) -> Result<bool, Failed> {
    let event = &keep.event;
    let subscribers: Vec<&str> = event.deliveries.iter().map(|new| &*new.subscriber).collect();
    let give_ups: Vec<i64> = event.deliveries.iter().map(|new| new.give_up_ms).collect();
    let row = query_one(
        client,
        SQL,
        &[
            &keep.name,
            &keep.claim_no,
            &keep.digest_was,
            &keep.digest,
            &keep.changed_at_ms,
            &event.name,
            &event.source,
            &event.external_id,
            &event.occurred_at_ms,
            &event.payload,
            &event.trace,
            &event.created_at_ms,
            &subscribers,
            &give_ups,
        ],
    )
    .await?;
    Ok(count(row.get(0)) == 1)
}
