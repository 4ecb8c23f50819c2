//! Says that an instance lives, and that it left.

use rusqlite::{Connection, params};

use super::failed::Failed;

const HEAR: &str = "
INSERT INTO jadpo_instances (id, heard_at_ms) VALUES (?1, ?2)
ON CONFLICT (id) DO UPDATE SET heard_at_ms = excluded.heard_at_ms";

const LEAVE: &str = "DELETE FROM jadpo_instances WHERE id = ?1";

pub fn run(connection: &Connection, instance: i64, now_ms: i64) -> Result<(), Failed> {
    connection.prepare_cached(HEAR)?.execute(params![instance, now_ms])?;
    Ok(())
}

pub fn leave(connection: &Connection, instance: i64) -> Result<(), Failed> {
    connection.prepare_cached(LEAVE)?.execute(params![instance])?;
    Ok(())
}
