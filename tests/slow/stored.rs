//! What an app kept: values out of its store, read beside it.

use std::path::Path;
use std::time::Duration;

use jadpo_tests::wait;
use rusqlite::{Connection, OpenFlags, OptionalExtension};

/// How long another's lock is waited for.
const LOCKED_MAX: Duration = Duration::from_mins(1);

/// The first value of a query over a store, as text; `None` without a row, and before there is a store.
pub fn value(store: &Path, sql: &str) -> Option<String> {
    let connection = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    connection.busy_timeout(LOCKED_MAX).unwrap();
    let sql = format!("SELECT CAST(it AS TEXT) FROM ({sql})");
    let found = connection.query_row(&sql, [], |row| row.get::<_, Option<String>>(0)).optional();
    // Before the first start has made its tables there is nothing to see.
    found.ok().flatten().flatten()
}

/// The first value of a query over a store, once there is one.
#[track_caller]
pub fn until(limit: Duration, store: &Path, sql: &str) -> String {
    wait::until(limit, sql, || value(store, sql))
}

/// A number that a query over a store counts.
#[track_caller]
pub fn count(store: &Path, sql: &str) -> u64 {
    value(store, sql).unwrap_or_else(|| panic!("{sql} gives nothing")).parse().unwrap()
}
