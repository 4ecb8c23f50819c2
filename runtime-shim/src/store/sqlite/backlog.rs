//! The deliveries that are not over, by event, connection and subscriber: each state through its own index.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::Backlog;

pub const SQL: &str = "
WITH standing (event_id, subscriber, state, due_ms) AS (
    SELECT event_id, subscriber, state, due_ms FROM jadpo_deliveries WHERE state = 'pending'
    UNION ALL SELECT event_id, subscriber, state, due_ms FROM jadpo_deliveries WHERE state = 'claimed'
    UNION ALL SELECT event_id, subscriber, state, due_ms FROM jadpo_deliveries WHERE state = 'failed')
SELECT event.name, event.source, standing.subscriber,
    count(*) FILTER (WHERE state = 'pending'), count(*) FILTER (WHERE state = 'claimed'),
    count(*) FILTER (WHERE state = 'failed'),
    :now_ms - min(due_ms) FILTER (WHERE state = 'pending' AND due_ms <= :now_ms)
FROM standing JOIN jadpo_events AS event ON event.id = standing.event_id GROUP BY 1, 2, 3";

pub fn run(connection: &Connection, now_ms: i64) -> Result<Vec<Backlog>, Failed> {
    let mut statement = connection.prepare_cached(SQL)?;
    let rows = statement.query_map(named_params! { ":now_ms": now_ms }, |row| {
        let count = |at| row.get::<_, i64>(at).map(|count| u64::try_from(count).unwrap_or(0));
        Ok(Backlog {
            event: row.get(0)?,
            connection: row.get(1)?,
            subscriber: row.get(2)?,
            pending: count(3)?,
            claimed: count(4)?,
            failed: count(5)?,
            lag_ms: row.get(6)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
