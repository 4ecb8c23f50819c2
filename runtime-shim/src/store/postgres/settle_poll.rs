//! What a poll's claim writes when no event is kept: why it failed, that it fits again, or that it was stopped.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::execute;
use crate::store::PollFailure;

const FAIL: &str = "
UPDATE jadpo_polls SET next_due_ms = $3, last_error = $4, failed_at_ms = $5 WHERE name = $1 AND claim_no = $2";

const CLEAR: &str = "
UPDATE jadpo_polls SET last_error = NULL, failed_at_ms = NULL WHERE name = $1 AND claim_no = $2";

const GIVE_BACK: &str = "
UPDATE jadpo_polls SET next_due_ms = $3 WHERE name = $1 AND claim_no = $2";

pub async fn fail(client: &Client, failure: &PollFailure) -> Result<bool, Failed> {
    let PollFailure { name, claim_no, due_ms, error, failed_at_ms } = failure;
    Ok(execute(client, FAIL, &[name, claim_no, due_ms, error, failed_at_ms]).await? == 1)
}

pub async fn clear(client: &Client, name: &str, claim_no: i64) -> Result<bool, Failed> {
    Ok(execute(client, CLEAR, &[&name, &claim_no]).await? == 1)
}

pub async fn give_back(client: &Client, name: &str, claim_no: i64, due_ms: i64) -> Result<bool, Failed> {
    Ok(execute(client, GIVE_BACK, &[&name, &claim_no, &due_ms]).await? == 1)
}
