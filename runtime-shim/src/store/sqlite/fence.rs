//! What a boundary depends on: compared before its writes, and settled after them.

use std::collections::BTreeMap;

use rusqlite::{Connection, Params, named_params, params};

use super::failed::Failed;
use super::writer::run_statement;
use crate::store::{BoundaryEnd, Fence, Held, Skipped};

const DELIVERY: &str = "
SELECT count(*) FROM jadpo_deliveries WHERE id = ?1 AND state = 'claimed' AND claim_token = ?2";

pub const DONE: &str = "
UPDATE jadpo_deliveries SET
    state = 'done', finished_at_ms = :now_ms, last_error = NULL,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = :id AND state = 'claimed' AND claim_token = :token";

/// The same for what one claim took.
pub const DONE_TOGETHER: &str = "
UPDATE jadpo_deliveries SET
    state = 'done', finished_at_ms = :now_ms, last_error = NULL,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id IN (SELECT value FROM json_each(:ids)) AND state = 'claimed' AND claim_token = :token";

const KNOWN: &str = "SELECT count(*) FROM jadpo_received WHERE store = ?1 AND delivery = ?2";

const RECEIVE: &str = "
INSERT INTO jadpo_received (store, delivery, received_at_ms) VALUES (:store, :delivery, :now_ms)
ON CONFLICT DO NOTHING";

const SCHEDULE: &str = "SELECT count(*) FROM jadpo_schedules WHERE name = ?1 AND claim_token = ?2";

pub const RUN_ENDED: &str = "
UPDATE jadpo_schedules SET
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL,
    last_run_ms = :now_ms, last_error = NULL, failed_at_ms = NULL
WHERE name = :name AND claim_token = :token";

const STEP: &str = "
SELECT count(*) FROM jadpo_batch_runs
WHERE id = ?1 AND state = 'claimed' AND claim_token = ?2 AND steps = ?3";

/// The next step begins under the same claim, so its first attempt is counted here.
pub const STEPPED: &str = "
UPDATE jadpo_batch_runs SET
    cursor = :cursor, steps = steps + 1, attempts = 1, last_error = NULL,
    skipped = skipped + :skipped, last_skipped = coalesce(:last_skipped, last_skipped)
WHERE id = :id AND state = 'claimed' AND claim_token = :token AND steps = :before";

pub const COMPLETED: &str = "
UPDATE jadpo_batch_runs SET
    state = 'done', finished_at_ms = :now_ms, steps = steps + 1, last_error = NULL,
    skipped = skipped + :skipped, last_skipped = coalesce(:last_skipped, last_skipped),
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = :id AND state = 'claimed' AND claim_token = :token AND steps = :before";

/// How the boundary ends at once; `None` while it may go on.
pub fn check(connection: &Connection, fence: &Fence) -> Result<Option<BoundaryEnd>, Failed> {
    let stands = match fence {
        Fence::Free => true,
        Fence::Delivery(held) => is_there(connection, DELIVERY, [held.id, held.token])?,
        Fence::Received { store, delivery } => {
            let known = is_there(connection, KNOWN, params![store, delivery])?;
            return Ok(known.then_some(BoundaryEnd::Received));
        }
        Fence::Schedule { name, token } => is_there(connection, SCHEDULE, params![name, token])?,
        Fence::Step { held, before, .. } => {
            is_there(connection, STEP, [held.id, held.token, count(*before)])?
        }
    };
    Ok((!stands).then_some(BoundaryEnd::Fenced))
}

/// Settles what the boundary is for, comparing it again, since a write of the app's own could have reached into the
/// runtime's tables; how the boundary ends where it may not be kept.
pub fn settle(connection: &Connection, fence: &Fence, now_ms: i64) -> Result<Option<BoundaryEnd>, Failed> {
    let settled = match fence {
        Fence::Free => true,
        Fence::Delivery(held) => finish(connection, *held, now_ms)?,
        Fence::Received { store, delivery } => {
            let params = named_params! { ":store": store, ":delivery": delivery, ":now_ms": now_ms };
            let new = connection.prepare_cached(RECEIVE)?.execute(params)? == 1;
            return Ok((!new).then_some(BoundaryEnd::Received));
        }
        Fence::Schedule { name, token } => {
            let params = named_params! { ":name": name, ":token": token, ":now_ms": now_ms };
            connection.prepare_cached(RUN_ENDED)?.execute(params)? == 1
        }
        Fence::Step { held, before, cursor, skipped } => {
            step(connection, (*held, count(*before)), cursor.as_deref(), skipped, now_ms)?
        }
    };
    Ok((!settled).then_some(BoundaryEnd::Fenced))
}

/// Makes a delivery done while its claim stands.
pub fn finish(connection: &Connection, held: Held, now_ms: i64) -> Result<bool, Failed> {
    let params = named_params! { ":id": held.id, ":token": held.token, ":now_ms": now_ms };
    Ok(connection.prepare_cached(DONE)?.execute(params)? == 1)
}

/// Makes deliveries done whose claims stand; those whose claims stand no more.
pub fn finish_all(connection: &Connection, held: &[Held], now_ms: i64) -> Result<Vec<Held>, Failed> {
    let mut by_token: BTreeMap<i64, Vec<i64>> = BTreeMap::new();
    for held in held {
        by_token.entry(held.token).or_default().push(held.id);
    }
    let mut fenced = Vec::new();
    for (token, ids) in by_token {
        if ids.len() > 1 && finish_together(connection, token, &ids, now_ms)? {
            continue;
        }
        // Which of them stand no more, only each alone can tell.
        for id in ids {
            let held = Held { id, token };
            if !finish(connection, held, now_ms)? {
                fenced.push(held);
            }
        }
    }
    Ok(fenced)
}

/// Makes deliveries of one claim done where all of them stand, and none otherwise; whether all did.
fn finish_together(connection: &Connection, token: i64, ids: &[i64], now_ms: i64) -> Result<bool, Failed> {
    run_statement(connection, "SAVEPOINT jadpo_done")?;
    let params = named_params! { ":ids": super::json(ids), ":token": token, ":now_ms": now_ms };
    let all = connection.prepare_cached(DONE_TOGETHER)?.execute(params)? == ids.len();
    if !all {
        run_statement(connection, "ROLLBACK TO jadpo_done")?;
    }
    run_statement(connection, "RELEASE jadpo_done")?;
    Ok(all)
}

fn step(
    connection: &Connection,
    (held, before): (Held, i64),
    cursor: Option<&str>,
    skipped: &[Skipped],
    now_ms: i64,
) -> Result<bool, Failed> {
    let last_skipped = skipped.last().map(|last| super::json(&[&last.key, &last.problem]));
    let (id, token, skips) = (held.id, held.token, count(skipped.len() as u64));
    let changed = match cursor {
        Some(cursor) => connection.prepare_cached(STEPPED)?.execute(named_params! {
            ":id": id, ":token": token, ":before": before,
            ":cursor": cursor, ":skipped": skips, ":last_skipped": last_skipped,
        })?,
        None => connection.prepare_cached(COMPLETED)?.execute(named_params! {
            ":id": id, ":token": token, ":before": before,
            ":now_ms": now_ms, ":skipped": skips, ":last_skipped": last_skipped,
        })?,
    };
    Ok(changed == 1)
}

fn count(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

fn is_there(connection: &Connection, sql: &str, params: impl Params) -> Result<bool, Failed> {
    let count: i64 = connection.prepare_cached(sql)?.query_row(params, |row| row.get(0))?;
    Ok(count > 0)
}
