//! What becomes of a batch run's claim beside its steps' commits, only while the claim stands.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::execute;
use crate::store::Held;

const RENEW: &str = "
UPDATE jadpo_batch_runs SET claimed_until_ms = $3 WHERE id = $1 AND state = 'claimed' AND claim_token = $2";

const RETRY: &str = "
UPDATE jadpo_batch_runs SET
    state = 'pending', due_ms = $3, last_error = $4, claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = $1 AND state = 'claimed' AND claim_token = $2";

const FAIL: &str = "
UPDATE jadpo_batch_runs SET
    state = 'failed', finished_at_ms = $3, last_error = $4,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = $1 AND state = 'claimed' AND claim_token = $2";

const GIVE_BACK: &str = "
UPDATE jadpo_batch_runs SET
    state = 'pending', attempts = attempts - 1, due_ms = $3,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = $1 AND state = 'claimed' AND claim_token = $2";

pub async fn renew(client: &Client, held: Held, until_ms: i64) -> Result<bool, Failed> {
    Ok(execute(client, RENEW, &[&held.id, &held.token, &until_ms]).await? == 1)
}

pub async fn retry(client: &Client, held: Held, due_ms: i64, error: &str) -> Result<bool, Failed> {
    Ok(execute(client, RETRY, &[&held.id, &held.token, &due_ms, &error]).await? == 1)
}

pub async fn fail(client: &Client, held: Held, now_ms: i64, error: &str) -> Result<bool, Failed> {
    Ok(execute(client, FAIL, &[&held.id, &held.token, &now_ms, &error]).await? == 1)
}

pub async fn give_back(client: &Client, held: Held, due_ms: i64) -> Result<bool, Failed> {
    Ok(execute(client, GIVE_BACK, &[&held.id, &held.token, &due_ms]).await? == 1)
}
