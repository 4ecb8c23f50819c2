//! What a poll's claim writes when no event is kept: why it failed, that it fits again, or that it was stopped.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::PollFailure;

const FAIL: &str = "
UPDATE jadpo_polls
SET next_due_ms = :due_ms, last_error = :error, failed_at_ms = :failed_at_ms
WHERE name = :name AND claim_no = :claim_no";

const CLEAR: &str = "
UPDATE jadpo_polls SET last_error = NULL, failed_at_ms = NULL
WHERE name = :name AND claim_no = :claim_no";

const GIVE_BACK: &str = "
UPDATE jadpo_polls SET next_due_ms = :due_ms
WHERE name = :name AND claim_no = :claim_no";

pub fn fail(connection: &Connection, failure: &PollFailure) -> Result<bool, Failed> {
    let ours = connection.prepare_cached(FAIL)?.execute(named_params! {
        ":name": failure.name,
        ":claim_no": failure.claim_no,
        ":due_ms": failure.due_ms,
        ":error": failure.error,
        ":failed_at_ms": failure.failed_at_ms,
    })?;
    Ok(ours == 1)
}

pub fn clear(connection: &Connection, name: &str, claim_no: i64) -> Result<bool, Failed> {
    let params = named_params! { ":name": name, ":claim_no": claim_no };
    let ours = connection.prepare_cached(CLEAR)?.execute(params)?;
    Ok(ours == 1)
}

pub fn give_back(connection: &Connection, name: &str, claim_no: i64, due_ms: i64) -> Result<bool, Failed> {
    let params = named_params! { ":name": name, ":claim_no": claim_no, ":due_ms": due_ms };
    let ours = connection.prepare_cached(GIVE_BACK)?.execute(params)?;
    Ok(ours == 1)
}
