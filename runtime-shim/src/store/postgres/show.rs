//! What is shown of a store: polls, deliveries by state, and failed ones.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::{count, query, query_one, small};
use crate::store::{DeliveryCounts, FailedDelivery, PollRow, PollState};

const POLL_ROWS: &str = "SELECT name, next_due_ms, every_ms FROM jadpo_polls";

const POLL_STATES: &str = "
SELECT name, next_due_ms, changed_at_ms, last_error, failed_at_ms FROM jadpo_polls ORDER BY name COLLATE \"C\"";

const COUNTS: &str = "SELECT state, count(*) FROM jadpo_deliveries GROUP BY state";

const FAILED: &str = "
SELECT delivery.id, event.name, delivery.subscriber, delivery.attempts, coalesce(delivery.last_error, ''),
       delivery.finished_at_ms
FROM jadpo_deliveries AS delivery JOIN jadpo_events AS event ON event.id = delivery.event_id
WHERE delivery.state = 'failed' ORDER BY delivery.finished_at_ms DESC LIMIT $1";

const CLOCK: &str = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint";

pub async fn poll_rows(client: &Client) -> Result<Vec<PollRow>, Failed> {
    let rows = query(client, POLL_ROWS, &[]).await?;
    let read = |row: &tokio_postgres::Row| PollRow {
        name: row.get(0),
        next_due_ms: row.get(1),
        every_ms: row.get(2),
    };
    Ok(rows.iter().map(read).collect())
}

pub async fn poll_states(client: &Client) -> Result<Vec<PollState>, Failed> {
    let rows = query(client, POLL_STATES, &[]).await?;
    let read = |row: &tokio_postgres::Row| PollState {
        name: row.get(0),
        next_due_ms: row.get(1),
        changed_at_ms: row.get(2),
        last_error: row.get(3),
        failed_at_ms: row.get(4),
    };
    Ok(rows.iter().map(read).collect())
}

pub async fn delivery_counts(client: &Client) -> Result<DeliveryCounts, Failed> {
    let mut counts = DeliveryCounts::default();
    for row in query(client, COUNTS, &[]).await? {
        let of_state = match row.get::<_, &str>(0) {
            "pending" => &mut counts.pending,
            "claimed" => &mut counts.claimed,
            "done" => &mut counts.done,
            "failed" => &mut counts.failed,
            _ => &mut counts.discarded,
        };
        *of_state = count(row.get(1));
    }
    Ok(counts)
}

pub async fn failed_deliveries(client: &Client, limit: u32) -> Result<Vec<FailedDelivery>, Failed> {
    let rows = query(client, FAILED, &[&i64::from(limit)]).await?;
    let read = |row: &tokio_postgres::Row| FailedDelivery {
        id: row.get(0),
        event: row.get(1),
        subscriber: row.get(2),
        attempts: small(row.get(3)),
        error: row.get(4),
        finished_at_ms: row.get(5),
    };
    Ok(rows.iter().map(read).collect())
}

/// The database's time, in milliseconds since the epoch.
pub async fn clock(client: &Client) -> Result<i64, Failed> {
    Ok(query_one(client, CLOCK, &[]).await?.get(0))
}
