//! Processes that die, that are too slow, and deliveries that kill them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Value, backlog, errors, states, writes};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::trial::{Body, Trial};

const SECOND_MS: u64 = 1_000;

/// Takes four seconds and writes then.
fn slow<'a>(_: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
    Box::pin(async move {
        cx.host.sleep(4 * SECOND_MS).await;
        cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (event.payload.as_str(),));
        Ok(())
    })
}

fn hangs<'a>(_: &'a str, _: &'a mut Context, _: &'a Delivered) -> Value<'a> {
    Box::pin(std::future::pending())
}

fn quiet() -> Trial {
    Trial::new(|plan| plan.deployables.get_mut("server").unwrap().polls.clear())
}

#[test]
fn what_a_killed_process_held_is_taken_again_and_nothing_is_lost() {
    let trial = quiet();
    let killed = trial.serve(1, slow);
    trial.pass(SECOND_MS);
    backlog(&trial, 10);
    trial.pass(61 * SECOND_MS);
    killed.crash();
    let claimed = "SELECT count(*) FROM jadpo_deliveries WHERE state = 'claimed'";
    assert_eq!(trial.rows(claimed), ["8"]);
    let _other = trial.serve(2, slow);
    trial.pass(28 * SECOND_MS);
    assert_eq!(trial.rows(claimed), ["8"], "it may only be slow");
    trial.pass(15 * SECOND_MS);
    assert_eq!(states(&trial), "done 10");
    assert_eq!(trial.rows("SELECT count(*), count(DISTINCT btc) FROM quotes"), ["10 | 10"]);
    assert_eq!(trial.rows("SELECT max(attempts) FROM jadpo_deliveries"), ["2"]);
}

#[test]
fn a_living_process_keeps_what_it_holds_however_long() {
    let trial = quiet();
    let first = trial.serve(1, hangs);
    backlog(&trial, 8);
    trial.pass(SECOND_MS);
    let _second = trial.serve(2, writes);
    trial.pass(600 * SECOND_MS);
    assert_eq!(states(&trial), "claimed 8");
    assert_eq!(trial.rows("SELECT max(attempts) FROM jadpo_deliveries"), ["1"]);
    first.crash();
    trial.pass(45 * SECOND_MS);
    assert_eq!(states(&trial), "done 8");
}

#[test]
fn a_late_worker_overwrites_nothing() {
    let trial = quiet();
    let slow_one = trial.serve(1, slow);
    backlog(&trial, 1);
    trial.pass(SECOND_MS);
    // Another process believes that the first is gone, and has it done meanwhile.
    trial.execute("DELETE FROM jadpo_instances");
    let _second = trial.serve(2, writes);
    trial.pass(10 * SECOND_MS);
    assert_eq!(states(&trial), "done 1");
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["1"], "the fence held");
    assert_eq!(slow_one.engine.tally.get(crate::status::Count::DeliveriesDone), 0);
}

#[test]
fn a_delivery_that_kills_its_process_gives_up_too() {
    let trial = quiet();
    backlog_on(&trial, 1);
    for machine in 1..=3 {
        let victim = trial.serve(machine, hangs);
        trial.pass(35 * SECOND_MS);
        assert_eq!(states(&trial), "claimed 1");
        victim.crash();
    }
    let _last = trial.serve(9, writes);
    trial.pass(60 * SECOND_MS);
    assert_eq!(states(&trial), "failed 1");
    assert_eq!(errors(&trial), ["its process ended"]);
    assert_eq!(trial.rows("SELECT attempts FROM jadpo_deliveries"), ["3"]);
}

#[test]
fn idle_wake_ups_cost_no_attempt() {
    let trial = quiet();
    let _instance = trial.serve(1, writes);
    let hour_ms = 3_600 * SECOND_MS;
    backlog(&trial, 1);
    trial.execute(&format!(
        "UPDATE jadpo_deliveries SET due_ms = due_ms + {}, give_up_ms = give_up_ms + {}",
        5 * hour_ms,
        5 * hour_ms
    ));
    // Two hundred ticks, none of which finds it due.
    trial.pass(200 * 60 * SECOND_MS);
    assert_eq!(trial.rows("SELECT state, attempts FROM jadpo_deliveries"), ["pending | 0"]);
    trial.pass(2 * hour_ms);
    assert_eq!(trial.rows("SELECT state, attempts FROM jadpo_deliveries"), ["done | 1"]);
}

#[test]
fn a_clock_that_jumps_runs_nothing_twice_in_one_process() {
    let ran = Arc::new(AtomicU32::new(0));
    let trial = quiet();
    let instance = trial.serve(1, counting(ran.clone()));
    backlog(&trial, 1);
    trial.pass(2 * SECOND_MS);
    instance.machine.step_wall(3_600_000);
    trial.pass(90 * SECOND_MS);
    instance.machine.step_wall(-7_200_000);
    trial.pass(90 * SECOND_MS);
    assert_eq!(ran.load(Ordering::SeqCst), 1);
    assert_eq!(states(&trial), "claimed 1");
}

/// Hangs, and counts how often it was begun.
fn counting(ran: Arc<AtomicU32>) -> impl Body {
    fn body<F>(f: F) -> F
    where
        F: for<'a> Fn(&'a str, &'a mut Context, &'a Delivered) -> Value<'a>,
    {
        f
    }
    body(move |_, _, _| {
        ran.fetch_add(1, Ordering::SeqCst);
        Box::pin(std::future::pending())
    })
}

/// A backlog in a file that no instance has opened yet.
fn backlog_on(trial: &Trial, count: u32) {
    drop(trial.start(99, writes));
    backlog(trial, count);
}
