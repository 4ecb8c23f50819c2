//! Slots: never more out than the cap, in order, and given back whatever happens.

use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::{Arc, Mutex};

use futures_util::FutureExt;
use futures_util::future::{Either, join, join_all, select};

use super::{World, world, world_with};
use crate::call::{Asked, CallHandle, DeliveryTurn, Owner, SlotFacts, Slots, Turn};
use crate::host::Host;
use crate::sim::{Reply, Script};

const GOOD: &str = r#"{"btc":"1"}"#;

fn slow() -> Script {
    Script::new().on("/v1/", vec![Reply::json(GOOD).after_ms(1_000)])
}

#[track_caller]
fn check_facts(world: &World, out: u64, waiting: u64) {
    assert_eq!(world.feed.slots(), SlotFacts { cap: Some(2), out, waiting });
}

#[test]
fn never_more_at_once_than_the_cap() {
    let world = world(&slow());
    let calls = join_all((0..9).map(|_| world.feed.call("prices", None, Turn::Wait)));
    assert!(world.sim.run(calls).iter().all(Result::is_ok));
    assert_eq!((world.script.at_once_max(), world.now_ms()), (2, 5_000));
    check_facts(&world, 0, 0);
}

#[test]
fn no_cap_is_any_number() {
    let world =
        world_with(&slow(), 1, |plan| plan.connections.get_mut("feed").unwrap().max_concurrent = None);
    let calls = join_all((0..500).map(|_| world.feed.call("prices", None, Turn::Wait)));
    assert!(world.sim.run(calls).iter().all(Result::is_ok));
    assert_eq!((world.script.at_once_max(), world.now_ms()), (500, 1_000));
}

#[test]
fn waiters_are_served_in_order_and_before_newcomers() {
    let world = world(&Script::new());
    let slots = Slots::new(Some(1));
    let order = Arc::new(Mutex::new(Vec::new()));
    for number in 0..20 {
        let (slots, order, timers) = (slots.clone(), Arc::clone(&order), world.sim.timers());
        world.host.spawn(Box::pin(async move {
            // Newcomers arrive exactly when slots come free, too.
            timers.sleep(number * 5).await;
            let slot = slots.take(None).await;
            order.lock().unwrap().push(number);
            timers.sleep(10).await;
            drop(slot);
        }));
    }
    world.sim.run(world.sim.timers().sleep(1_000));
    assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<_>>());
    assert_eq!(slots.facts(), SlotFacts { cap: Some(1), out: 0, waiting: 0 });
}

#[test]
fn a_waiter_that_leaves_is_passed_over_even_when_it_was_just_handed_a_slot() {
    let slots = Slots::new(Some(1));
    let held = slots.take(None).now_or_never().unwrap();
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    let mut takes: Vec<_> = (0..4).map(|_| Box::pin(slots.take(None))).collect();
    for take in &mut takes {
        assert!(take.as_mut().poll(&mut context).is_pending());
    }
    drop(takes.remove(1));
    assert_eq!(slots.facts().waiting, 3);
    drop(held);
    // The first was handed the slot and never looks; the next in line gets it.
    assert_eq!(slots.facts(), SlotFacts { cap: Some(1), out: 1, waiting: 2 });
    drop(takes.remove(0));
    let second = takes[0].as_mut().now_or_never().unwrap();
    assert!(takes[1].as_mut().poll(&mut context).is_pending());
    drop(second);
    drop(takes);
    assert_eq!(slots.facts(), SlotFacts { cap: Some(1), out: 0, waiting: 0 });
}

#[test]
fn cancelled_calls_give_their_slots_back() {
    let world = world(&Script::new().on("/v1/", vec![Reply::never()]));
    world.sim.run(async {
        for _ in 0..50 {
            let calls = pin!(join_all((0..5).map(|_| world.feed.call("prices", None, Turn::Wait))));
            let leave = pin!(world.sim.timers().sleep(10));
            assert!(matches!(select(calls, leave).await, Either::Right(_)));
            check_facts(&world, 2, 3);
        }
    });
    check_facts(&world, 0, 0);
    assert_eq!((world.script.at_once(), world.script.at_once_max()), (0, 2));
}

#[test]
fn timed_out_and_failed_attempts_give_their_slots_back_before_the_next_wait() {
    let world = world(&Script::new().on("/v1/", vec![Reply::never(), Reply::broken("reset")]));
    let watch = async {
        world.sim.timers().sleep(9_999).await;
        check_facts(&world, 1, 0);
        world.sim.timers().sleep(2).await;
        check_facts(&world, 0, 0);
    };
    let (answer, ()) = world.sim.run(join(world.feed.call("order", None, Turn::Wait), watch));
    assert!(answer.is_err());
    assert!(world.call("prices").is_err());
    check_facts(&world, 0, 0);
}

#[test]
fn a_panic_gives_its_slot_back() {
    let script = Script::new().make("/v1/", |_, number| {
        assert!(number % 3 != 2, "every third one panics");
        Reply::json(GOOD).after_ms(10)
    });
    let world = world(&script);
    let calls = (0..30).map(|_| AssertUnwindSafe(world.feed.call("prices", None, Turn::Wait)).catch_unwind());
    let panicked = world.sim.run(join_all(calls)).iter().filter(|outcome| outcome.is_err()).count();
    assert_eq!(panicked, 10);
    check_facts(&world, 0, 0);
    assert_eq!(world.script.at_once_max(), 2);
}

#[test]
fn a_delivery_that_finds_all_slots_out_is_given_back_and_its_call_never_returns() {
    let world = world(&slow());
    let (turn, give_back) = DeliveryTurn::new();
    let turn = Turn::Delivery(turn);
    let delivery = async {
        world.sim.timers().sleep(500).await;
        let body = pin!(async { CallHandle::new(&world.feed, &turn).call("prices", None).await });
        match select(body, pin!(give_back.asked())).await {
            Either::Left(_) => panic!("the call returned"),
            Either::Right((connection, _)) => (connection, world.now_ms()),
        }
    };
    let polls = join_all((0..2).map(|_| world.feed.call("prices", None, Turn::Wait)));
    let (given_back, _) = world.sim.run(join(delivery, polls));
    assert_eq!(given_back, ("feed".to_owned(), 500));
    assert_eq!(world.script.calls(), 2);
}

#[test]
fn a_delivery_whose_own_calls_hold_all_slots_waits_for_them() {
    let world = world(&slow());
    let (turn, give_back) = DeliveryTurn::new();
    let turn = Turn::Delivery(turn);
    let body = join_all((0..5).map(|_| world.feed.call("prices", None, turn.clone())));
    match world.sim.run(select(pin!(body), pin!(give_back.asked()))) {
        Either::Left((answers, _)) => assert!(answers.iter().all(Result::is_ok)),
        Either::Right(_) => panic!("it was given back"),
    }
    assert_eq!((world.script.at_once_max(), world.now_ms()), (2, 3_000));
}

#[test]
fn asking_tells_apart_who_holds_the_slots() {
    let slots = Slots::new(Some(2));
    let (one, other) = (Owner::unique(), Owner::unique());
    let Asked::Taken(first) = slots.ask(one) else { panic!("two are free") };
    let Asked::Taken(second) = slots.ask(one) else { panic!("one is free") };
    assert!(matches!(slots.ask(one), Asked::OutToAsker));
    assert!(matches!(slots.ask(other), Asked::Out));
    drop(first);
    let Asked::Taken(third) = slots.ask(other) else { panic!("one is free") };
    assert!(matches!(slots.ask(one), Asked::Out));
    drop((second, third));
    assert!(slots.facts().any_free());
}

#[test]
fn a_slot_that_comes_free_is_heard() {
    let world = world(&slow());
    let heard = async {
        world.sim.timers().sleep(1).await;
        let freed = world.feed.slot_freed();
        assert!(!world.feed.slots().any_free());
        freed.await;
        assert!(world.feed.slots().any_free());
        world.now_ms()
    };
    let calls = join_all((0..3).map(|_| world.feed.call("prices", None, Turn::Wait)));
    // With three calls over two slots, the first that comes back is handed on and the second is free.
    assert_eq!(world.sim.run(join(heard, calls)).0, 1_000);
}
