//! What keeps the example from starting: everything is named at once, and nothing has begun.

use std::fs;
use std::process::Command;
use std::time::Duration;

use jadpo_tests::process::Running;
use jadpo_tests::scratch::Scratch;
use rusqlite::Connection;

use super::{Exchange, SOON, rates};

/// Until it is said that a lock is waited for, and more.
const LOCKED_MAX: Duration = Duration::from_secs(30);

/// Exit code and what was written of a program that ends by itself.
#[track_caller]
fn ends(command: &mut Command, limit: Duration) -> (Option<i32>, String) {
    let mut program = Running::start(command);
    let code = program.exit(limit).code();
    let said = program.written();
    assert!(!said.contains("panicked"), "{said}");
    (code, said)
}

#[test]
fn every_missing_and_bad_setting_is_named_at_once() {
    let exchange = Exchange::start();
    let port = exchange.port.to_string();
    for (settings, named) in [
        (vec![("RATES_PORT", port.as_str())], vec!["RATES_API_KEY"]),
        (vec![("RATES_PORT", "99999")], vec!["RATES_PORT", "RATES_API_KEY"]),
        (vec![("RATES_PORT", "x7"), ("RATES_API_KEY", "a-key")], vec!["RATES_PORT"]),
        (vec![("RATES_PORT", ""), ("RATES_API_KEY", "a-key")], vec!["RATES_PORT"]),
    ] {
        let scratch = Scratch::empty();
        let (code, said) = ends(rates(scratch.path()).envs(settings.clone()), SOON);
        assert_eq!(code, Some(3), "{settings:?}\n{said}");
        for name in ["RATES_PORT", "RATES_API_KEY"] {
            assert_eq!(said.contains(name), named.contains(&name), "{settings:?}\n{said}");
        }
        assert_eq!(said.matches("ERROR").count(), named.len(), "{said}");
        assert!(!said.contains("a-key"), "{said}");
        assert!(!scratch.at("rates.db").exists(), "nothing has begun");
    }
    assert_eq!(exchange.calls(), 0);
}

#[track_caller]
fn is_refused(scratch: &Scratch, why: &str) {
    let exchange = Exchange::start();
    let (code, said) = ends(&mut exchange.rates(scratch.path()), SOON);
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(said.matches("ERROR").count(), 1, "one clear error:\n{said}");
    assert!(said.contains("rates.db") && said.contains(why), "names the file and says why:\n{said}");
    assert_eq!(exchange.calls(), 0);
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let scratch = Scratch::empty();
    let text = "quotes I wrote down by hand\n".repeat(100);
    scratch.write("rates.db", &text);
    is_refused(&scratch, "not a database");
    assert_eq!(fs::read_to_string(scratch.at("rates.db")).unwrap(), text);
}

#[test]
fn a_folder_in_its_place_is_refused() {
    let scratch = Scratch::empty();
    fs::create_dir(scratch.at("rates.db")).unwrap();
    is_refused(&scratch, "open");
}

#[test]
fn a_database_that_somebody_else_has_locked_is_waited_for() {
    let scratch = Scratch::empty();
    let other = Connection::open(scratch.at("rates.db")).unwrap();
    other.execute_batch("CREATE TABLE mine (a); BEGIN EXCLUSIVE").unwrap();
    let exchange = Exchange::start();
    let mut program = Running::start(&mut exchange.rates(scratch.path()));
    program.line(LOCKED_MAX, "that the start waits", |_, line| {
        line.contains("rates.db") && line.contains("locked by another process; the start waits")
    });
    other.execute_batch("COMMIT").unwrap();
    super::until(SOON, scratch.path(), "SELECT value AS it FROM jadpo_meta WHERE key = 'schema'");
    program.signal("TERM");
    assert_eq!(program.exit(SOON).code(), Some(0), "{}", program.written());
    let mine = "SELECT count(*) AS it FROM sqlite_schema WHERE name = 'mine'";
    assert_eq!(super::count(scratch.path(), mine), 1, "what was there is left alone");
}

#[test]
fn a_schema_that_is_newer_than_the_program_is_refused() {
    let scratch = Scratch::empty();
    let exchange = Exchange::start();
    let mut first = Running::start(&mut exchange.rates(scratch.path()));
    super::until(SOON, scratch.path(), "SELECT value AS it FROM jadpo_meta WHERE key = 'schema'");
    first.signal("TERM");
    assert_eq!(first.exit(SOON).code(), Some(0));
    let connection = Connection::open(scratch.at("rates.db")).unwrap();
    connection.execute_batch("UPDATE jadpo_meta SET value = 99 WHERE key = 'schema'").unwrap();
    drop(connection);
    let (code, said) = ends(&mut exchange.rates(scratch.path()), SOON);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("rates.db") && said.contains("99"), "{said}");
}
