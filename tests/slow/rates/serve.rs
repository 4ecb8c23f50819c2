//! The first minute of the example: an event within seconds, and an end that loses nothing.

use std::time::Duration;

use jadpo_tests::process::{Running, Stream};
use jadpo_tests::scratch::Scratch;

use super::{Exchange, SOON, count, rates, stop_when_done, until};

/// Until the first event, which waits for no minute to begin.
const FIRST_EVENT: Duration = Duration::from_secs(20);

const EVENTS: &str = "SELECT count(*) AS it FROM jadpo_events";

/// Starts the program with an exchange of its own, and ends it with a signal once it has told of an event.
#[track_caller]
fn runs_until(signal: &str) {
    let scratch = Scratch::empty();
    let mut program = Running::start(&mut rates(scratch.path()));
    program
        .line(FIRST_EVENT, "an event", |stream, line| stream == Stream::Out && line.starts_with("changed  "));
    program.signal_all(signal);
    let exited = program.exit(SOON);
    assert_eq!(exited.code(), Some(0), "{}", program.written());
    assert!(!program.written().contains("panicked"), "{}", program.written());

    assert!(count(scratch.path(), EVENTS) >= 1);
    let intact = "SELECT integrity_check AS it FROM pragma_integrity_check";
    assert_eq!(until(SOON, scratch.path(), intact), "ok");
    let claimed = "SELECT count(*) AS it FROM jadpo_deliveries WHERE state = 'claimed'";
    assert_eq!(count(scratch.path(), claimed), 0, "what was under way was given back");
}

#[test]
fn the_first_event_is_printed_within_seconds_and_ctrl_c_drains() {
    runs_until("INT");
}

#[test]
fn a_supervisor_s_signal_drains_too() {
    runs_until("TERM");
}

#[test]
fn what_is_heard_is_kept_and_told() {
    let scratch = Scratch::empty();
    let exchange = Exchange::start();
    let mut program = Running::start(&mut exchange.rates(scratch.path()));
    program.line(SOON, "a note", |stream, line| stream == Stream::Out && line.starts_with("note     "));
    until(
        SOON,
        scratch.path(),
        "SELECT 1 AS it WHERE (SELECT count(*) FROM jadpo_deliveries WHERE state = 'done') >= 3",
    );
    let written = stop_when_done(&exchange, scratch.path(), program, "INT");

    // EUR in three currencies, gold and silver, for each event of the two kinds.
    let quotes = count(
        scratch.path(),
        "SELECT count(*) AS it FROM jadpo_events WHERE name = 'exchange.QuotesChanged'",
    );
    let metals = count(
        scratch.path(),
        "SELECT count(*) AS it FROM jadpo_events WHERE name = 'exchange.MetalsChanged'",
    );
    assert!(quotes >= 1 && metals >= 1);
    assert_eq!(count(scratch.path(), "SELECT count(*) AS it FROM quotes"), 3 * quotes + 2 * metals);
    assert_eq!(count(scratch.path(), "SELECT count(*) AS it FROM notes"), quotes);
    let secret = "SELECT count(*) AS it FROM jadpo_events WHERE payload LIKE '%a-key%'";
    assert_eq!(count(scratch.path(), secret), 0);
    assert!(!written.contains("a-key"), "{written}");
}

#[test]
fn a_second_signal_ends_it_at_once() {
    let scratch = Scratch::empty();
    let exchange = Exchange::start();
    // A call that is under way would hold the drain for a while.
    exchange.answer(r#"{"mode":"slow","ms":9000}"#);
    let mut program = Running::start(&mut exchange.rates(scratch.path()));
    jadpo_tests::wait::until(SOON, "a call", || (exchange.calls() > 0).then_some(()));
    program.signal("INT");
    program.line(SOON, "that it stops", |_, line| line.contains("stopping"));
    program.signal("INT");
    let code = program.exit(SOON).code();
    assert!(code == Some(130) || code == Some(0), "{code:?} {}", program.written());
}
