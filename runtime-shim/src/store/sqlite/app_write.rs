//! Runs one write of the app, and compares the rows that it touched with those it stated.

use rusqlite::{Connection, params_from_iter};

use super::failed::{Failed, is_trouble};
use crate::store::app_write::refused;
use crate::store::{BoundaryEnd, Write};

/// The rows touched, or how the boundary ends when the write can't be kept.
pub fn run(connection: &Connection, write: &Write) -> Result<Result<u64, BoundaryEnd>, Failed> {
    if let Some(text) = refused(&write.sql) {
        return Ok(Err(BoundaryEnd::Refused(text)));
    }
    match execute(connection, write) {
        Ok(got) => Ok(match write.rows {
            Some(wanted) if wanted != got => {
                Err(BoundaryEnd::Conflict { sql: write.sql.clone(), wanted, got })
            }
            _ => Ok(got),
        }),
        Err(error) if is_trouble(&error) => Err(Failed::Engine(error)),
        Err(error) => Ok(Err(BoundaryEnd::Refused(error.to_string()))),
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
