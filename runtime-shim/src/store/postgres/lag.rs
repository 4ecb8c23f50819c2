//! How long the oldest work that is due has waited: a look-up for each subscriber and batch, however much waits.

use deadpool_postgres::Client;

use super::failed::Failed;
use super::statement::query_one;
use crate::store::Lag;

/// Steps from one subscriber, and one batch, to the next in the index.
const SQL: &str = "
WITH RECURSIVE
    subscribers (name) AS (
        (SELECT subscriber FROM jadpo_deliveries WHERE state = 'pending' ORDER BY subscriber LIMIT 1)
        UNION ALL
        SELECT (SELECT subscriber FROM jadpo_deliveries
                WHERE state = 'pending' AND subscriber > name ORDER BY subscriber LIMIT 1)
        FROM subscribers WHERE name IS NOT NULL),
    batches (name) AS (
        (SELECT batch FROM jadpo_batch_runs WHERE state = 'pending' ORDER BY batch LIMIT 1)
        UNION ALL
        SELECT (SELECT batch FROM jadpo_batch_runs WHERE state = 'pending' AND batch > name ORDER BY batch LIMIT 1)
        FROM batches WHERE name IS NOT NULL)
SELECT
    $1::bigint - (SELECT min((
        SELECT due_ms FROM jadpo_deliveries
        WHERE state = 'pending' AND subscriber = name AND due_ms <= $1 ORDER BY due_ms LIMIT 1)) FROM subscribers),
    $1::bigint - (SELECT min((
        SELECT due_ms FROM jadpo_batch_runs
        WHERE state = 'pending' AND batch = name AND due_ms <= $1 ORDER BY due_ms LIMIT 1)) FROM batches)";

pub async fn run(client: &Client, now_ms: i64) -> Result<Lag, Failed> {
    let row = query_one(client, SQL, &[&now_ms]).await?;
    Ok(Lag { deliveries_ms: row.get(0), runs_ms: row.get(1) })
}
