//! How a claim ends without a commit: due again, failed, or given back as it was; each only while the claim stands.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::execute;
use crate::store::{GiveBack, Held};

const RETRY: &str = "
UPDATE jadpo_deliveries SET
    state = 'pending', due_ms = $3, last_error = $4, claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = $1 AND state = 'claimed' AND claim_token = $2";

const FAIL: &str = "
UPDATE jadpo_deliveries SET
    state = 'failed', finished_at_ms = $3, last_error = $4,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = $1 AND state = 'claimed' AND claim_token = $2";

const GIVE_BACK: &str = "
UPDATE jadpo_deliveries AS held SET
    state = 'pending', attempts = held.attempts - 1, due_ms = back.due_ms,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
FROM unnest($1::bigint[], $2::bigint[], $3::bigint[]) AS back (id, token, due_ms)
WHERE held.id = ANY ($1::bigint[]) AND held.id = back.id AND held.claim_token = back.token";

pub async fn retry(client: &Client, held: Held, due_ms: i64, error: &str) -> Result<bool, Failed> {
    Ok(execute(client, RETRY, &[&held.id, &held.token, &due_ms, &error]).await? == 1)
}

pub async fn fail(client: &Client, held: Held, now_ms: i64, error: &str) -> Result<bool, Failed> {
    Ok(execute(client, FAIL, &[&held.id, &held.token, &now_ms, &error]).await? == 1)
}

pub async fn give_back(client: &Client, back: &[GiveBack]) -> Result<u64, Failed> {
    let ids: Vec<i64> = back.iter().map(|back| back.held.id).collect();
    let tokens: Vec<i64> = back.iter().map(|back| back.held.token).collect();
    let dues: Vec<i64> = back.iter().map(|back| back.due_ms).collect();
    execute(client, GIVE_BACK, &[&ids, &tokens, &dues]).await
}
