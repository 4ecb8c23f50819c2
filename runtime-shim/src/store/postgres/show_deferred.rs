//! What is shown of schedules and batch runs.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::{count, query, small};
use crate::store::{FailedRun, RunCounts, ScheduleRow, ScheduleState};

const SCHEDULE_ROWS: &str = "SELECT name, next_due_ms, spec, claimed_until_ms FROM jadpo_schedules";

const SCHEDULE_STATES: &str = "
SELECT name, next_due_ms, claim_token IS NOT NULL, last_run_ms, last_error, failed_at_ms
FROM jadpo_schedules ORDER BY name COLLATE \"C\"";

const COUNTS: &str = "SELECT state, count(*) FROM jadpo_batch_runs GROUP BY state";

const FAILED: &str = "
SELECT id, batch, cursor, steps, attempts, skipped, coalesce(last_error, ''), finished_at_ms
FROM jadpo_batch_runs WHERE state = 'failed' ORDER BY finished_at_ms DESC LIMIT $1";

pub async fn schedule_rows(client: &Client) -> Result<Vec<ScheduleRow>, Failed> {
    let rows = query(client, SCHEDULE_ROWS, &[]).await?;
    let read = |row: &tokio_postgres::Row| ScheduleRow {
        name: row.get(0),
        next_due_ms: row.get(1),
        spec: row.get(2),
        claimed_until_ms: row.get(3),
    };
    Ok(rows.iter().map(read).collect())
}

pub async fn schedule_states(client: &Client) -> Result<Vec<ScheduleState>, Failed> {
    let rows = query(client, SCHEDULE_STATES, &[]).await?;
    let read = |row: &tokio_postgres::Row| ScheduleState {
        name: row.get(0),
        next_due_ms: row.get(1),
        running: row.get(2),
        last_run_ms: row.get(3),
        last_error: row.get(4),
        failed_at_ms: row.get(5),
    };
    Ok(rows.iter().map(read).collect())
}

pub async fn run_counts(client: &Client) -> Result<RunCounts, Failed> {
    let mut counts = RunCounts::default();
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

pub async fn failed_runs(client: &Client, limit: u32) -> Result<Vec<FailedRun>, Failed> {
    let rows = query(client, FAILED, &[&i64::from(limit)]).await?;
    let read = |row: &tokio_postgres::Row| FailedRun {
        id: row.get(0),
        batch: row.get(1),
        cursor: row.get(2),
        steps: count(row.get(3)),
        attempts: small(row.get(4)),
        skipped: count(row.get(5)),
        error: row.get(6),
        finished_at_ms: row.get(7),
    };
    Ok(rows.iter().map(read).collect())
}
