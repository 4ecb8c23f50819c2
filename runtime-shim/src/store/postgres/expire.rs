//! Ends pending deliveries whose `within:` is over; one whose subscriber no plan names says so.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::walk;
use crate::store::EndedDelivery;

pub const SQL: &str = "
WITH over AS (
    SELECT id FROM jadpo_deliveries WHERE state = 'pending' AND give_up_ms <= $1
    ORDER BY give_up_ms LIMIT $3 FOR UPDATE SKIP LOCKED)
UPDATE jadpo_deliveries AS ended SET
    state = 'failed', finished_at_ms = $1,
    last_error = CASE
        WHEN ended.subscriber <> ALL ($2::text[]) THEN 'subscriber_gone'
        ELSE coalesce(ended.last_error, 'its time was over before it could be delivered') END
FROM over WHERE ended.id = over.id AND ended.id = ANY (ARRAY(SELECT id FROM over))
RETURNING ended.id, ended.subscriber, ended.last_error";

pub async fn run(
    client: &Client,
    now_ms: i64,
    subscribers: &[String],
    at_most: u32,
) -> Result<Vec<EndedDelivery>, Failed> {
    let rows = walk::query(client, SQL, &[&now_ms, &subscribers, &i64::from(at_most)]).await?;
    let ended = |row: &tokio_postgres::Row| EndedDelivery {
        id: row.get(0),
        subscriber: row.get(1),
        failed: true,
        error: row.get(2),
    };
    let mut ended: Vec<EndedDelivery> = rows.iter().map(ended).collect();
    ended.sort_by_key(|ended| ended.id);
    Ok(ended)
}
