//! How a schedule's run ends without a commit, only while its claim stands.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::execute;

const FAIL: &str = "
UPDATE jadpo_schedules SET
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL, failed_at_ms = $3, last_error = $4
WHERE name = $1 AND claim_token = $2";

const GIVE_BACK: &str = "
UPDATE jadpo_schedules SET
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL, next_due_ms = $3
WHERE name = $1 AND claim_token = $2";

pub async fn fail(client: &Client, name: &str, token: i64, now_ms: i64, error: &str) -> Result<bool, Failed> {
    Ok(execute(client, FAIL, &[&name, &token, &now_ms, &error]).await? == 1)
}

pub async fn give_back(client: &Client, name: &str, token: i64, due_ms: i64) -> Result<bool, Failed> {
    Ok(execute(client, GIVE_BACK, &[&name, &token, &due_ms]).await? == 1)
}
