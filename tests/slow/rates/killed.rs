//! A process that is killed in the middle: what it had committed is not done again, and what it had not is.

use std::path::Path;
use std::time::Duration;

use jadpo_tests::process::Running;
use jadpo_tests::scratch::Scratch;

use super::{Exchange, SOON, count, stop_when_done, until};

/// Until a dead process is noticed and its work is done by another: half a minute, and then some.
const TAKEN_OVER: Duration = Duration::from_secs(90);

const MIDDLE: &str = "SELECT 1 AS it WHERE EXISTS (SELECT * FROM jadpo_deliveries WHERE subscriber = 'keep_note' AND state = 'claimed')
    AND (SELECT count(*) FROM jadpo_deliveries WHERE subscriber = 'keep_quotes' AND state = 'done') >= 2";

fn events(folder: &Path, name: &str) -> u64 {
    count(folder, &format!("SELECT count(*) AS it FROM jadpo_events WHERE name = 'exchange.{name}'"))
}

#[test]
fn nothing_committed_is_done_twice_and_the_rest_is_done() {
    let scratch = Scratch::empty();
    let folder = scratch.path();
    let exchange = Exchange::start();
    // Each call takes so long that a note is under way while the quotes are long committed.
    exchange.answer(r#"{"mode":"slow","ms":4000}"#);
    let mut first = Running::start(&mut exchange.rates(folder));
    until(SOON, folder, MIDDLE);
    first.signal_all("KILL");
    let exited = first.exit(SOON);
    assert_eq!(exited.code(), None, "a signal ended it");
    assert_eq!(count(folder, "SELECT count(*) AS it FROM notes"), 0);
    let done = "SELECT count(*) AS it FROM jadpo_deliveries WHERE state = 'done'";
    let before = count(folder, done);
    assert!(before >= 2);

    exchange.answer(r#"{"mode":"ok"}"#);
    let second = Running::start(&mut exchange.rates(folder));
    let rest = "SELECT 1 AS it WHERE NOT EXISTS (SELECT * FROM jadpo_deliveries WHERE state <> 'done')";
    until(TAKEN_OVER, folder, rest);
    stop_when_done(&exchange, folder, second, "TERM");

    let (quotes, metals) = (events(folder, "QuotesChanged"), events(folder, "MetalsChanged"));
    assert_eq!(count(folder, "SELECT count(*) AS it FROM quotes WHERE what = 'EUR/USD'"), quotes);
    assert_eq!(count(folder, "SELECT count(*) AS it FROM quotes WHERE what = 'gold'"), metals);
    assert_eq!(count(folder, "SELECT count(*) AS it FROM notes"), quotes);
    assert_eq!(count(folder, "SELECT count(*) AS it FROM jadpo_deliveries"), 2 * quotes + metals);
    let attempts = "SELECT max(attempts) AS it FROM jadpo_deliveries WHERE subscriber = 'keep_note'";
    assert_eq!(count(folder, attempts), 2, "the attempt that was killed counts");
}
