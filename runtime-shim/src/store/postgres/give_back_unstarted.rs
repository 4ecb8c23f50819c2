//! Gives back what stands under tokens whose claims were never answered, as it was before them.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::execute;
use super::walk;
use crate::store::GivenBack;

pub const DELIVERIES: &str = "
UPDATE jadpo_deliveries SET
    state = 'pending', attempts = attempts - 1, claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE state = 'claimed' AND claim_token = ANY ($1)";

pub const RUNS: &str = "
UPDATE jadpo_batch_runs SET
    state = 'pending', attempts = attempts - 1, claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE state = 'claimed' AND claim_token = ANY ($1)";

/// A claim has moved it on, so it is made due.
const SCHEDULES: &str = "
UPDATE jadpo_schedules SET
    next_due_ms = $2, claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE claim_token = ANY ($1)";

pub async fn run(client: &Client, tokens: &[i64], now_ms: i64) -> Result<GivenBack, Failed> {
    Ok(GivenBack {
        deliveries: walk::execute(client, DELIVERIES, &[&tokens]).await?,
        runs: walk::execute(client, RUNS, &[&tokens]).await?,
        schedules: execute(client, SCHEDULES, &[&tokens, &now_ms]).await?,
    })
}
