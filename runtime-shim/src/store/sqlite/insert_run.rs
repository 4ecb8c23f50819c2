//! Keeps a batch run, pending or claimed; part of the caller's transaction.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::{ClaimOwn, ClaimedRun, NewRun, SetOff};

const SQL: &str = "
INSERT INTO jadpo_batch_runs (batch, input, trace, state, attempts, due_ms, created_at_ms,
                              claim_token, instance, claimed_until_ms)
VALUES (:batch, :input, :trace, iif(:token IS NULL, 'pending', 'claimed'), :token IS NOT NULL, :created_at_ms,
        :created_at_ms, :token, :instance, :until_ms)";

/// Keeps a run that no boundary starts; its id.
pub fn run_alone(connection: &Connection, run: &NewRun) -> Result<i64, Failed> {
    insert(connection, run, None)
}

/// Keeps a run that a boundary starts.
pub fn run(connection: &Connection, run: &NewRun, claim: Option<&ClaimOwn>) -> Result<SetOff, Failed> {
    let claim = claim.filter(|claim| claim.batches.contains(&run.batch));
    let id = insert(connection, run, claim)?;
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
    Ok(SetOff::Run { id, batch: run.batch.clone(), claimed })
}

fn insert(connection: &Connection, run: &NewRun, claim: Option<&ClaimOwn>) -> Result<i64, Failed> {
    Ok(connection.prepare_cached(SQL)?.insert(named_params! {
        ":batch": run.batch,
        ":input": run.input,
        ":trace": run.trace,
        ":created_at_ms": run.created_at_ms,
        ":token": claim.map(|claim| claim.token),
        ":instance": claim.map(|claim| claim.instance),
        ":until_ms": claim.map(|claim| claim.until_ms),
    })?)
}
