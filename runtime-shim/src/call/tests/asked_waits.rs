//! `Retry-After`: never before the time asked for, for the whole connection, holding no slot, not all in one instant.

use futures_util::future::join_all;
use insta::assert_snapshot;

use super::{START_MS, shown, world, world_with};
use crate::call::{CallErrorKind, Turn};
use crate::sim::{Reply, Script};

const GOOD: &str = r#"{"btc":"1"}"#;

fn busy(retry_after: &str) -> Reply {
    Reply::status(429).header("Retry-After", retry_after)
}

/// Each status that comes with such a wait.
fn any_busy(retry_after: &str) -> [Reply; 2] {
    [429, 503].map(|status| Reply::status(status).header("Retry-After", retry_after))
}

#[test]
fn a_wait_within_the_longest_is_waited_and_a_little_more() {
    for (seed, retry_after) in [(1, "3"), (2, "Wed, 03 Mar 2027 10:00:03 GMT"), (3, "3")] {
        for busy in any_busy(retry_after) {
            let script = Script::new().on("/v1/", vec![busy, Reply::json(GOOD)]);
            let world = world_with(&script, seed, |_| {});
            world.call("prices").unwrap();
            let wait = world.sent_ms()[1];
            assert!((3_000..=3_750).contains(&wait), "{wait}");
        }
    }
}

#[test]
fn one_that_is_past_or_unreadable_is_an_ordinary_backoff() {
    for retry_after in ["Wed, 03 Mar 2027 09:00:00 GMT", "soon", "-1", "0", ""] {
        for busy in any_busy(retry_after) {
            let script = Script::new().on("/v1/", vec![busy, Reply::json(GOOD)]);
            let world = world(&script);
            world.call("prices").unwrap();
            assert!(world.sent_ms()[1] <= 200, "{retry_after}");
        }
    }
}

#[test]
fn a_longer_one_fails_at_once_and_keeps_the_connection_quiet_until_then() {
    let script = Script::new().on("/v1/", vec![busy("120"), Reply::json(GOOD)]);
    let world = world(&script);
    assert_snapshot!(world.failure("prices"), @"feed.prices: status 429, no content type, no body");
    assert_eq!(world.now_ms(), 0);
    let refused = world.call("ping").unwrap_err();
    let CallErrorKind::AskedToWait(until_ms) = refused.kind else { panic!("{refused}") };
    assert!((120_000..=150_000).contains(&(until_ms - START_MS)), "{until_ms}");
    assert!(
        shown(&refused)
            .starts_with("feed.ping: not sent: the provider asked to be left alone until 2027-03-03T10:02")
    );
    assert_eq!((refused.attempts, script.calls(), world.feed.slots().out), (0, 1, 0));
    // Another connection to the same provider has its own answer to wait for.
    let other = world.another(1);
    world.sim.run(other.call("prices", None, Turn::Wait)).unwrap();
    let left_ms = u64::try_from(until_ms - START_MS).unwrap();
    world.sim.run(world.sim.timers().sleep(left_ms - 1));
    assert!(world.call("prices").is_err());
    world.sim.run(world.sim.timers().sleep(1));
    assert!(world.call("prices").is_ok());
}

#[test]
fn a_longer_one_does_so_whichever_status_it_comes_with() {
    for busy in any_busy("120") {
        let script = Script::new().on("/v1/", vec![busy, Reply::json(GOOD)]);
        let world = world(&script);
        assert!(world.call("prices").is_err());
        assert!(matches!(world.call("ping").unwrap_err().kind, CallErrorKind::AskedToWait(_)));
        assert_eq!((world.now_ms(), script.calls()), (0, 1));
    }
}

#[test]
fn it_lasts_an_hour_at_most() {
    for retry_after in ["86400", "99999999999999999999", "Thu, 04 Mar 2027 10:00:00 GMT"] {
        let world = world(&Script::new().on("/v1/", vec![busy(retry_after), Reply::json(GOOD)]));
        world.failure("prices");
        world.sim.run(world.sim.timers().sleep(3_599_999));
        assert!(world.call("prices").is_err());
        world.sim.run(world.sim.timers().sleep(1));
        assert!(world.call("prices").is_ok());
    }
}

#[test]
fn a_call_that_may_not_be_sent_again_still_tells_the_others() {
    let script = Script::new().on("POST", vec![busy("3")]).on("GET", vec![Reply::json(GOOD)]);
    let world = world(&script);
    assert_snapshot!(world.failure("order"), @"feed.order: status 429, no content type, no body");
    world.call("prices").unwrap();
    let sent = world.sent_ms();
    assert!(sent.len() == 2 && (3_000..=3_750).contains(&sent[1]), "{sent:?}");
}

#[test]
fn a_call_that_waited_for_its_slot_meanwhile_waits_too() {
    // Two hold the slots; the first of them is told to wait, the second holds on until after that.
    let script = Script::new().make("/v1/", |_, number| match number {
        0 => busy("2").after_ms(100),
        1 => Reply::json(GOOD).after_ms(500),
        _ => Reply::json(GOOD),
    });
    let world = world(&script);
    let calls = join_all((0..4).map(|_| world.feed.call("prices", None, Turn::Wait)));
    assert!(world.sim.run(calls).iter().all(Result::is_ok));
    let sent = world.sent_ms();
    assert!(sent[..2] == [0, 0] && sent[2..].iter().all(|at| *at >= 2_100), "{sent:?}");
}

#[test]
fn a_wait_within_the_longest_may_be_longer_than_an_hour() {
    let script = Script::new().on("/v1/", vec![busy("7200"), Reply::json(GOOD)]);
    let world = world_with(&script, 1, |plan| {
        plan.packages.get_mut("coinfeed").unwrap().retry.max_ms = 10_000_000;
    });
    world.call("prices").unwrap();
    assert!(world.sent_ms()[1] >= 7_200_000);
}

#[test]
fn a_stepped_clock_neither_shortens_nor_lengthens_a_wait() {
    for step_ms in [-3_600_000, 3_600_000] {
        let world = world(&Script::new().on("/v1/", vec![busy("120"), Reply::json(GOOD)]));
        world.failure("prices");
        world.host.step_wall(step_ms);
        world.sim.run(world.sim.timers().sleep(119_999));
        assert!(world.call("prices").is_err());
        world.sim.run(world.sim.timers().sleep(30_001));
        assert!(world.call("prices").is_ok());
    }
}

#[test]
fn fifty_that_wait_hold_no_slot_and_do_not_return_in_one_instant() {
    let script =
        Script::new().make("/v1/", |_, number| if number < 50 { busy("4") } else { Reply::json(GOOD) });
    let world = world(&script);
    let connections: Vec<_> = (1..=50).map(|number| world.another(number)).collect();
    let calls = connections.iter().map(|connection| connection.call("prices", None, Turn::Wait));
    let looker = async {
        world.sim.timers().sleep(2_000).await;
        connections.iter().map(|connection| connection.slots().out).sum::<u64>()
    };
    let (answers, held) = world.sim.run(futures_util::future::join(join_all(calls), looker));
    assert!(answers.iter().all(Result::is_ok));
    assert_eq!(held, 0);
    let mut returned = world.sent_ms().split_off(50);
    assert!(returned.iter().all(|at| (4_000..=5_000).contains(at)), "{returned:?}");
    returned.sort_unstable();
    returned.dedup();
    assert!(returned.len() > 40, "{returned:?}");
}
