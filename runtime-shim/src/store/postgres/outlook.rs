//! When there is next something to do, in one statement over the partial indexes.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::Given;
use super::walk;
use crate::store::{Outlook, OutlookAsked};

/// Each subscriber's earliest is the first entry of its part of the index, so it costs one look-up a subscriber.
pub const SQL: &str = "
SELECT
    ARRAY(SELECT (
        SELECT due_ms FROM jadpo_deliveries
        WHERE state = 'pending' AND subscriber = asked.subscriber AND give_up_ms > $1 ORDER BY due_ms LIMIT 1)
     FROM unnest($2::text[]) WITH ORDINALITY AS asked (subscriber, place) ORDER BY asked.place),
    (SELECT give_up_ms FROM jadpo_deliveries WHERE state = 'pending' ORDER BY give_up_ms LIMIT 1),
    (SELECT min(CASE WHEN held.instance = $3 THEN held.claimed_until_ms
                     ELSE least(held.claimed_until_ms, coalesce(heard.heard_at_ms, 0) + $4::bigint) END)
     FROM jadpo_deliveries AS held LEFT JOIN jadpo_instances AS heard ON heard.id = held.instance
     WHERE held.state = 'claimed' AND held.id <> ALL ($5::bigint[])),
    (SELECT min((
        SELECT due_ms FROM jadpo_batch_runs
        WHERE state = 'pending' AND batch = asked.batch ORDER BY due_ms LIMIT 1))
     FROM unnest($6::text[]) AS asked (batch)),
    (SELECT min(CASE WHEN held.instance = $3 THEN held.claimed_until_ms
                     ELSE least(held.claimed_until_ms, coalesce(heard.heard_at_ms, 0) + $4::bigint) END)
     FROM jadpo_batch_runs AS held LEFT JOIN jadpo_instances AS heard ON heard.id = held.instance
     WHERE held.state = 'claimed' AND held.batch = ANY ($6::text[]) AND held.id <> ALL ($7::bigint[]))";

pub async fn run(client: &Client, asked: &OutlookAsked) -> Result<Outlook, Failed> {
    let OutlookAsked { now_ms, subscribers, instance, silent_ms, running, batches, running_runs } = asked;
    let params: [Given<'_>; 7] = [now_ms, subscribers, instance, silent_ms, running, batches, running_runs];
    let row = walk::query_one(client, SQL, &params).await?;
    let due: Vec<Option<i64>> = row.get(0);
    let due_ms =
        subscribers.iter().zip(due).filter_map(|(subscriber, due_ms)| Some((subscriber.clone(), due_ms?)));
    let (run_due_ms, lost_run_ms): (Option<i64>, Option<i64>) = (row.get(3), row.get(4));
    Ok(Outlook {
        due_ms: due_ms.collect(),
        give_up_ms: row.get(1),
        lost_ms: row.get(2),
        run_due_ms: run_due_ms.into_iter().chain(lost_run_ms).min(),
    })
}
