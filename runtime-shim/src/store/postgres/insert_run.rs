//! Keeps a batch run, pending or claimed.

use deadpool_postgres::Client;
use tokio_postgres::types::ToSql;

use super::failed::Failed;
use super::statement::query_one;
use crate::store::{ClaimOwn, ClaimedRun, NewRun, SetOff};

pub const SQL: &str = "
INSERT INTO jadpo_batch_runs (batch, input, trace, state, attempts, due_ms, created_at_ms,
                              claim_token, instance, claimed_until_ms)
VALUES ($1, $2, $3, CASE WHEN $5::bigint IS NULL THEN 'pending' ELSE 'claimed' END, ($5::bigint IS NOT NULL)::int,
        $4, $4, $5::bigint, $6, $7)
RETURNING id";

/// Its parameters, which outlive the statement that they are given to.
pub struct Given<'a> {
    run: &'a NewRun,
    token: Option<i64>,
    instance: Option<i64>,
    until_ms: Option<i64>,
}

impl<'a> Given<'a> {
    pub fn of(run: &'a NewRun, claim: Option<&ClaimOwn>) -> Given<'a> {
        let claim = claim.filter(|claim| claim.batches.contains(&run.batch));
        Given {
            run,
            token: claim.map(|claim| claim.token),
            instance: claim.map(|claim| claim.instance),
            until_ms: claim.map(|claim| claim.until_ms),
        }
    }

    pub fn params(&self) -> [&(dyn ToSql + Sync); 7] {
        let run = self.run;
        [&run.batch, &run.input, &run.trace, &run.created_at_ms, &self.token, &self.instance, &self.until_ms]
    }
}

/// Keeps a run that no boundary starts; its id.
pub async fn run_alone(client: &Client, run: &NewRun) -> Result<i64, Failed> {
    Ok(query_one(client, SQL, &Given::of(run, None).params()).await?.get(0))
}

/// What it set off, by the id that it was given.
pub fn set_off(run: &NewRun, claim: Option<&ClaimOwn>, id: i64) -> SetOff {
    let claim = claim.filter(|claim| claim.batches.contains(&run.batch));
    let claimed = claim.map(|claim| {
        Box::new(ClaimedRun {
            id,
            token: claim.token,
            batch: run.batch.clone(),
            input: run.input.clone(),
            cursor: None,
            steps: 0,
            attempts: 1,
            trace: run.trace.clone(),
        })
    });
    SetOff::Run { id, batch: run.batch.clone(), claimed }
}
