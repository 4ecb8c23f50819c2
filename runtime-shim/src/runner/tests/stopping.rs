//! A stop: bodies end, what they did is not kept, and what they held goes back as it was.

use super::{Value, backlog, states, writes};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::trial::{Trial, fine};

const SECOND_MS: u64 = 1_000;

fn quiet() -> Trial {
    Trial::new(|plan| plan.deployables.get_mut("server").unwrap().polls.clear())
}

fn hangs<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
    Box::pin(async move {
        cx.store().write("INSERT INTO quotes (btc) VALUES ('lost')", ());
        std::future::pending().await
    })
}

#[test]
fn bodies_stop_and_are_given_back_with_no_attempt_counted() {
    let trial = quiet();
    let instance = trial.start(1, hangs);
    backlog(&trial, 20);
    let due = trial.rows("SELECT DISTINCT due_ms FROM jadpo_deliveries");
    instance.go();
    trial.pass(30 * SECOND_MS);
    assert_eq!(states(&trial), "claimed 8, pending 12");
    assert!(instance.stop(&trial) < 1_000);
    assert_eq!(states(&trial), "pending 20");
    assert_eq!(trial.rows("SELECT max(attempts) FROM jadpo_deliveries"), ["0"]);
    assert_eq!(trial.rows("SELECT DISTINCT due_ms FROM jadpo_deliveries"), due);
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["0"]);
    assert_eq!(trial.rows("SELECT count(*) FROM jadpo_instances"), ["0"]);
    let _next = trial.serve(2, writes);
    trial.pass(SECOND_MS);
    assert_eq!(states(&trial), "done 20");
}

#[test]
fn five_hundred_in_flight_are_given_back_in_one_statement() {
    let trial = Trial::new(|plan| {
        let server = plan.deployables.get_mut("server").unwrap();
        server.polls.clear();
        server.runner.workers = 500;
    });
    let instance = trial.start(1, hangs);
    backlog(&trial, 600);
    instance.go();
    trial.pass(30 * SECOND_MS);
    assert_eq!(states(&trial), "claimed 500, pending 100");
    let before = instance.open().store.operations();
    let store = instance.open().store;
    assert!(instance.stop(&trial) < 2_000);
    let statements = store.operations() - before;
    assert!(statements <= 5, "{statements} statements to give 500 back");
    assert_eq!(states(&trial), "pending 600");
    assert_eq!(trial.rows("SELECT max(attempts) FROM jadpo_deliveries"), ["0"]);
    let _next = trial.serve(2, writes);
    trial.pass(5 * SECOND_MS);
    assert_eq!(states(&trial), "done 600");
    assert_eq!(trial.rows("SELECT count(*), count(DISTINCT btc) FROM quotes"), ["600 | 600"]);
}

#[test]
fn a_stop_before_the_start_and_a_second_stop_are_fine() {
    let trial = quiet();
    let instance = trial.start(1, writes);
    backlog(&trial, 5);
    instance.engine.stop.ask();
    instance.go();
    assert!(instance.stop(&trial) < 1_000);
    instance.engine.stop.ask();
    assert_eq!(states(&trial), "pending 5");
}

#[test]
fn a_stop_in_the_middle_of_everything_loses_nothing() {
    fn busy<'a>(_: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            let wait_ms = cx.host.random() % 50;
            cx.host.sleep(wait_ms).await;
            cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (event.payload.as_str(),));
            Ok(())
        })
    }
    for seed in 0..10 {
        let trial = Trial::seeded(seed, |plan| plan.deployables.get_mut("server").unwrap().polls.clear());
        drop(trial.start(0, fine));
        backlog(&trial, 200);
        for machine in 1..=4 {
            let instance = trial.serve(machine, busy);
            trial.pass(37 + seed * 13);
            assert!(instance.stop(&trial) < 1_000);
            let held =
                trial.rows("SELECT count(*) FROM jadpo_deliveries WHERE state NOT IN ('pending', 'done')");
            assert_eq!(held, ["0"]);
        }
        let _last = trial.serve(9, busy);
        trial.pass(10 * SECOND_MS);
        assert_eq!(states(&trial), "done 200");
        assert_eq!(trial.rows("SELECT count(*), count(DISTINCT btc) FROM quotes"), ["200 | 200"]);
        assert_eq!(trial.rows("SELECT max(attempts) FROM jadpo_deliveries"), ["1"]);
    }
}
