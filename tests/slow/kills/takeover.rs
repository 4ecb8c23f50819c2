//! Work of a process that is gone is done by another long before its lease is over, and safely where it was only slow.

use std::time::{Duration, Instant};

use jadpo_tests::scratch::Scratch;
use jadpo_tests::wait;

use super::gauge::Gauge;
use super::instance::Place;
use super::kept::Kept;
use super::storm::{Pace, RATE, environment, now_ms};

/// The budget of an ordinary native host, ms: a lease is a minute longer.
const BUDGET_MS: u32 = 15 * 60_000;

/// A dead process's work is taken over in less than this, by the processes' clock.
const TAKEN_OVER: Duration = Duration::from_mins(1);

const LIMIT: Duration = Duration::from_mins(1);

/// How many attempts the one delivery took of which all is about.
const ATTEMPTS: &str = "SELECT attempts FROM jadpo_deliveries WHERE subscriber = 'keep_level' AND state = 'done' ORDER BY id LIMIT 1";

/// Lets one process hold a delivery, does `ends` to it, and gives how long another took to have it done, by the processes'
/// clock.
fn taken_over(ends: impl Fn(&mut Place), after: impl Fn(&mut Place)) -> Duration {
    let folder = Scratch::empty();
    let kept = Kept::Files(folder.path().to_owned());
    let gauge = Gauge::start(5);
    // No second event of the kind comes about.
    gauge.be_still();
    gauge.hold(true);
    let pace = Pace { epoch_ms: now_ms(), rate: RATE, offset_ms: 0, budget_ms: BUDGET_MS };
    let place =
        |name: usize| Place::new(name, folder.at(format!("{name}.log")), environment(&kept, &gauge, &pace));
    let (mut first, mut second) = (place(0), place(1));
    first.start();
    wait::until(LIMIT, "a call that is under way", || (gauge.attempts("explain") > 0).then_some(()));
    ends(&mut first);
    let ended = Instant::now();
    gauge.hold(false);
    second.start();
    let done = "SELECT count(*) FROM levels";
    let is_done = || kept.ask("main", done).is_some_and(|rows| rows != ["0"]).then_some(());
    wait::until(LIMIT, "another that does its work", is_done);
    let took = ended.elapsed() * RATE;
    after(&mut first);
    let left = "SELECT count(*) FROM jadpo_deliveries WHERE state <> 'done'";
    wait::until(LIMIT, "the rest", || kept.ask("main", left).is_some_and(|rows| rows == ["0"]).then_some(()));
    first.stop();
    second.stop();
    assert_eq!(
        kept.count(
            "main",
            "SELECT count(*) FROM (SELECT 1 FROM levels GROUP BY what, number HAVING count(*) > 1)"
        ),
        0
    );
    assert!(kept.count("main", ATTEMPTS) >= 2, "{}", second.tail());
    took
}

#[test]
fn a_dead_process_s_work_is_taken_over_within_a_minute() {
    let took = taken_over(|first| assert!(first.kill()), |_| ());
    assert!(took < TAKEN_OVER, "{took:?}");
}

#[test]
fn one_that_was_only_slow_overwrites_nothing() {
    let took = taken_over(|first| first.signal("STOP"), |first| first.signal("CONT"));
    assert!(took < TAKEN_OVER, "{took:?}");
}
