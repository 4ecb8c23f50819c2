//! What is shown of a store: polls, deliveries by state, failed ones, and the app's own queries.

use std::sync::Arc;

use rusqlite::{Connection, params_from_iter};

use super::failed::{Failed, is_trouble};
use super::values;
use crate::sql::{Row, SqlValue};
use crate::store::{DeliveryCounts, FailedDelivery, PollRow, PollState};

pub fn poll_rows(connection: &Connection) -> Result<Vec<PollRow>, Failed> {
    let mut statement = connection.prepare_cached("SELECT name, next_due_ms, every_ms FROM jadpo_polls")?;
    let rows = statement.query_map([], |row| {
        Ok(PollRow { name: row.get(0)?, next_due_ms: row.get(1)?, every_ms: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub fn poll_states(connection: &Connection) -> Result<Vec<PollState>, Failed> {
    let mut statement = connection.prepare_cached(
        "SELECT name, next_due_ms, changed_at_ms, last_error, failed_at_ms FROM jadpo_polls ORDER BY name",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(PollState {
            name: row.get(0)?,
            next_due_ms: row.get(1)?,
            changed_at_ms: row.get(2)?,
            last_error: row.get(3)?,
            failed_at_ms: row.get(4)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub fn delivery_counts(connection: &Connection) -> Result<DeliveryCounts, Failed> {
    let mut statement =
        connection.prepare_cached("SELECT state, count(*) FROM jadpo_deliveries GROUP BY state")?;
    let mut rows = statement.query([])?;
    let mut counts = DeliveryCounts::default();
    while let Some(row) = rows.next()? {
        let count = u64::try_from(row.get::<_, i64>(1)?).unwrap_or(0);
        match row.get_ref(0)?.as_str().unwrap_or_default() {
            "pending" => counts.pending = count,
            "claimed" => counts.claimed = count,
            "done" => counts.done = count,
            "failed" => counts.failed = count,
            _ => counts.discarded = count,
        }
    }
    Ok(counts)
}

pub fn failed_deliveries(connection: &Connection, limit: u32) -> Result<Vec<FailedDelivery>, Failed> {
    let mut statement = connection.prepare_cached(
        "SELECT delivery.id, event.name, delivery.subscriber, delivery.attempts,
                coalesce(delivery.last_error, ''), delivery.finished_at_ms
         FROM jadpo_deliveries AS delivery JOIN jadpo_events AS event ON event.id = delivery.event_id
         WHERE delivery.state = 'failed' ORDER BY delivery.finished_at_ms DESC LIMIT ?1",
    )?;
    let rows = statement.query_map([limit], |row| {
        Ok(FailedDelivery {
            id: row.get(0)?,
            event: row.get(1)?,
            subscriber: row.get(2)?,
            attempts: row.get(3)?,
            error: row.get(4)?,
            finished_at_ms: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The app's own query: what the engine says of a wrong one is the app's to hear, the store's trouble is the store's.
pub fn query(
    connection: &Connection,
    sql: &str,
    params: &[SqlValue],
) -> Result<Result<Vec<Row>, String>, Failed> {
    match rows(connection, sql, params) {
        Ok(rows) => Ok(Ok(rows)),
        Err(error) if is_trouble(&error) && !is_written(&error) => Err(Failed::Engine(error)),
        Err(error) => Ok(Err(error.to_string())),
    }
}

/// A reading connection calls every write a read-only database, which is no trouble of the store's.
fn is_written(error: &rusqlite::Error) -> bool {
    error.sqlite_error_code() == Some(rusqlite::ErrorCode::ReadOnly)
}

fn rows(connection: &Connection, sql: &str, params: &[SqlValue]) -> rusqlite::Result<Vec<Row>> {
    let mut statement = connection.prepare_cached(sql)?;
    let names: Arc<[String]> = statement.column_names().map(str::to_owned).collect();
    let mut rows = statement.query(params_from_iter(params))?;
    let mut read = Vec::new();
    while let Some(row) = rows.next()? {
        let columns = (0..names.len()).map(|index| row.get_ref(index).map(values::value));
        read.push(Row::new(names.clone(), columns.collect::<rusqlite::Result<_>>()?));
    }
    Ok(read)
}
