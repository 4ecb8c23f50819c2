//! When there is next something to do, in one statement over the partial indexes.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::{Outlook, OutlookAsked};

/// Each subscriber's earliest is the first entry of its part of the index, so what is due costs one look-up a subscriber.
pub const SQL: &str = "
SELECT
    (SELECT min((SELECT due_ms FROM jadpo_deliveries
                 WHERE state = 'pending' AND subscriber = asked.value ORDER BY due_ms LIMIT 1))
     FROM json_each(:subscribers) AS asked),
    (SELECT min(give_up_ms) FROM jadpo_deliveries WHERE state = 'pending'),
    (SELECT min(CASE WHEN held.instance = :instance THEN held.claimed_until_ms
                     ELSE min(held.claimed_until_ms, coalesce(heard.heard_at_ms, 0) + :silent_ms) END)
     FROM jadpo_deliveries AS held LEFT JOIN jadpo_instances AS heard ON heard.id = held.instance
     WHERE held.state = 'claimed' AND held.id NOT IN (SELECT value FROM json_each(:running)))";

pub fn run(connection: &Connection, asked: &OutlookAsked) -> Result<Outlook, Failed> {
    let params = named_params! {
        ":subscribers": super::json(&asked.subscribers),
        ":instance": asked.instance,
        ":silent_ms": asked.silent_ms,
        ":running": super::json(&asked.running),
    };
    let outlook = connection.prepare_cached(SQL)?.query_row(params, |row| {
        Ok(Outlook { due_ms: row.get(0)?, give_up_ms: row.get(1)?, lost_ms: row.get(2)? })
    })?;
    Ok(outlook)
}
