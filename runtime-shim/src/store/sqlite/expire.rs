//! Ends pending deliveries whose `within:` is over; one whose subscriber no plan names says so.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::EndedDelivery;

pub const SQL: &str = "
UPDATE jadpo_deliveries SET
    state = 'failed', finished_at_ms = :now_ms,
    last_error = CASE
        WHEN subscriber NOT IN (SELECT value FROM json_each(:subscribers)) THEN 'subscriber_gone'
        ELSE coalesce(last_error, 'its time was over before it could be delivered') END
WHERE id IN (
    SELECT id FROM jadpo_deliveries WHERE state = 'pending' AND give_up_ms <= :now_ms
    ORDER BY give_up_ms LIMIT :at_most)
RETURNING id, subscriber, last_error";

pub fn run(
    connection: &Connection,
    now_ms: i64,
    subscribers: &[String],
    at_most: u32,
) -> Result<Vec<EndedDelivery>, Failed> {
    let params = named_params! {
        ":now_ms": now_ms,
        ":subscribers": super::json(subscribers),
        ":at_most": at_most,
    };
    let mut statement = connection.prepare_cached(SQL)?;
    let ended = statement.query_map(params, |row| {
        Ok(EndedDelivery { id: row.get(0)?, subscriber: row.get(1)?, failed: true, error: row.get(2)? })
    })?;
    let mut ended = ended.collect::<Result<Vec<_>, _>>()?;
    ended.sort_by_key(|ended| ended.id);
    Ok(ended)
}
