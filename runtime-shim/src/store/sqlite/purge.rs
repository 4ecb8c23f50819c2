//! One bounded step of the purge: events that were kept long enough after their last delivery, batch runs, polls and
//! schedules that left the plan, deliveries received from other stores, instances that are gone.

use rusqlite::{Connection, Params, named_params, params};

use super::failed::Failed;
use crate::limits;
use crate::store::{PurgeStep, Purged};

/// The last event of this step, how many it looks at, and whether one of them is newer than any rule lets go: then so are
/// those behind it.
const WINDOW: &str = "
SELECT max(id), count(*), coalesce(max(created_at_ms), 0) > :newest_ms FROM (
    SELECT id, created_at_ms FROM jadpo_events WHERE id > :after ORDER BY id LIMIT :at_most)";

/// An event stays while any delivery of it is unfinished, failed, or was finished too lately.
const STALE: &str = "
SELECT event.id FROM jadpo_events AS event
WHERE event.id > :after AND event.id <= :last
  AND event.created_at_ms <= :now_ms - coalesce(:keep_of ->> event.source, :keep_ms)
  AND NOT EXISTS (
      SELECT 1 FROM jadpo_deliveries AS delivery WHERE delivery.event_id = event.id
        AND (delivery.state NOT IN ('done', 'discarded')
             OR delivery.finished_at_ms > :now_ms - coalesce(:keep_of ->> event.source, :keep_ms)))";

const POLLS: &str = "
DELETE FROM jadpo_polls
WHERE next_due_ms <= ?1 AND name NOT IN (SELECT value FROM json_each(?2))";

const SCHEDULES: &str = "
DELETE FROM jadpo_schedules
WHERE next_due_ms <= ?1 AND claim_token IS NULL AND name NOT IN (SELECT value FROM json_each(?2))";

const INSTANCES: &str = "
DELETE FROM jadpo_instances
WHERE heard_at_ms <= ?1
  AND id NOT IN (SELECT instance FROM jadpo_deliveries WHERE state = 'claimed')
  AND id NOT IN (SELECT instance FROM jadpo_batch_runs WHERE state = 'claimed')
  AND id NOT IN (SELECT instance FROM jadpo_schedules WHERE instance IS NOT NULL)";

pub const RUNS: &str = "
DELETE FROM jadpo_batch_runs WHERE id IN (
    SELECT id FROM jadpo_batch_runs WHERE state IN ('done', 'discarded') AND finished_at_ms <= ?1
    ORDER BY finished_at_ms LIMIT ?2)";

pub const RECEIVED: &str = "
DELETE FROM jadpo_received WHERE (store, delivery) IN (
    SELECT store, delivery FROM jadpo_received WHERE received_at_ms <= ?1
    ORDER BY received_at_ms LIMIT ?2)";

pub fn run(connection: &Connection, step: &PurgeStep) -> Result<Purged, Failed> {
    let mut purged = Purged::default();
    let old_ms = step.now_ms.saturating_sub(step.keep_ms);
    if step.after_event == 0 {
        purged.polls = delete(connection, POLLS, params![old_ms, super::json(&step.polls)])?;
        purged.schedules = delete(connection, SCHEDULES, params![old_ms, super::json(&step.schedules)])?;
        let silent_ms = step.now_ms.saturating_sub(limits::INSTANCE_KEPT_MS);
        delete(connection, INSTANCES, [silent_ms])?;
    }
    purged.runs = delete(connection, RUNS, params![old_ms, step.at_most])?;
    // A claim of it may still be held elsewhere when the event would go there.
    let received_ms = old_ms.saturating_sub(limits::LEASE_MS_MAX);
    purged.received = delete(connection, RECEIVED, params![received_ms, step.at_most])?;
    let more = purged.runs.max(purged.received) >= u64::from(step.at_most);
    purged.next = events(connection, step, &mut purged.events)?.or(more.then_some(i64::MAX));
    Ok(purged)
}

/// Purges the events of this step; where the next one goes on.
fn events(connection: &Connection, step: &PurgeStep, gone: &mut u64) -> Result<Option<i64>, Failed> {
    let shortest_ms =
        step.keep_of.iter().map(|(_, keep_ms)| *keep_ms).chain([step.keep_ms]).min().unwrap_or(0);
    let window = named_params! {
        ":after": step.after_event,
        ":newest_ms": step.now_ms.saturating_sub(shortest_ms),
        ":at_most": step.at_most,
    };
    let (last, seen, newer): (Option<i64>, u32, bool) = connection
        .prepare_cached(WINDOW)?
        .query_row(window, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let Some(last) = last else { return Ok(None) };
    for event in stale(connection, step, last)? {
        delete(connection, "DELETE FROM jadpo_deliveries WHERE event_id = ?1", [event])?;
        *gone += delete(connection, "DELETE FROM jadpo_events WHERE id = ?1", [event])?;
    }
    Ok((seen == step.at_most && !newer).then_some(last))
}

fn delete(connection: &Connection, sql: &str, params: impl Params) -> Result<u64, Failed> {
    Ok(connection.prepare_cached(sql)?.execute(params)? as u64)
}

fn stale(connection: &Connection, step: &PurgeStep, last: i64) -> Result<Vec<i64>, Failed> {
    let keep_of: serde_json::Map<String, serde_json::Value> =
        step.keep_of.iter().map(|(source, keep_ms)| (source.clone(), (*keep_ms).into())).collect();
    let params = named_params! {
        ":after": step.after_event,
        ":last": last,
        ":now_ms": step.now_ms,
        ":keep_of": super::json(&keep_of),
        ":keep_ms": step.keep_ms,
    };
    let mut statement = connection.prepare_cached(STALE)?;
    let ids = statement.query_map(params, |row| row.get(0))?.collect::<Result<Vec<i64>, _>>()?;
    Ok(ids)
}
