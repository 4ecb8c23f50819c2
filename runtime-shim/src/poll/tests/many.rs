//! A tick over many polls: it asks once what is due, and then for that alone.

use crate::plan::Plan;
use crate::sim::Reply;
use crate::trial::{START_MS, Trial, fine};

const MINUTE_MS: u64 = 60_000;

/// So many polls that are due every ten minutes, the base plan's among them, and so many that are not due for half a day.
fn many(plan: &mut Plan, often: usize, seldom: usize) {
    let polls = &mut plan.connections.get_mut("feed").unwrap().polls;
    let prices = polls["prices"].clone();
    polls.clear();
    for number in 0..often + seldom {
        let mut poll = prices.clone();
        if number >= often {
            poll.every_ms = 12 * 60 * MINUTE_MS;
        }
        polls.insert(format!("p{number:05}"), poll);
    }
    let names = polls.keys().map(|name| ("feed".to_owned(), name.clone())).collect();
    plan.deployables.get_mut("server").unwrap().polls = names;
}

#[test]
fn a_tick_takes_one_statement_for_each_poll_that_is_due_and_five_besides() {
    const DUE: usize = 20;
    const SELDOM: usize = 2_000;
    let trial = Trial::new(|plan| many(plan, DUE, SELDOM));
    trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":60,"eth":2}"#));
    let instance = trial.start(1, fine);
    let due_ms = START_MS + 11 * 60 * 60_000;
    trial.execute(&format!(
        "WITH RECURSIVE n (i) AS (SELECT {DUE} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < {DUE} + {SELDOM})
         INSERT INTO jadpo_polls (name, next_due_ms, every_ms, claim_no)
         SELECT printf('poll feed.p%05d', i), {due_ms}, {}, 1 FROM n",
        12 * 60 * MINUTE_MS
    ));
    instance.go();
    trial.pass(10 * MINUTE_MS - 1_000);
    assert_eq!(trial.script.sent().len(), DUE, "the first answers");
    let before = instance.open().store.operations();
    trial.pass(2_000);
    assert_eq!(trial.script.sent().len(), 2 * DUE, "the same answers");
    let statements = instance.open().store.operations() - before;
    assert!(statements <= DUE as u64 + 5, "{statements} statements in a tick with {DUE} due");
}
