//! Frees what a process that died, or was too slow, held; one with no attempt left has killed its last process.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::limits;
use crate::store::{EndedDelivery, TakeOver};

pub const SQL: &str = "
UPDATE jadpo_deliveries SET
    state = CASE WHEN attempts >= coalesce(:attempts ->> subscriber, attempts + 1) THEN 'failed' ELSE 'pending' END,
    finished_at_ms = CASE WHEN attempts >= coalesce(:attempts ->> subscriber, attempts + 1) THEN :now_ms END,
    last_error = :error,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id IN (
    SELECT held.id
    FROM jadpo_deliveries AS held LEFT JOIN jadpo_instances AS heard ON heard.id = held.instance
    WHERE held.state = 'claimed'
      AND held.id NOT IN (SELECT value FROM json_each(:running))
      AND (held.claimed_until_ms <= :now_ms
           OR (held.instance <> :instance AND coalesce(heard.heard_at_ms, 0) + :silent_ms <= :now_ms))
    ORDER BY held.claimed_until_ms LIMIT :at_most)
RETURNING id, subscriber, state = 'failed'";

/// What a delivery says whose process ended under it.
const ERROR: &str = "its process ended";

pub fn run(connection: &Connection, over: &TakeOver) -> Result<Vec<EndedDelivery>, Failed> {
    let attempts: serde_json::Map<String, serde_json::Value> =
        over.attempts.iter().map(|(subscriber, attempts)| (subscriber.clone(), (*attempts).into())).collect();
    let params = named_params! {
        ":attempts": super::json(&attempts),
        ":now_ms": over.now_ms,
        ":error": ERROR,
        ":running": super::json(&over.running),
        ":instance": over.instance,
        ":silent_ms": over.silent_ms,
        ":at_most": limits::ENDED_AT_ONCE_MAX,
    };
    let mut statement = connection.prepare_cached(SQL)?;
    let ended = statement.query_map(params, |row| {
        Ok(EndedDelivery {
            id: row.get(0)?,
            subscriber: row.get(1)?,
            failed: row.get(2)?,
            error: ERROR.to_owned(),
        })
    })?;
    let mut ended = ended.collect::<Result<Vec<_>, _>>()?;
    ended.sort_by_key(|ended| ended.id);
    Ok(ended)
}
