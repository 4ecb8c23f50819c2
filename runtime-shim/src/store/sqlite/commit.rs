//! Commits a boundary: the fence, the app's writes, the events emitted with their deliveries, and `done`.

use rusqlite::{Connection, named_params, params_from_iter};

use super::failed::{Failed, is_trouble};
use super::insert_event;
use super::writer::Then;
use crate::store::{Boundary, BoundaryEnd, Write};

const FENCE: &str = "
SELECT count(*) FROM jadpo_deliveries WHERE id = :id AND state = 'claimed' AND claim_token = :token";

const DONE: &str = "
UPDATE jadpo_deliveries SET
    state = 'done', finished_at_ms = :now_ms, last_error = NULL,
    claim_token = NULL, instance = NULL, claimed_until_ms = NULL
WHERE id = :id AND state = 'claimed' AND claim_token = :token";

/// Statements that would end or leave the boundary's transaction, by their first word.
const OUTSIDE_OF_A_BOUNDARY: [&str; 10] =
    ["ATTACH", "BEGIN", "COMMIT", "DETACH", "END", "PRAGMA", "RELEASE", "ROLLBACK", "SAVEPOINT", "VACUUM"];

pub fn run(connection: &Connection, boundary: &Boundary) -> Result<Then<BoundaryEnd>, Failed> {
    let held = named_params! { ":id": boundary.held.id, ":token": boundary.held.token };
    let stands: i64 = connection.prepare_cached(FENCE)?.query_row(held, |row| row.get(0))?;
    if stands == 0 {
        return Ok(Then::Undo(BoundaryEnd::Fenced));
    }
    for write in &boundary.writes {
        if let Some(end) = run_write(connection, write)? {
            return Ok(Then::Undo(end));
        }
    }
    for event in &boundary.events {
        insert_event::run(connection, event)?;
    }
    let done = connection.prepare_cached(DONE)?.execute(named_params! {
        ":id": boundary.held.id,
        ":token": boundary.held.token,
        ":now_ms": boundary.now_ms,
    })?;
    // A write of the app's own could have reached into the runtime's table since the fence.
    Ok(if done == 1 { Then::Keep(BoundaryEnd::Done) } else { Then::Undo(BoundaryEnd::Fenced) })
}

/// Runs one write of the app; how the boundary ends when it can't be kept.
fn run_write(connection: &Connection, write: &Write) -> Result<Option<BoundaryEnd>, Failed> {
    if let Some(word) = leaves_the_boundary(&write.sql) {
        return Ok(Some(BoundaryEnd::Refused(format!("{word} can't stand in a boundary"))));
    }
    match execute(connection, write) {
        Ok(got) => Ok(write.rows.filter(|wanted| *wanted != got).map(|wanted| BoundaryEnd::Conflict {
            sql: write.sql.clone(),
            wanted,
            got,
        })),
        Err(error) if is_trouble(&error) => Err(Failed::Engine(error)),
        Err(error) => Ok(Some(BoundaryEnd::Refused(error.to_string()))),
    }
}

fn execute(connection: &Connection, write: &Write) -> rusqlite::Result<u64> {
    let mut statement = connection.prepare_cached(&write.sql)?;
    if statement.column_count() == 0 {
        return Ok(statement.execute(params_from_iter(&write.params))? as u64);
    }
    // With RETURNING the rows touched are those that come back, and they must all be read for the statement to end.
    let mut rows = statement.query(params_from_iter(&write.params))?;
    let mut count = 0;
    while rows.next()?.is_some() {
        count += 1;
    }
    Ok(count)
}

/// The first word of a statement that may not stand in a boundary.
fn leaves_the_boundary(sql: &str) -> Option<&'static str> {
    // The engine passes over all of this before a statement, a byte order mark and empty statements included.
    let passed_over = |c: char| c.is_whitespace() || c == ';' || c == '\u{feff}';
    let mut rest = sql.trim_start_matches(passed_over);
    loop {
        let after = match rest.get(..2) {
            Some("--") => rest.split_once('\n').map_or("", |(_, after)| after),
            Some("/*") => rest.split_once("*/").map_or("", |(_, after)| after),
            _ => break,
        };
        rest = after.trim_start_matches(passed_over);
    }
    let word = rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    OUTSIDE_OF_A_BOUNDARY.into_iter().find(|refused| word.eq_ignore_ascii_case(refused))
}
