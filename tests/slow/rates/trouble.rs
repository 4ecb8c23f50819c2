//! A provider in trouble: the poll's row names what is wrong, and the next good answer clears it.

use std::path::Path;
use std::thread;

use jadpo_tests::process::Running;
use jadpo_tests::scratch::Scratch;

use super::{Exchange, NEXT_TICK, SOON, count, until};

/// The errors of both polls, a line each.
const ERRORS: &str = "SELECT group_concat(last_error, char(10)) AS it FROM jadpo_polls WHERE (SELECT count(last_error) FROM jadpo_polls) = 2";
const CLEARED: &str = "SELECT digest AS it FROM jadpo_polls WHERE name = 'poll feed.metals' AND last_error IS NULL AND digest IS NOT NULL";

/// Starts with a provider in `mode`, waits for errors that hold all of `named`, then for the end of the trouble.
fn troubled(mode: &str, named: &[&str]) {
    let scratch = Scratch::empty();
    let exchange = Exchange::start();
    exchange.answer(mode);
    let mut program = Running::start(&mut exchange.rates(scratch.path()));
    let errors = until(NEXT_TICK, scratch.path(), ERRORS);
    // A provider that asked to be left alone may have done so before the other poll's call was sent.
    let answered: Vec<&str> = errors.lines().filter(|error| !error.contains("asked_to_wait")).collect();
    assert!(!answered.is_empty(), "{errors}");
    for part in named {
        assert!(answered.iter().all(|error| error.contains(part)), "`{part}` is not in each of {errors}");
    }
    assert!(!errors.contains("a-key"), "{errors}");
    assert_eq!(events(scratch.path()), 0, "nothing is kept of an answer that is none");

    exchange.answer(r#"{"mode":"ok"}"#);
    until(NEXT_TICK, scratch.path(), CLEARED);
    assert_eq!(events(scratch.path()), 1, "the first answer is an event");
    program.signal("TERM");
    assert_eq!(program.exit(SOON).code(), Some(0), "{}", program.written());
}

fn events(folder: &Path) -> u64 {
    count(folder, "SELECT count(*) AS it FROM jadpo_events WHERE name = 'exchange.MetalsChanged'")
}

#[test]
fn every_trouble_is_named_and_passes() {
    // Each waits for the clock's next minute, so they wait together.
    let troubles = [
        thread::spawn(|| troubled(r#"{"mode":"fail"}"#, &["status", "500", "the exchange is closed"])),
        thread::spawn(|| troubled(r#"{"mode":"busy","seconds":7}"#, &["429"])),
        thread::spawn(|| troubled(r#"{"mode":"html"}"#, &["text/html", "200", "<!doctype html>"])),
        thread::spawn(|| troubled(r#"{"mode":"slow","ms":11000}"#, &["timeout"])),
    ];
    for trouble in troubles {
        trouble.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

#[test]
fn a_provider_that_is_not_there_is_named_too() {
    let scratch = Scratch::empty();
    let exchange = Exchange::start();
    let mut command = exchange.rates(scratch.path());
    drop(exchange);
    let mut program = Running::start(&mut command);
    let errors = until(NEXT_TICK, scratch.path(), ERRORS);
    assert!(errors.lines().all(|error| error.contains("transport")), "{errors}");
    program.signal("TERM");
    assert_eq!(program.exit(SOON).code(), Some(0), "{}", program.written());
}
