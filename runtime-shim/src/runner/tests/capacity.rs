//! The loop never spins: looks are counted under every configuration that is accepted.

use proptest::prelude::*;

use super::{Value, backlog};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::status::Count;
use crate::trial::Trial;

const SECOND_MS: u64 = 1_000;

fn hangs<'a>(_: &'a str, _: &'a mut Context, _: &'a Delivered) -> Value<'a> {
    Box::pin(std::future::pending())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn at_capacity_looks_are_apart(
        poll_interval_ms in prop_oneof![Just(0), 100_u64..=60_000],
        heartbeat_ms in prop_oneof![Just(0), 100_u64..=60_000],
        workers in 1_u32..10,
        seed in any::<u64>(),
    ) {
        prop_assume!(poll_interval_ms > 0 || heartbeat_ms > 0);
        let trial = Trial::seeded(seed, |plan| {
            let deployable = plan.deployables.get_mut("server").unwrap();
            deployable.polls.clear();
            deployable.runner.workers = workers;
            deployable.runner.at_capacity_poll_interval_ms = poll_interval_ms;
            deployable.runner.at_capacity_heartbeat_ms = heartbeat_ms;
        });
        let instance = trial.start(1, hangs);
        backlog(&trial, 100);
        instance.go();
        trial.pass(SECOND_MS);
        let claimed = trial.rows("SELECT count(*) FROM jadpo_deliveries WHERE state = 'claimed'");
        prop_assert_eq!(claimed, [workers.to_string()]);
        let (looks, statements) = (instance.engine.tally.get(Count::Looks), instance.open().store.operations());
        trial.pass(300 * SECOND_MS);
        let looks = instance.engine.tally.get(Count::Looks) - looks;
        let statements = instance.open().store.operations() - statements;
        let shortest_ms = [poll_interval_ms, heartbeat_ms].into_iter().filter(|ms| *ms > 0).min().unwrap();
        // Besides the shorter sleep, the loop turns for each tick and to be heard from every ten seconds.
        let most = 300_000 / shortest_ms + 300 / 60 + 300 / 10 + 5;
        prop_assert!(looks <= most, "{looks} looks, at most {most} were expected");
        prop_assert!(looks >= 300_000 / shortest_ms.max(10_000), "{looks} looks: it did not show that it lives");
        prop_assert!(statements <= 300 / 10 + 300 / 60 + 5, "{statements} statements at capacity");
    }
}
