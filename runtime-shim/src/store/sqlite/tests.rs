//! The SQLite store on a file of its own: its schema, its plans, and how it is opened.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

#[cfg(feature = "native")]
mod grouped;
mod plans;

use rusqlite::Connection;

use super::OpenOptions;
use crate::store::{StoreError, StoreErrorKind};

fn opened() -> (tempfile::TempDir, Connection) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new/directory/store.db");
    drop(OpenOptions::new("main", &path).open().unwrap());
    let connection = Connection::open(path).unwrap();
    (directory, connection)
}

/// The schema as it is after all migrations. It changes only with a migration.
#[test]
fn the_schema_is_the_one_that_is_committed() {
    let (_directory, connection) = opened();
    let mut statement = connection
        .prepare("SELECT sql FROM sqlite_schema WHERE name LIKE 'jadpo_%' AND sql IS NOT NULL ORDER BY name")
        .unwrap();
    let sql = statement.query_map([], |row| row.get::<_, String>(0)).unwrap();
    let dumped: Vec<String> = sql.map(|sql| sql.unwrap() + ";\n").collect();
    assert_eq!(dumped.join("\n"), include_str!("schema.sql"));
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
