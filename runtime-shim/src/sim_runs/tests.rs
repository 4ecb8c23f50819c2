//! Runs in which one thing goes wrong, which some seed once found.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::checks;
use super::code::Code;
use super::faults::{Fault, Faults};
use super::faulty_store::FaultyStore;
use super::machine::Machine;
use super::record::Record;
use super::scenario::chosen;
use super::world::World;
use crate::action::{self, Ask};
use crate::sim::Reply;
use crate::store::{Fence, NewRun};
use crate::trial::Trial;

#[test]
fn a_step_whose_answer_is_lost_is_kept_once_and_its_run_goes_on_at_once() {
    chosen(false, async |world| {
        world.start();
        world.timers.sleep(1_000).await;
        world.faults.only("commit", Fault::Unanswered);
        let input = r#"{"btc":"1"}"#.to_owned();
        world.record.facts().runs.push(input.clone());
        let created_at_ms = world.timers.wall_ms();
        let run = NewRun { batch: "recount".to_owned(), input: Some(input), trace: None, created_at_ms };
        world.live[0].stores["main"].start_run(run).await.expect("the store answers");
        world.timers.sleep(20_000).await;
        assert!(checks::nothing_is_left(world).await, "{}", checks::left(world).await);
    });
}

/// Loses the answer to the next statement of this name, and lets so much time pass: what it took has ended by then, though
/// nobody else could take it over and its lease goes on for a quarter of an hour.
fn loses(what: &'static str, then: &impl AsyncFn(&mut World<'_>), within_ms: u64) {
    for files in [false, true] {
        chosen(files, async |world| {
            world.faults.only(what, Fault::Unanswered);
            world.start();
            then(world).await;
            world.timers.sleep(within_ms).await;
            assert!(!world.faults.is_chosen(), "{what} was never asked");
            assert!(checks::nothing_is_left(world).await, "{what}: {}", checks::left(world).await);
        });
    }
}

#[test]
fn what_was_claimed_without_an_answer_is_taken_again_at_once() {
    // The first tick keeps a price, which two subscribers hear.
    loses("claim_deliveries", &async |_: &mut World<'_>| {}, 10_000);
}

#[test]
fn a_batch_run_that_was_claimed_without_an_answer_goes_on_at_once() {
    let starts = async |world: &mut World<'_>| {
        let input = r#"{"btc":"1"}"#.to_owned();
        world.record.facts().runs.push(input.clone());
        let created_at_ms = world.timers.wall_ms();
        let run = NewRun { batch: "recount".to_owned(), input: Some(input), trace: None, created_at_ms };
        world.live[0].stores["main"].start_run(run).await.expect("the store answers");
    };
    loses("claim_run", &starts, 10_000);
}

#[test]
fn a_schedule_that_was_claimed_without_an_answer_runs_at_the_next_tick() {
    let first_tick = async |world: &mut World<'_>| {
        world.faults.heal();
        world.timers.sleep(1_000).await;
        world.faults.only("claim_schedule", Fault::Unanswered);
    };
    loses("claim_schedule", &first_tick, 130_000);
}

#[test]
fn what_a_waiting_request_s_commit_set_off_is_taken_again_at_once() {
    let asks = async |world: &mut World<'_>| {
        world.faults.heal();
        world.timers.sleep(1_000).await;
        world.faults.only("commit", Fault::Unanswered);
        world.transfer();
    };
    loses("commit", &asks, 10_000);
}

#[test]
fn a_machine_lost_at_any_step_around_the_commits_in_two_stores_loses_and_doubles_nothing() {
    for files in [false, true] {
        let mut between = 0;
        for steps in 0.. {
            let mut was_lost = false;
            chosen(files, async |world| {
                world.faults.only_slow();
                world.start();
                world.timers.sleep(1_000).await;
                let (machine, stores) = (world.live[0].machine.clone(), world.live[0].stores.clone());
                world.transfer();
                machine.crash_after(steps);
                world.timers.sleep(2_000).await;
                was_lost = machine.is_lost();
                if was_lost {
                    let main = stores["main"].delivery_counts().await.expect("the store answers");
                    between += u32::from(checks::is_heard(world, 1_000_000).await && main.claimed > 0);
                    world.bury();
                    world.start();
                }
                world.timers.sleep(200_000).await;
                assert!(checks::nothing_is_left(world).await, "{steps}: {}", checks::left(world).await);
            });
            if !was_lost {
                break;
            }
        }
        assert!(between >= 2, "it was lost {between} times between the two commits");
    }
}

#[test]
fn a_store_that_hangs_delays_nothing_in_the_other() {
    for workers in [1, 8] {
        let mut trial = Trial::new(|plan| {
            *plan = super::plan::plan(0);
            "main".clone_into(&mut plan.subscribers.get_mut("hear_kept").expect("it is there").store);
            // Something must write the other store, or nobody opens it.
            "desk".clone_into(&mut plan.subscribers.get_mut("watch").expect("it is there").store);
            plan.deployables.get_mut("server").expect("it is there").runner.workers = workers;
        });
        let timers = trial.sim.timers();
        trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":60,"eth":2}"#));
        trial.script.set("/v1/ping", |_, _| Reply::json("{}"));
        let faults = Arc::new(Faults::new(trial.sim.host(50), 0));
        faults.heal();
        let machine = Arc::new(Machine::new(trial.sim.host(51), timers.clone()));
        let (record, far) = (Arc::new(Record::new(timers, false)), faults.clone());
        trial.between = Some(Box::new(move |name, inner| {
            if name != "desk" {
                return inner;
            }
            let (name, machine) = (name.to_owned(), machine.clone());
            Arc::new(FaultyStore {
                name,
                inner,
                machine,
                number: 1,
                faults: far.clone(),
                record: record.clone(),
                turn: Arc::default(),
            })
        }));
        let instance = trial.serve_app(1, Code { healthy: Arc::new(AtomicBool::new(true)), has_sql: true });
        trial.pass(5_000);
        let done = || trial.rows("SELECT count(*) FROM jadpo_deliveries WHERE state = 'done'")[0].clone();
        let before: u32 = done().parse().expect("a number");
        let _hangs = faults.hang();
        for times in 1..=40 {
            let input = Some((times * 3 + 1).to_string());
            let ask = Ask {
                action: "transfer".to_owned(),
                input,
                fence: Fence::Free,
                limit_ms: 10_000,
                claim: None,
                trace: None,
            };
            trial.sim.run(action::run(&instance.engine, ask));
            // Where there is one worker, a turn at the store that hangs may have it until that is noticed.
            trial.pass(if workers == 1 { 150 } else { 5 });
            assert_eq!(done(), (before + times).to_string(), "{workers} workers");
            trial.pass(20_000);
        }
        assert!(trial.calls_s().len() > 10, "ticks and polls go on: {:?}", trial.calls_s());
    }
}
