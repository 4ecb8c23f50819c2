//! How long the oldest work that is due has waited: a look-up for each subscriber and batch, however much waits.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::Lag;

/// Steps from one subscriber, and one batch, to the next in the index.
pub const SQL: &str = "
WITH RECURSIVE
    subscribers (name) AS (
        SELECT min(subscriber) FROM jadpo_deliveries WHERE state = 'pending'
        UNION ALL
        SELECT (SELECT min(subscriber) FROM jadpo_deliveries WHERE state = 'pending' AND subscriber > name)
        FROM subscribers WHERE name IS NOT NULL),
    batches (name) AS (
        SELECT min(batch) FROM jadpo_batch_runs WHERE state = 'pending'
        UNION ALL
        SELECT (SELECT min(batch) FROM jadpo_batch_runs WHERE state = 'pending' AND batch > name)
        FROM batches WHERE name IS NOT NULL)
SELECT
    :now_ms - (SELECT min((
        SELECT min(due_ms) FROM jadpo_deliveries WHERE state = 'pending' AND subscriber = name AND due_ms <= :now_ms))
        FROM subscribers),
    :now_ms - (SELECT min((
        SELECT min(due_ms) FROM jadpo_batch_runs WHERE state = 'pending' AND batch = name AND due_ms <= :now_ms))
        FROM batches)";

pub fn run(connection: &Connection, now_ms: i64) -> Result<Lag, Failed> {
    let lag = connection.prepare_cached(SQL)?.query_row(named_params! { ":now_ms": now_ms }, |row| {
        Ok(Lag { deliveries_ms: row.get(0)?, runs_ms: row.get(1)? })
    })?;
    Ok(lag)
}
