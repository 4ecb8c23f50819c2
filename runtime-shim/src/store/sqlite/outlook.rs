//! When there is next something to do, in one statement over the partial indexes.

use std::collections::BTreeMap;

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use crate::store::{Outlook, OutlookAsked, StoreErrorKind};

/// Each subscriber's earliest is the first entry of its part of the index, so it costs one look-up a subscriber.
pub const SQL: &str = "
SELECT
    (SELECT json_group_object(asked.value, (
        SELECT due_ms FROM jadpo_deliveries
        WHERE state = 'pending' AND subscriber = asked.value AND give_up_ms > :now_ms ORDER BY due_ms LIMIT 1))
     FROM json_each(:subscribers) AS asked),
    (SELECT min(give_up_ms) FROM jadpo_deliveries WHERE state = 'pending'),
    (SELECT min(CASE WHEN held.instance = :instance THEN held.claimed_until_ms
                     ELSE min(held.claimed_until_ms, coalesce(heard.heard_at_ms, 0) + :silent_ms) END)
     FROM jadpo_deliveries AS held LEFT JOIN jadpo_instances AS heard ON heard.id = held.instance
     WHERE held.state = 'claimed' AND held.id NOT IN (SELECT value FROM json_each(:running)))";

pub fn run(connection: &Connection, asked: &OutlookAsked) -> Result<Outlook, Failed> {
    let params = named_params! {
        ":now_ms": asked.now_ms,
        ":subscribers": super::json(&asked.subscribers),
        ":instance": asked.instance,
        ":silent_ms": asked.silent_ms,
        ":running": super::json(&asked.running),
    };
    let mut statement = connection.prepare_cached(SQL)?;
    let (due, give_up_ms, lost_ms): (String, _, _) =
        statement.query_row(params, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let due: BTreeMap<String, Option<i64>> = serde_json::from_str(&due).map_err(|error| {
        Failed::Kind(StoreErrorKind::Other(format!("the outlook can't be read: {error}")))
    })?;
    let due_ms = due.into_iter().filter_map(|(subscriber, due_ms)| Some((subscriber, due_ms?))).collect();
    Ok(Outlook { due_ms, give_up_ms, lost_ms })
}
