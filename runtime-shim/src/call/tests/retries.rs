//! Attempts, waits between them, and deadlines.

use insta::assert_snapshot;

use super::{world, world_with};
use crate::call::retry::worst_case_ms;
use crate::plan::Retry;
use crate::sim::{Reply, Script};

const GOOD: &str = r#"{"btc":"1"}"#;

#[track_caller]
fn check_attempts(operation: &str, reply: Reply, expected: usize) {
    let script = Script::new().on("/v1/", vec![reply]);
    world(&script).failure(operation);
    assert_eq!(script.calls(), expected, "{operation}");
}

#[test]
fn what_may_pass_is_tried_again_only_where_that_is_safe() {
    for status in [408, 425, 429, 500, 502, 503, 504] {
        check_attempts("prices", Reply::status(status), 3);
        check_attempts("keyed", Reply::status(status), 3);
        check_attempts("order", Reply::status(status), 1);
    }
    check_attempts("prices", Reply::broken("reset"), 3);
    check_attempts("prices", Reply::never(), 3);
    check_attempts("order", Reply::broken("reset"), 1);
    check_attempts("order", Reply::never(), 1);
}

#[test]
fn what_would_be_the_same_again_is_not_asked_again() {
    for status in [301, 304, 400, 401, 404, 409, 501] {
        check_attempts("prices", Reply::status(status), 1);
    }
    check_attempts("prices", Reply::json("<html>"), 1);
    check_attempts("prices", Reply::json(&"x".repeat(1_001)), 1);
}

#[test]
fn a_later_attempt_may_succeed() {
    let script =
        Script::new().on("/v1/", vec![Reply::status(500), Reply::broken("reset"), Reply::json(GOOD)]);
    assert_eq!(world(&script).call("prices").unwrap().status(), 200);
    assert_eq!(script.calls(), 3);
}

#[test]
fn waits_stay_within_full_jitter_and_differ_by_seed() {
    let mut firsts = Vec::new();
    for seed in 0..200 {
        let script = Script::new().on("/v1/", vec![Reply::status(503)]);
        let world = world_with(&script, seed, |_| {});
        world.failure("prices");
        let sent = world.sent_ms();
        let waits = [sent[1] - sent[0], sent[2] - sent[1]];
        assert!((0..=200).contains(&waits[0]) && (0..=400).contains(&waits[1]), "seed {seed}: {waits:?}");
        firsts.push(waits[0]);
    }
    firsts.sort_unstable();
    assert!(firsts[20] < 40 && firsts[180] > 160, "the whole range is used: {firsts:?}");
}

#[test]
fn no_call_takes_longer_than_its_worst_case() {
    for retry in [
        Retry { attempts: 3, initial_ms: 200, max_ms: 5_000 },
        Retry { attempts: 10, initial_ms: 100, max_ms: 1_000 },
        Retry { attempts: 1, initial_ms: 200, max_ms: 5_000 },
    ] {
        let worst_ms = i64::try_from(worst_case_ms(&retry, 10_000)).unwrap();
        let attempts_ms = 10_000 * i64::from(retry.attempts);
        let took = |seed| {
            let world = world_with(&Script::new().on("/v1/", vec![Reply::never()]), seed, |plan| {
                plan.packages.get_mut("coinfeed").unwrap().retry = retry;
            });
            world.failure("prices");
            assert_eq!(world.script.calls(), usize::try_from(retry.attempts).unwrap());
            world.now_ms()
        };
        let took: Vec<i64> = (0..200).map(took).collect();
        assert!(
            took.iter().all(|ms| (attempts_ms..=worst_ms).contains(ms)),
            "{worst_ms} for {retry:?}: {took:?}"
        );
        // The waits are by chance, and the longest of so many comes near.
        let near_ms = attempts_ms + (worst_ms - attempts_ms) * 2 / 3;
        assert!(took.iter().any(|ms| *ms >= near_ms), "{worst_ms} for {retry:?}: {took:?}");
    }
}

#[test]
fn a_deadline_covers_the_whole_answer() {
    // A provider that dribbles is one whose whole answer comes late: the script has no half answers.
    for slow in [Reply::never(), Reply::json(GOOD).after_ms(10_001)] {
        let script = Script::new().on("/v1/", vec![slow]);
        let world = world(&script);
        assert_eq!(world.failure("order"), "feed.order: no whole answer within 10000 ms");
        assert_eq!((world.now_ms(), world.script.at_once(), world.feed.slots().out), (10_000, 0, 0));
    }
    let script = Script::new().on("/v1/", vec![Reply::json(GOOD).after_ms(9_999)]);
    assert_eq!(world(&script).call("prices").unwrap().status(), 200);
}

#[test]
fn the_text_says_how_often_it_was_tried() {
    let script =
        Script::new().on("/v1/", vec![Reply::status(503).header("content-type", "text/plain").body("busy")]);
    assert_snapshot!(world(&script).failure("prices"), @"feed.prices: status 503, text/plain: busy (after 3 attempts)");
}
