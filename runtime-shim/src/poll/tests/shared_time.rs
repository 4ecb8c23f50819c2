//! Instances that share a store go by its time, whatever their own clocks say.

use super::instances::{MINUTE_MS, minutes_called, world};
use crate::host::BoxFuture;
use crate::status::Count;
use crate::store::Store;
use crate::trial::fine;
use crate::{Context, Delivered, Failure};

/// A body that takes most of a minute.
fn slow<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async {
        cx.host.sleep(50_000).await;
        Ok(())
    })
}

#[test]
fn clocks_that_differ_call_once_an_interval() {
    let (trial, memory) = world(1).sharing_memory();
    let instances = [0, 240_000, -240_000].map(|ahead_ms| {
        let instance = trial.start(10_u64.wrapping_add_signed(ahead_ms), fine);
        instance.machine.step_wall(ahead_ms);
        instance.go();
        instance
    });
    trial.pass(30 * MINUTE_MS + 1_000);
    assert_eq!(minutes_called(&trial), (0..=30).collect::<Vec<i64>>());
    instances[1].machine.step_wall(-3_600_000);
    instances[2].machine.step_wall(3_600_000);
    trial.pass(10 * MINUTE_MS);
    assert_eq!(minutes_called(&trial), (0..=40).collect::<Vec<i64>>(), "a clock that steps changes nothing");
    let now_ms = trial.sim.timers().wall_ms();
    for instance in &instances {
        assert!((instance.engine.now_ms() - now_ms).abs() <= 1);
    }
    assert!(memory.operations() > 0);
}

#[test]
fn a_live_claim_is_not_taken_by_one_whose_clock_is_ahead() {
    let (trial, _memory) = world(10).sharing_memory();
    let first = trial.serve(1, slow);
    trial.pass(2_000);
    let ahead = trial.start(2, slow);
    ahead.machine.step_wall(240_000);
    ahead.go();
    trial.pass(2 * MINUTE_MS);
    let done = |of: &crate::trial::Instance| of.engine.tally.get(Count::DeliveriesDone);
    assert_eq!((done(&first), done(&ahead)), (1, 0));
}

#[test]
fn after_a_sleep_of_the_machine_the_time_is_read_anew() {
    let (trial, _memory) = world(1).sharing_memory();
    let instance = trial.serve(1, fine);
    trial.pass(90_000);
    // The world's time goes on while the machine sleeps; its monotonic clock, which sees none of it, is the world's here, so
    // what it missed is put onto its boot clock alone.
    instance.machine.has_slept(600_000);
    trial.pass(2 * MINUTE_MS);
    let now_ms = trial.sim.timers().wall_ms();
    assert!((instance.engine.now_ms() - now_ms).abs() <= 1, "read again, it is the store's");
}

#[test]
fn one_instance_starts_what_another_has_kept() {
    let (mut trial, _memory) = world(10).sharing_memory();
    let mut polls = trial.plan.deployables.get_mut("server").unwrap().polls.split_off(0);
    let waits = trial.serve(1, fine);
    trial.pass(1_000);
    trial.plan.deployables.get_mut("server").unwrap().polls.append(&mut polls);
    trial.plan.deployables.get_mut("server").unwrap().subscribers.clear();
    let _polls = trial.serve(2, fine);
    trial.pass(1_000);
    assert_eq!(waits.engine.tally.get(Count::DeliveriesDone), 1, "long before its next tick");
}
