//! One bounded step of the purge: events that were kept long enough after their last delivery, batch runs, polls and
//! schedules that left the plan, deliveries received from other stores, instances that are gone.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::{execute, query_one, small};
use crate::limits;
use crate::store::{PurgeStep, Purged};

/// The last event of this step, how many it looks at, and whether one of them is newer than any rule lets go: then so are
/// those behind it.
const WINDOW: &str = "
SELECT max(id), count(*)::int, coalesce(max(created_at_ms), 0) > $2 FROM (
    SELECT id, created_at_ms FROM jadpo_events WHERE id > $1 ORDER BY id LIMIT $3) AS looked_at";

/// An event stays while any delivery of it is unfinished, failed, or was finished too lately. The deliveries go first, and
/// the events only once they are gone: a statement sees none of what its own parts delete.
const DELIVERIES: &str = "
WITH stale AS (
    SELECT event.id FROM jadpo_events AS event
    LEFT JOIN unnest($4::text[], $5::bigint[]) AS rule (source, keep_ms) ON rule.source = event.source
    WHERE event.id > $1 AND event.id <= $2
      AND event.created_at_ms <= $3::bigint - coalesce(rule.keep_ms, $6::bigint)
      AND NOT EXISTS (
          SELECT 1 FROM jadpo_deliveries AS delivery WHERE delivery.event_id = event.id
            AND (delivery.state NOT IN ('done', 'discarded')
                 OR delivery.finished_at_ms > $3::bigint - coalesce(rule.keep_ms, $6::bigint)))
    FOR UPDATE OF event SKIP LOCKED),
ended AS (DELETE FROM jadpo_deliveries WHERE event_id IN (SELECT id FROM stale))
SELECT coalesce(array_agg(id), '{}') FROM stale";

const EVENTS: &str = "DELETE FROM jadpo_events WHERE id = ANY ($1::bigint[])";

const POLLS: &str = "DELETE FROM jadpo_polls WHERE next_due_ms <= $1 AND name <> ALL ($2::text[])";

const SCHEDULES: &str = "
DELETE FROM jadpo_schedules WHERE next_due_ms <= $1 AND claim_token IS NULL AND name <> ALL ($2::text[])";

const INSTANCES: &str = "
DELETE FROM jadpo_instances AS gone
WHERE heard_at_ms <= $1
  AND NOT EXISTS (SELECT 1 FROM jadpo_deliveries AS held WHERE held.state = 'claimed' AND held.instance = gone.id)
  AND NOT EXISTS (SELECT 1 FROM jadpo_batch_runs AS held WHERE held.state = 'claimed' AND held.instance = gone.id)
  AND NOT EXISTS (SELECT 1 FROM jadpo_schedules AS held WHERE held.instance = gone.id)";

const RUNS: &str = "
DELETE FROM jadpo_batch_runs WHERE id IN (
    SELECT id FROM jadpo_batch_runs WHERE state IN ('done', 'discarded') AND finished_at_ms <= $1
    ORDER BY finished_at_ms LIMIT $2)";

const RECEIVED: &str = "
DELETE FROM jadpo_received WHERE (store, delivery) IN (
    SELECT store, delivery FROM jadpo_received WHERE received_at_ms <= $1 ORDER BY received_at_ms LIMIT $2)";

pub async fn run(client: &mut Client, step: &PurgeStep) -> Result<Purged, Failed> {
    let mut purged = Purged::default();
    let at_most = i64::from(step.at_most);
    let old_ms = step.now_ms.saturating_sub(step.keep_ms);
    if step.after_event == 0 {
        purged.polls = execute(client, POLLS, &[&old_ms, &step.polls]).await?;
        purged.schedules = execute(client, SCHEDULES, &[&old_ms, &step.schedules]).await?;
        let silent_ms = step.now_ms.saturating_sub(limits::INSTANCE_KEPT_MS);
        execute(client, INSTANCES, &[&silent_ms]).await?;
    }
    purged.runs = execute(client, RUNS, &[&old_ms, &at_most]).await?;
    // A claim of it may still be held elsewhere when the event would go there.
    let received_ms = old_ms.saturating_sub(limits::LEASE_MS_MAX);
    purged.received = execute(client, RECEIVED, &[&received_ms, &at_most]).await?;
    let more = purged.runs.max(purged.received) >= u64::from(step.at_most);
    purged.next = window(client, step, &mut purged.events).await?.or(more.then_some(i64::MAX));
    Ok(purged)
}

/// Purges the events of this step; where the next one goes on.
async fn window(client: &mut Client, step: &PurgeStep, gone: &mut u64) -> Result<Option<i64>, Failed> {
    let shortest_ms =
        step.keep_of.iter().map(|(_, keep_ms)| *keep_ms).chain([step.keep_ms]).min().unwrap_or(0);
    let newest_ms = step.now_ms.saturating_sub(shortest_ms);
    let params = [&step.after_event as _, &newest_ms as _, &i64::from(step.at_most) as _];
    let row = query_one(client, WINDOW, &params).await?;
    let (last, seen, newer) = (row.get::<_, Option<i64>>(0), small(row.get(1)), row.get::<_, bool>(2));
    let Some(last) = last else { return Ok(None) };
    *gone = events(client, step, last).await?;
    Ok((seen == step.at_most && !newer).then_some(last))
}

/// Events that went, with their deliveries, in one transaction.
async fn events(client: &mut Client, step: &PurgeStep, last: i64) -> Result<u64, Failed> {
    let (deliveries, events) =
        (client.prepare_cached(DELIVERIES).await?, client.prepare_cached(EVENTS).await?);
    let sources: Vec<&str> = step.keep_of.iter().map(|(source, _)| &**source).collect();
    let keeps: Vec<i64> = step.keep_of.iter().map(|(_, keep_ms)| *keep_ms).collect();
    let transaction = client.transaction().await?;
    let row = transaction
        .query_one(&deliveries, &[&step.after_event, &last, &step.now_ms, &sources, &keeps, &step.keep_ms])
        .await?;
    let stale: Vec<i64> = row.get(0);
    let gone = if stale.is_empty() { 0 } else { transaction.execute(&events, &[&stale]).await? };
    transaction.commit().await?;
    Ok(gone)
}
