//! Work of a process that is gone is done by another long before its lease is over, and safely where it was only slow.

use std::time::{Duration, Instant};

use jadpo_tests::scratch::Scratch;
use jadpo_tests::wait;

use super::gauge::Gauge;
use super::instance::Place;
use super::kept::Kept;
use super::storm::{Pace, environment, now_ms};

/// Seconds of the processes' clock in one of the machine's. Slower than elsewhere: half a minute of silence and the start of
/// another process must fit into what a takeover may last, on a machine that does much else too.
const RATE: u32 = 4;

/// The budget of an ordinary native host, ms: a lease is a minute longer.
const BUDGET_MS: u32 = 15 * 60_000;

/// A dead process's work is taken over in less than this, by the processes' clock.
const TAKEN_OVER: Duration = Duration::from_mins(1);

const LIMIT: Duration = Duration::from_mins(1);

/// The deliveries of which all is about: of the first level and of the first tide.
const HELD: usize = 2;

/// The attempts that each of them took.
const ATTEMPTS: &str =
    "SELECT attempts FROM jadpo_deliveries WHERE subscriber = 'keep_level' AND state = 'done'";

/// Lets one process hold deliveries, does `ends` to it, and gives how long another took to have them done, by the processes'
/// clock.
fn taken_over(ends: impl Fn(&Kept<'_>, &mut Place), after: impl Fn(&mut Place)) -> Duration {
    let folder = Scratch::empty();
    let kept = Kept::Files(folder.path().to_owned());
    let gauge = Gauge::start(5);
    // No second event of a kind comes about.
    gauge.be_still();
    gauge.hold(true);
    let pace = Pace { epoch_ms: now_ms(), rate: RATE, offset_ms: 0, budget_ms: BUDGET_MS };
    let place =
        |name: usize| Place::new(name, folder.at(format!("{name}.log")), environment(&kept, &gauge, &pace));
    let (mut first, mut second) = (place(0), place(1));
    first.start();
    // What it does not hold yet, another may do at once.
    let claimed = "SELECT id FROM jadpo_deliveries WHERE subscriber = 'keep_level' AND state = 'claimed'";
    let holds = || {
        let claimed = kept.ask("main", claimed).is_some_and(|rows| rows.len() == HELD);
        (claimed && gauge.attempts("explain") >= HELD as u64).then_some(())
    };
    wait::until(LIMIT, "calls that are under way", holds);
    ends(&kept, &mut first);
    let ended = Instant::now();
    gauge.hold(false);
    second.start();
    let is_done = || kept.ask("main", ATTEMPTS).is_some_and(|rows| rows.len() == HELD).then_some(());
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
    let attempts = kept.rows("main", ATTEMPTS);
    assert!(attempts.iter().all(|of_one| of_one != "1"), "{attempts:?}\n{}", second.tail());
    took
}

#[test]
fn a_dead_process_s_work_is_taken_over_within_a_minute() {
    let took = taken_over(|_, first| assert!(first.kill(false)), |_| ());
    assert!(took < TAKEN_OVER, "{took:?}");
}

#[test]
fn one_that_was_only_slow_overwrites_nothing() {
    // In the middle of a write it would hold the file's lock until it goes on, and nobody could take over.
    let slows = |kept: &Kept<'_>, first: &mut Place| kept.while_nobody_writes(|| first.hold_up());
    let took = taken_over(slows, |first| first.signal("CONT"));
    assert!(took < TAKEN_OVER, "{took:?}");
}
