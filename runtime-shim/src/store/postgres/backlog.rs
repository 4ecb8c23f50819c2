//! The deliveries that are not over, by event, connection and subscriber: each state through its own index.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::{count, query};
use crate::store::Backlog;

const SQL: &str = "
WITH standing (event_id, subscriber, state, due_ms) AS (
    SELECT event_id, subscriber, state, due_ms FROM jadpo_deliveries WHERE state = 'pending'
    UNION ALL SELECT event_id, subscriber, state, due_ms FROM jadpo_deliveries WHERE state = 'claimed'
    UNION ALL SELECT event_id, subscriber, state, due_ms FROM jadpo_deliveries WHERE state = 'failed')
SELECT event.name, event.source, standing.subscriber,
    count(*) FILTER (WHERE state = 'pending'), count(*) FILTER (WHERE state = 'claimed'),
    count(*) FILTER (WHERE state = 'failed'),
    $1::bigint - min(due_ms) FILTER (WHERE state = 'pending' AND due_ms <= $1)
FROM standing JOIN jadpo_events AS event ON event.id = standing.event_id GROUP BY 1, 2, 3";

pub async fn run(client: &Client, now_ms: i64) -> Result<Vec<Backlog>, Failed> {
    let rows = query(client, SQL, &[&now_ms]).await?;
    let read = |row: &tokio_postgres::Row| Backlog {
        event: row.get(0),
        connection: row.get(1),
        subscriber: row.get(2),
        pending: count(row.get(3)),
        claimed: count(row.get(4)),
        failed: count(row.get(5)),
        lag_ms: row.get(6),
    };
    Ok(rows.iter().map(read).collect())
}
