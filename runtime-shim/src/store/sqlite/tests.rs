//! The SQLite store on a file of its own: its schema, its plans, and how it is opened.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[cfg(feature = "native")]
mod deferred;
#[cfg(feature = "native")]
mod grouped;
mod plans;
#[cfg(feature = "native")]
mod transaction;

use std::time::{Duration, Instant};

use rusqlite::Connection;

use super::OpenOptions;
use crate::limits;
use crate::store::{StoreError, StoreErrorKind};
use crate::trial::log::at_each_line;

fn opened() -> (tempfile::TempDir, Connection) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new/directory/store.db");
    drop(OpenOptions::new("main", &path).open().unwrap());
    let connection = Connection::open(path).unwrap();
    (directory, connection)
}

/// What each migration leaves behind, the newest last.
const SCHEMAS: [&str; 2] =
    [include_str!("migrations/0001_begin.schema.sql"), include_str!("migrations/0002_deferred.schema.sql")];

#[test]
fn each_migration_leaves_the_schema_that_is_committed_beside_it() {
    let connection = Connection::open_in_memory().unwrap();
    super::migrate::begin(&connection).unwrap();
    for (migration, schema) in super::migrate::MIGRATIONS.iter().zip(SCHEMAS) {
        connection.execute_batch(migration).unwrap();
        assert_eq!(dump(&connection), schema);
    }
}

#[test]
fn an_opened_store_has_the_newest_schema() {
    let (_directory, connection) = opened();
    assert_eq!(dump(&connection), SCHEMAS[SCHEMAS.len() - 1]);
}

fn dump(connection: &Connection) -> String {
    let mut statement = connection
        .prepare("SELECT sql FROM sqlite_schema WHERE name LIKE 'jadpo_%' AND sql IS NOT NULL ORDER BY name")
        .unwrap();
    let sql = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    sql.map(|sql| sql.unwrap() + ";\n").collect::<Vec<_>>().join("\n")
}

/// Rolled out one after another: a program of the schema before runs on over the new one, since a migration only adds.
#[test]
fn a_migration_leaves_what_was_there_as_it_is() {
    for pair in SCHEMAS.windows(2) {
        let statements = |schema: &str| -> Vec<String> {
            schema.split(";\n\n").map(|sql| sql.trim_end_matches(";\n").to_owned()).collect()
        };
        let newer = statements(pair[1]);
        assert_eq!(statements(pair[0]).into_iter().find(|older| !newer.contains(older)), None);
    }
}

#[test]
fn a_schema_newer_than_it_knows_is_refused_and_left_as_it_is() {
    let (directory, connection) = opened();
    connection.execute("UPDATE jadpo_meta SET value = 99", []).unwrap();
    let path = directory.path().join("new/directory/store.db");
    let error = OpenOptions::new("main", path).open().unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::SchemaNewer { found: 99, known: super::VERSION });
    let version: i64 = connection.query_row("SELECT value FROM jadpo_meta", [], |row| row.get(0)).unwrap();
    assert_eq!(version, 99);
}

#[test]
fn the_version_counts_the_migrations() {
    let (_directory, connection) = opened();
    let version: i64 = connection.query_row("SELECT value FROM jadpo_meta", [], |row| row.get(0)).unwrap();
    assert_eq!(version, super::VERSION);
    assert_eq!(usize::try_from(super::VERSION).unwrap(), super::migrate::MIGRATIONS.len());
}

#[test]
fn many_at_once_migrate_once() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.db");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| OpenOptions::new("main", &path).open().unwrap());
        }
    });
}

#[test]
fn a_lock_that_stays_is_one_clear_error() {
    let (directory, connection) = opened();
    connection.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let path = directory.path().join("new/directory/store.db");
    let options = OpenOptions { busy_ms: 10, ..OpenOptions::new("main", path) };
    let error: StoreError = options.open().unwrap_err();
    insta::assert_snapshot!(in_directory(&error, &directory), @"store main in D/new/directory/store.db: the database stayed locked by another process");
}

/// The engine gives up at once where it would switch to write-ahead logging while another process writes.
#[test]
fn a_lock_that_the_engine_does_not_wait_for_is_waited_for_all_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.db");
    let writer = Connection::open(&path).unwrap();
    writer.execute_batch("CREATE TABLE a (x); BEGIN IMMEDIATE").unwrap();
    let begun = Instant::now();
    let error = OpenOptions { busy_ms: 10, ..OpenOptions::new("main", &path) }.open().unwrap_err();
    assert_eq!(error.kind, StoreErrorKind::Locked);
    assert!(begun.elapsed() >= Duration::from_millis(10) * limits::SQLITE_START_WAITS);
}

/// Another process migrates, or was stopped by its system in the middle of a write.
#[test]
fn a_lock_that_passes_is_waited_for_and_told() {
    let (directory, connection) = opened();
    connection.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let path = directory.path().join("new/directory/store.db");
    let locker = std::sync::Mutex::new(Some(connection));
    let unlock = move || drop(locker.lock().unwrap().take());
    at_each_line(unlock, || {
        OpenOptions { busy_ms: 10, ..OpenOptions::new("main", path) }.open().unwrap();
    });
}

#[test]
fn tables_that_cannot_be_prepared_are_the_apps_fault_and_nothing_of_them_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.db");
    let prepare = ["CREATE TABLE a (x)", "CREATE TABLE b (x"].map(str::to_owned).to_vec();
    let error = OpenOptions { prepare, ..OpenOptions::new("main", &path) }.open().unwrap_err();
    insta::assert_snapshot!(in_directory(&error, &directory), @"store main in D/store.db: what the app prepares there is refused: incomplete input");
    let tables = "SELECT count(*) FROM sqlite_schema WHERE name IN ('a', 'b')";
    let kept: i64 = Connection::open(path).unwrap().query_row(tables, [], |row| row.get(0)).unwrap();
    assert_eq!(kept, 0);
}

/// The error with `D` for the directory.
fn in_directory(error: &StoreError, directory: &tempfile::TempDir) -> String {
    error.to_string().replace(directory.path().to_str().unwrap(), "D")
}

#[test]
fn what_cannot_be_opened_is_named_with_what_the_system_says() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("file"), "").unwrap();
    let refused = ["", "file/store.db"].map(|path| {
        let error = OpenOptions::new("main", directory.path().join(path)).open().unwrap_err();
        in_directory(&error, &directory)
    });
    insta::assert_snapshot!(refused.join("\n"), @r"
    store main in D/: the file can't be opened: Is a directory (os error 21)
    store main in D/file/store.db: the file can't be opened: its directory can't be made: File exists (os error 17)
    ");
}

#[test]
fn a_refused_write_is_told_from_the_stores_trouble() {
    let (_directory, connection) = opened();
    connection.pragma_update(None, "query_only", true).unwrap();
    let error = connection.execute("DELETE FROM jadpo_polls", []).unwrap_err();
    assert!(super::failed::is_trouble(&error));
    assert_eq!(super::failed::kind_of(&error), StoreErrorKind::ReadOnly);
    connection.pragma_update(None, "query_only", false).unwrap();
    connection.pragma_update(None, "max_page_count", 1).unwrap();
    let fill = "INSERT INTO jadpo_polls (name, next_due_ms, claim_no) VALUES (hex(randomblob(100000)), 1, 1)";
    let error = connection.execute(fill, []).unwrap_err();
    assert_eq!(super::failed::kind_of(&error), StoreErrorKind::Full);
    let error = connection.execute("INSERT INTO jadpo_polls (name) VALUES ('x')", []).unwrap_err();
    assert!(!super::failed::is_trouble(&error), "a constraint is the statement's fault");
}
