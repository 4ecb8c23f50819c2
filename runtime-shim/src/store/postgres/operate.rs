//! What an operator asks for: made again, discarded, or called now.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::{execute, query_opt};
use crate::store::{ReplayDelivery, SetOff};

const REPLAY_DELIVERY: &str = "
UPDATE jadpo_deliveries AS again SET
    state = 'pending', attempts = 0, due_ms = $2::bigint, finished_at_ms = NULL, give_up_ms = $2::bigint + rule.within_ms
FROM unnest($3::text[], $4::bigint[]) AS rule (subscriber, within_ms)
WHERE again.id = $1 AND again.state IN ('failed', 'discarded') AND rule.subscriber = again.subscriber
RETURNING again.subscriber, again.give_up_ms";

const DISCARD_DELIVERY: &str = "
UPDATE jadpo_deliveries SET state = 'discarded', finished_at_ms = $2 WHERE id = $1 AND state IN ('failed', 'pending')";

const REPLAY_RUN: &str = "
UPDATE jadpo_batch_runs SET state = 'pending', attempts = 0, due_ms = $2, finished_at_ms = NULL
WHERE id = $1 AND state IN ('failed', 'discarded')
RETURNING batch";

const DISCARD_RUN: &str = "
UPDATE jadpo_batch_runs SET state = 'discarded', finished_at_ms = $2 WHERE id = $1 AND state IN ('failed', 'pending')";

const POLL_NOW: &str = "UPDATE jadpo_polls SET next_due_ms = $2 WHERE name = $1";

pub async fn replay_delivery(client: &Client, replay: &ReplayDelivery) -> Result<Option<SetOff>, Failed> {
    let (id, due_ms) = (replay.id, replay.now_ms);
    let subscribers: Vec<&str> = replay.within_ms.iter().map(|(subscriber, _)| &**subscriber).collect();
    let withins: Vec<i64> = replay.within_ms.iter().map(|(_, within_ms)| *within_ms).collect();
    let row = query_opt(client, REPLAY_DELIVERY, &[&id, &due_ms, &subscribers, &withins]).await?;
    Ok(row.map(|row| SetOff::Delivery {
        id,
        subscriber: row.get(0),
        due_ms,
        give_up_ms: row.get(1),
        claimed: None,
    }))
}

pub async fn discard_delivery(client: &Client, id: i64, now_ms: i64) -> Result<bool, Failed> {
    Ok(execute(client, DISCARD_DELIVERY, &[&id, &now_ms]).await? == 1)
}

pub async fn replay_run(client: &Client, id: i64, now_ms: i64) -> Result<Option<SetOff>, Failed> {
    let row = query_opt(client, REPLAY_RUN, &[&id, &now_ms]).await?;
    Ok(row.map(|row| SetOff::Run { id, batch: row.get(0), claimed: None }))
}

pub async fn discard_run(client: &Client, id: i64, now_ms: i64) -> Result<bool, Failed> {
    Ok(execute(client, DISCARD_RUN, &[&id, &now_ms]).await? == 1)
}

pub async fn poll_now(client: &Client, name: &str, now_ms: i64) -> Result<bool, Failed> {
    Ok(execute(client, POLL_NOW, &[&name, &now_ms]).await? == 1)
}
