//! What is shown of schedules and batch runs.

use rusqlite::Connection;

use super::failed::Failed;
use crate::store::{FailedRun, RunCounts, ScheduleRow, ScheduleState};

pub fn schedule_rows(connection: &Connection) -> Result<Vec<ScheduleRow>, Failed> {
    let mut statement =
        connection.prepare_cached("SELECT name, next_due_ms, spec, claimed_until_ms FROM jadpo_schedules")?;
    let rows = statement.query_map([], |row| {
        Ok(ScheduleRow {
            name: row.get(0)?,
            next_due_ms: row.get(1)?,
            spec: row.get(2)?,
            claimed_until_ms: row.get(3)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub fn schedule_states(connection: &Connection) -> Result<Vec<ScheduleState>, Failed> {
    let mut statement = connection.prepare_cached(
        "SELECT name, next_due_ms, claim_token IS NOT NULL, last_run_ms, last_error, failed_at_ms
         FROM jadpo_schedules ORDER BY name",
    )?;
    let rows = statement.query_map([], |row| {
        Ok(ScheduleState {
            name: row.get(0)?,
            next_due_ms: row.get(1)?,
            running: row.get(2)?,
            last_run_ms: row.get(3)?,
            last_error: row.get(4)?,
            failed_at_ms: row.get(5)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub fn run_counts(connection: &Connection) -> Result<RunCounts, Failed> {
    let mut statement =
        connection.prepare_cached("SELECT state, count(*) FROM jadpo_batch_runs GROUP BY state")?;
    let mut rows = statement.query([])?;
    let mut counts = RunCounts::default();
    while let Some(row) = rows.next()? {
        let count = row.get::<_, i64>(1)?.unsigned_abs();
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

pub fn failed_runs(connection: &Connection, limit: u32) -> Result<Vec<FailedRun>, Failed> {
    let mut statement = connection.prepare_cached(
        "SELECT id, batch, cursor, steps, attempts, skipped, coalesce(last_error, ''), finished_at_ms
         FROM jadpo_batch_runs WHERE state = 'failed' ORDER BY finished_at_ms DESC LIMIT ?1",
    )?;
    let rows = statement.query_map([limit], |row| {
        Ok(FailedRun {
            id: row.get(0)?,
            batch: row.get(1)?,
            cursor: row.get(2)?,
            steps: row.get::<_, i64>(3)?.unsigned_abs(),
            attempts: row.get(4)?,
            skipped: row.get::<_, i64>(5)?.unsigned_abs(),
            error: row.get(6)?,
            finished_at_ms: row.get(7)?,
        })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}
