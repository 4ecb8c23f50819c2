//! How a claim ends without a commit: due again, failed, or given back as it was; each only while the claim stands.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::{GiveBack, Held};

const RETRY: &str = "
UPDATE jadpo_deliveries SET
    state = 'pending', due_ms = :due_ms, last_error = :error,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = :id AND state = 'claimed' AND claim_token = :token";

const FAIL: &str = "
UPDATE jadpo_deliveries SET
    state = 'failed', finished_at_ms = :now_ms, last_error = :error,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = :id AND state = 'claimed' AND claim_token = :token";

const GIVE_BACK: &str = "
UPDATE jadpo_deliveries SET
    state = 'pending', attempts = attempts - 1, due_ms = back.value ->> 2,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
FROM json_each(:back) AS back
WHERE jadpo_deliveries.id = back.value ->> 0 AND state = 'claimed' AND claim_token = back.value ->> 1";

pub fn retry(connection: &Connection, held: Held, due_ms: i64, error: &str) -> Result<bool, Failed> {
    let ours = connection.prepare_cached(RETRY)?.execute(named_params! {
        ":id": held.id, ":token": held.token, ":due_ms": due_ms, ":error": error,
    })?;
    Ok(ours == 1)
}

pub fn fail(connection: &Connection, held: Held, now_ms: i64, error: &str) -> Result<bool, Failed> {
    let ours = connection.prepare_cached(FAIL)?.execute(named_params! {
        ":id": held.id, ":token": held.token, ":now_ms": now_ms, ":error": error,
    })?;
    Ok(ours == 1)
}

pub fn give_back(connection: &Connection, back: &[GiveBack]) -> Result<u64, Failed> {
    let back: Vec<(i64, i64, i64)> =
        back.iter().map(|back| (back.held.id, back.held.token, back.due_ms)).collect();
    let given =
        connection.prepare_cached(GIVE_BACK)?.execute(named_params! { ":back": super::json(&back) })?;
    Ok(given as u64)
}
