//! Gives back what stands under tokens whose claims were never answered, as it was before them.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::GivenBack;

pub const DELIVERIES: &str = "
UPDATE jadpo_deliveries SET
    state = 'pending', attempts = attempts - 1,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE state = 'claimed' AND claim_token IN (SELECT value FROM json_each(:tokens))";

pub const RUNS: &str = "
UPDATE jadpo_batch_runs SET
    state = 'pending', attempts = attempts - 1,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE state = 'claimed' AND claim_token IN (SELECT value FROM json_each(:tokens))";

/// A claim has moved it on, so it is made due.
const SCHEDULES: &str = "
UPDATE jadpo_schedules SET
    next_due_ms = :now_ms, claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE claim_token IN (SELECT value FROM json_each(:tokens))";

pub fn run(connection: &Connection, tokens: &[i64], now_ms: i64) -> Result<GivenBack, Failed> {
    let tokens = super::json(tokens);
    let of = |sql: &str| connection.prepare_cached(sql)?.execute(named_params! { ":tokens": tokens });
    let schedules = named_params! { ":tokens": tokens, ":now_ms": now_ms };
    Ok(GivenBack {
        deliveries: of(DELIVERIES)? as u64,
        runs: of(RUNS)? as u64,
        schedules: connection.prepare_cached(SCHEDULES)?.execute(schedules)? as u64,
    })
}
