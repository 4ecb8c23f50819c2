//! What an operator asks for: made again, discarded, or called now.

use rusqlite::{Connection, OptionalExtension, named_params, params};

use super::failed::Failed;
use crate::store::{ReplayDelivery, SetOff};

const REPLAY_DELIVERY: &str = "
UPDATE jadpo_deliveries SET
    state = 'pending', attempts = 0, due_ms = :now_ms, finished_at_ms = NULL,
    give_up_ms = :now_ms + (SELECT value ->> 1 FROM json_each(:within) WHERE value ->> 0 = subscriber)
WHERE id = :id AND state IN ('failed', 'discarded')
  AND subscriber IN (SELECT value ->> 0 FROM json_each(:within))
RETURNING subscriber, give_up_ms";

const DISCARD_DELIVERY: &str = "
UPDATE jadpo_deliveries SET state = 'discarded', finished_at_ms = ?2
WHERE id = ?1 AND state IN ('failed', 'pending')";

const REPLAY_RUN: &str = "
UPDATE jadpo_batch_runs SET state = 'pending', attempts = 0, due_ms = ?2, finished_at_ms = NULL
WHERE id = ?1 AND state IN ('failed', 'discarded')
RETURNING batch";

const DISCARD_RUN: &str = "
UPDATE jadpo_batch_runs SET state = 'discarded', finished_at_ms = ?2
WHERE id = ?1 AND state IN ('failed', 'pending')";

pub fn replay_delivery(connection: &Connection, replay: &ReplayDelivery) -> Result<Option<SetOff>, Failed> {
    let (id, due_ms) = (replay.id, replay.now_ms);
    let params = named_params! { ":id": id, ":now_ms": due_ms, ":within": super::json(&replay.within_ms) };
    let replayed = connection.prepare_cached(REPLAY_DELIVERY)?.query_row(params, |row| {
        let (subscriber, give_up_ms) = (row.get(0)?, row.get(1)?);
        Ok(SetOff::Delivery { id, subscriber, due_ms, give_up_ms, claimed: None })
    });
    Ok(replayed.optional()?)
}

pub fn discard_delivery(connection: &Connection, id: i64, now_ms: i64) -> Result<bool, Failed> {
    Ok(connection.prepare_cached(DISCARD_DELIVERY)?.execute([id, now_ms])? == 1)
}

pub fn replay_run(connection: &Connection, id: i64, now_ms: i64) -> Result<Option<SetOff>, Failed> {
    let replayed = connection
        .prepare_cached(REPLAY_RUN)?
        .query_row([id, now_ms], |row| Ok(SetOff::Run { id, batch: row.get(0)?, claimed: None }));
    Ok(replayed.optional()?)
}

pub fn discard_run(connection: &Connection, id: i64, now_ms: i64) -> Result<bool, Failed> {
    Ok(connection.prepare_cached(DISCARD_RUN)?.execute([id, now_ms])? == 1)
}

pub fn poll_now(connection: &Connection, name: &str, now_ms: i64) -> Result<bool, Failed> {
    let mut statement =
        connection.prepare_cached("UPDATE jadpo_polls SET next_due_ms = ?2 WHERE name = ?1")?;
    Ok(statement.execute(params![name, now_ms])? == 1)
}
