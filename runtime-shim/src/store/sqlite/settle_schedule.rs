//! How a schedule's run ends without a commit, only while its claim stands.

use rusqlite::{Connection, named_params};

use super::failed::Failed;

const FAIL: &str = "
UPDATE jadpo_schedules SET
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL, last_error = :error, failed_at_ms = :now_ms
WHERE name = :name AND claim_token = :token";

const GIVE_BACK: &str = "
UPDATE jadpo_schedules SET
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL, next_due_ms = :due_ms
WHERE name = :name AND claim_token = :token";

pub fn fail(
    connection: &Connection,
    name: &str,
    token: i64,
    now_ms: i64,
    error: &str,
) -> Result<bool, Failed> {
    let params = named_params! { ":name": name, ":token": token, ":now_ms": now_ms, ":error": error };
    Ok(connection.prepare_cached(FAIL)?.execute(params)? == 1)
}

pub fn give_back(connection: &Connection, name: &str, token: i64, due_ms: i64) -> Result<bool, Failed> {
    let params = named_params! { ":name": name, ":token": token, ":due_ms": due_ms };
    Ok(connection.prepare_cached(GIVE_BACK)?.execute(params)? == 1)
}
