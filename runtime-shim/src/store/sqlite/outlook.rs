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
     WHERE held.state = 'claimed' AND held.id NOT IN (SELECT value FROM json_each(:running))),
    (SELECT min((
        SELECT due_ms FROM jadpo_batch_runs
        WHERE state = 'pending' AND batch = asked.value ORDER BY due_ms LIMIT 1))
     FROM json_each(:batches) AS asked),
    (SELECT min(CASE WHEN held.instance = :instance THEN held.claimed_until_ms
                     ELSE min(held.claimed_until_ms, coalesce(heard.heard_at_ms, 0) + :silent_ms) END)
     FROM jadpo_batch_runs AS held LEFT JOIN jadpo_instances AS heard ON heard.id = held.instance
     WHERE held.state = 'claimed' AND held.batch IN (SELECT value FROM json_each(:batches))
       AND held.id NOT IN (SELECT value FROM json_each(:running_runs)))";

pub fn run(connection: &Connection, asked: &OutlookAsked) -> Result<Outlook, Failed> {
    let params = named_params! {
        ":now_ms": asked.now_ms,
        ":subscribers": super::json(&asked.subscribers),
        ":instance": asked.instance,
        ":silent_ms": asked.silent_ms,
        ":running": super::json(&asked.running),
        ":batches": super::json(&asked.batches),
        ":running_runs": super::json(&asked.running_runs),
    };
    let mut statement = connection.prepare_cached(SQL)?;
    let (due, mut outlook, lost_run_ms) = statement.query_row(params, |row| {
        let (give_up_ms, lost_ms, run_due_ms) = (row.get(1)?, row.get(2)?, row.get(3)?);
        let outlook = Outlook { due_ms: BTreeMap::new(), give_up_ms, lost_ms, run_due_ms };
        Ok((row.get::<_, String>(0)?, outlook, row.get::<_, Option<i64>>(4)?))
    })?;
    outlook.run_due_ms = outlook.run_due_ms.into_iter().chain(lost_run_ms).min();
    let due: BTreeMap<String, Option<i64>> = serde_json::from_str(&due).map_err(|error| {
        Failed::Kind(StoreErrorKind::Other(format!("the outlook can't be read: {error}")))
    })?;
    outlook.due_ms = due.into_iter().filter_map(|(subscriber, due_ms)| Some((subscriber, due_ms?))).collect();
    Ok(outlook)
}
