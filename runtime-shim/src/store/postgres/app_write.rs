//! One write of the app: prepared, its parameters compared with what the statement declares, its rows with what was stated.

use deadpool_postgres::Client;
use tokio_postgres::Statement;

use super::failed::{Failed, is_conflict, is_outdated, is_trouble, words};
use super::values::{self, Param};
use crate::store::app_write::refused;
use crate::store::{BoundaryEnd, StoreErrorKind, Write};

/// A write that was looked at.
pub enum Checked {
    /// It can be run.
    Fits(Statement),
    /// It can't, and this is why.
    Refused(String),
}

/// Prepares it. A statement that the engine refuses breaks the transaction that is open, if one is.
pub async fn prepare(client: &Client, write: &Write) -> Result<Checked, Failed> {
    if let Some(text) = refused(&write.sql) {
        return Ok(Checked::Refused(text));
    }
    let statement = match client.prepare_cached(&write.sql).await {
        Ok(statement) => statement,
        Err(error) if is_trouble(&error) => return Err(Failed::Engine(error)),
        Err(error) => return Ok(Checked::Refused(words(&error))),
    };
    Ok(match values::fit(&write.params, statement.params()) {
        Ok(()) => Checked::Fits(statement),
        Err(text) => Checked::Refused(text),
    })
}

/// The parameters of one that fits.
pub fn given(write: &Write) -> Vec<Param<'_>> {
    write.params.iter().map(Param).collect()
}

/// How the boundary ends where the write touched another number of rows than it stated.
pub fn conflict(write: &Write, got: u64) -> Option<BoundaryEnd> {
    let wanted = write.rows.filter(|wanted| *wanted != got)?;
    Some(BoundaryEnd::Conflict { sql: write.sql.clone(), wanted, got })
}

/// Runs one at once, in a transaction that a body has open; the rows touched, or how the boundary ends.
pub async fn run(client: &Client, write: &Write) -> Result<Result<u64, BoundaryEnd>, Failed> {
    let statement = match prepare(client, write).await? {
        Checked::Fits(statement) => statement,
        Checked::Refused(text) => return Ok(Err(BoundaryEnd::Refused(text))),
    };
    match client.execute_raw(&statement, given(write)).await {
        Ok(got) => Ok(conflict(write, got).map_or(Ok(got), Err)),
        Err(error) if is_outdated(&error) => {
            client.statement_cache.clear();
            Err(Failed::Kind(StoreErrorKind::Locked))
        }
        Err(error) if is_conflict(&error) || is_trouble(&error) => Err(Failed::Engine(error)),
        Err(error) => Ok(Err(BoundaryEnd::Refused(words(&error)))),
    }
}
