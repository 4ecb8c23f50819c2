//! Keeps a changed answer: the digest under its claim, then the event with its deliveries, all or nothing.

use rusqlite::{Connection, named_params};

use super::failed::Failed;
use super::insert_event;
use super::writer::Then;
use crate::store::KeepPoll;

const SQL: &str = "
UPDATE jadpo_polls
SET digest = :digest, changed_at_ms = :changed_at_ms, last_error = NULL, failed_at_ms = NULL
WHERE name = :name AND claim_no = :claim_no AND digest IS :digest_was";

pub fn run(connection: &Connection, keep: &KeepPoll) -> Result<Then<bool>, Failed> {
    let ours = connection.prepare_cached(SQL)?.execute(named_params! {
        ":name": keep.name,
        ":claim_no": keep.claim_no,
        ":digest": keep.digest,
        ":digest_was": keep.digest_was,
        ":changed_at_ms": keep.changed_at_ms,
    })?;
    if ours == 0 {
        return Ok(Then::Undo(false));
    }
    insert_event::run(connection, &keep.event, None, &mut Vec::new())?;
    Ok(Then::Keep(true))
}
