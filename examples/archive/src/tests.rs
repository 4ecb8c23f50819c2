//! The archive's own tests: a batch and a backfill, from their start and wherever the process ends.

use jadpo_runtime::testing::{self, TestApp, crash_everywhere};

use crate::app;
use crate::handlers::Archivist;

/// Twenty-five letters instead of twenty thousand, of which one is empty and half have lain for long.
const LETTERS: &str = "
    CREATE TABLE IF NOT EXISTS letters (
        id INTEGER PRIMARY KEY, text TEXT NOT NULL, received TEXT NOT NULL, archived TEXT, words INTEGER
    ) STRICT;
    INSERT INTO letters (id, text, received)
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 25)
    SELECT n, iif(n = 20, '', 'Letter number ' || n), iif(n % 2, '2020', '2026') || '-12-24T00:00:00Z'
    FROM numbers WHERE NOT EXISTS (SELECT * FROM letters);
";

fn archive() -> jadpo_runtime::App {
    app::server(Archivist).prepare("main", LETTERS).env("ARCHIVE_LISTEN", "127.0.0.1:0")
}

/// Each letter that has lain for long is archived, and each that is not empty is counted.
fn is_in_order(app: &mut TestApp) {
    let wrong = "SELECT id FROM letters WHERE (archived IS NULL) = (received < '2026')
        OR words IS NOT iif(text = '', NULL, 3)";
    assert!(app.rows("main", wrong).is_empty());
}

#[test]
fn one_request_puts_all_in_order() {
    let mut app = testing::app(archive());
    app.request("POST /order").send().expect_status(202);
    app.settle();
    app.expect_batch_done("archive_letters", 1).expect_batch_done("count_words", 1);
    is_in_order(&mut app);
}

#[test]
fn what_was_missed_is_done_at_night() {
    let mut app = testing::app(archive());
    app.run_schedule("put_in_order_nightly");
    app.settle();
    assert!(app.now().to_string().starts_with("2027-01-01T03:"));
    is_in_order(&mut app);
}

#[test]
fn no_letter_is_archived_twice_wherever_the_process_ends() {
    // A letter that is archived already would fail the step, and the run with it.
    let scenario = |app: &mut TestApp| _ = app.call("put_in_order", ());
    crash_everywhere(archive, scenario, |app| {
        app.expect_batch_done("archive_letters", 1).expect_batch_done("count_words", 1);
        is_in_order(app);
    });
}
