//! What becomes of a batch run's claim beside its steps' commits, only while the claim stands.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::Held;

const RENEW: &str = "
UPDATE jadpo_batch_runs SET claimed_until_ms = :until_ms
WHERE id = :id AND state = 'claimed' AND claim_token = :token";

const RETRY: &str = "
UPDATE jadpo_batch_runs SET
    state = 'pending', due_ms = :due_ms, last_error = :error,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = :id AND state = 'claimed' AND claim_token = :token";

const FAIL: &str = "
UPDATE jadpo_batch_runs SET
    state = 'failed', finished_at_ms = :now_ms, last_error = :error,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = :id AND state = 'claimed' AND claim_token = :token";

const GIVE_BACK: &str = "
UPDATE jadpo_batch_runs SET
    state = 'pending', attempts = attempts - 1, due_ms = :due_ms,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = :id AND state = 'claimed' AND claim_token = :token";

pub fn renew(connection: &Connection, held: Held, until_ms: i64) -> Result<bool, Failed> {
    let params = named_params! { ":id": held.id, ":token": held.token, ":until_ms": until_ms };
    Ok(connection.prepare_cached(RENEW)?.execute(params)? == 1)
}

pub fn retry(connection: &Connection, held: Held, due_ms: i64, error: &str) -> Result<bool, Failed> {
    let params = named_params! { ":id": held.id, ":token": held.token, ":due_ms": due_ms, ":error": error };
    Ok(connection.prepare_cached(RETRY)?.execute(params)? == 1)
}

pub fn fail(connection: &Connection, held: Held, now_ms: i64, error: &str) -> Result<bool, Failed> {
    let params = named_params! { ":id": held.id, ":token": held.token, ":now_ms": now_ms, ":error": error };
    Ok(connection.prepare_cached(FAIL)?.execute(params)? == 1)
}

pub fn give_back(connection: &Connection, held: Held, due_ms: i64) -> Result<bool, Failed> {
    let params = named_params! { ":id": held.id, ":token": held.token, ":due_ms": due_ms };
    Ok(connection.prepare_cached(GIVE_BACK)?.execute(params)? == 1)
}
