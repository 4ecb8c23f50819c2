//! Brings a database to the schema that this runtime knows: forward only, under a lock, on many instances at once.

use rusqlite::{Connection, TransactionBehavior};

use super::failed::Failed;
use crate::store::StoreErrorKind;

/// The migrations, each taking the schema from its position to the next.
///
/// Each only adds to the one before it: while a new program is rolled out, the one before it runs on over the new schema.
/// Only a start of the older program is refused from then on.
pub const MIGRATIONS: &[&str] =
    &[include_str!("migrations/0001_begin.sql"), include_str!("migrations/0002_deferred.sql")];

/// The version after all of them.
pub const VERSION: i64 = 2;

/// Runs what is missing; a schema newer than [`VERSION`] is refused and left as it is.
pub fn migrate(connection: &mut Connection) -> Result<(), Failed> {
    if version(connection)? == VERSION {
        return Ok(());
    }
    // The write lock is taken before the version is read again, so of several instances one migrates and the rest wait.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let found = version(&transaction)?;
    let pending = usize::try_from(found).ok().and_then(|done| MIGRATIONS.get(done..));
    let Some(pending) = pending else {
        return Err(Failed::Kind(StoreErrorKind::SchemaNewer { found, known: VERSION }));
    };
    if found == 0 {
        begin(&transaction)?;
    }
    for migration in pending {
        transaction.execute_batch(migration)?;
    }
    transaction.execute(
        "INSERT INTO jadpo_meta (key, value) VALUES ('schema', ?1) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        [VERSION],
    )?;
    transaction.commit()?;
    Ok(())
}

/// Makes what tells the version.
pub fn begin(connection: &Connection) -> Result<(), Failed> {
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS jadpo_meta (key TEXT NOT NULL PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID",
    )?;
    Ok(())
}

/// The schema's version; 0 before the first migration.
fn version(connection: &Connection) -> Result<i64, Failed> {
    let made =
        connection.query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'jadpo_meta'", [], |row| {
            row.get::<_, i64>(0)
        })?;
    if made == 0 {
        return Ok(0);
    }
    let version =
        connection.query_row("SELECT max(value) FROM jadpo_meta WHERE key = 'schema'", [], |row| {
            row.get::<_, Option<i64>>(0)
        })?;
    Ok(version.unwrap_or(0))
}
