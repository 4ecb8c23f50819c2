//! Deliveries whose calls find all slots out: given back as they were, and nobody else waits for them.

use futures_util::future::join;

use super::{Value, backlog, states};
use crate::action::{self, ActionEnd, Ask};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::sim::Reply;
use crate::status::Count;
use crate::store::Fence;
use crate::trial::{Acts, START_MS, Trial, fine};

const SECOND_MS: u64 = 1_000;

/// `update_quotes` calls the connection `feed`, `hear_kept` the connection `small`.
fn calls<'a>(subscriber: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
    Box::pin(async move {
        let connection = if subscriber == "update_quotes" { "feed" } else { "small" };
        cx.connection(connection).call("ping", None).await?;
        Ok(())
    })
}

/// `feed` has `cap` slots; each call takes `call_ms`.
fn world(cap: u64, call_ms: u64) -> Trial {
    let trial = Trial::new(|plan| {
        plan.deployables.get_mut("server").unwrap().polls.clear();
        plan.connections.get_mut("feed").unwrap().max_concurrent = Some(cap);
        plan.connections.get_mut("small").unwrap().max_concurrent = Some(4);
    });
    trial.script.set("/v1/ping", move |_, _| Reply::json("{}").after_ms(call_ms));
    trial
}

pub(super) fn one_for_small(trial: &Trial) {
    let now_ms = START_MS + trial.now_ms();
    trial.execute(&format!(
        "INSERT INTO jadpo_events (name, occurred_at_ms, payload, created_at_ms)
         VALUES ('QuoteKept', {now_ms}, '{{\"btc\":\"1\"}}', {now_ms});
         INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
         VALUES (last_insert_rowid(), 'hear_kept', 'pending', 0, {now_ms}, {now_ms} + 1800000)"
    ));
}

#[test]
fn a_full_connection_gives_back_without_counting_and_finishes_all() {
    let trial = world(1, 2 * SECOND_MS);
    let instance = trial.serve(1, calls);
    trial.pass(SECOND_MS);
    backlog(&trial, 20);
    trial.pass(120 * SECOND_MS);
    assert_eq!(states(&trial), "done 20");
    assert_eq!(trial.rows("SELECT max(attempts) FROM jadpo_deliveries"), ["1"]);
    assert_eq!(trial.script.at_once_max(), 1);
    assert!(instance.engine.tally.get(Count::DeliveriesGivenBack) >= 7, "all workers started once");
}

#[test]
fn a_backlog_behind_a_full_connection_costs_little_and_holds_up_nobody() {
    let trial = world(1, 2 * SECOND_MS);
    let instance = trial.start(1, calls);
    backlog(&trial, 5_000);
    instance.go();
    trial.pass(60 * SECOND_MS);
    // It is found by the next tick and takes two seconds.
    one_for_small(&trial);
    let looked = instance.open();
    let before = looked.store.operations();
    let began_s = trial.now_ms() / 1_000;
    trial.pass(63 * SECOND_MS);
    let statements = looked.store.operations() - before;
    assert!(trial.now_ms() / 1_000 - began_s == 63);
    assert!(statements <= 2 * 63, "{statements} statements in a minute");
    let small = trial.rows("SELECT state FROM jadpo_deliveries WHERE subscriber = 'hear_kept'");
    assert_eq!(small, ["done"]);
    let done = trial.rows("SELECT count(*) FROM jadpo_deliveries WHERE state = 'done'");
    assert!(done[0].parse::<u32>().unwrap() >= 60, "the slot was never idle: {done:?}");
}

/// A minute of an instance with a backlog of so many behind one slot, in the middle of which it emits one event for another
/// subscriber: the statements of that minute.
fn minute_behind_a_slot(count: u32) -> u64 {
    fn delivers<'a>(subscriber: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        if subscriber == "hear_kept" { fine(subscriber, cx, event) } else { calls(subscriber, cx, event) }
    }
    fn emits<'a>(
        _: &'a str,
        cx: &'a mut Context,
        _: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        cx.emit("QuoteKept", r#"{"btc":"1"}"#.to_owned());
        Box::pin(async { Ok(None) })
    }
    let mut trial = world(1, 2 * SECOND_MS);
    let action = serde_json::json!({ "store": "main", "emits": ["QuoteKept"], "uses": [], "starts": [] });
    trial.plan.actions.insert("quote".to_owned(), serde_json::from_value(action).unwrap());
    let instance = trial.serve_app(1, Acts(delivers, emits));
    trial.pass(SECOND_MS);
    backlog(&trial, count);
    // The next tick finds it.
    trial.pass(90 * SECOND_MS);
    let looked = instance.open();
    let before = looked.store.operations();
    trial.pass(30 * SECOND_MS);
    let ask = Ask {
        action: "quote".to_owned(),
        input: None,
        fence: Fence::Free,
        limit_ms: SECOND_MS,
        claim: None,
        trace: None,
    };
    let end = trial.sim.run(action::run(&instance.engine, ask));
    assert!(matches!(end, ActionEnd::Done { .. }), "{end:?}");
    trial.pass(SECOND_MS);
    let alone = trial.rows("SELECT state FROM jadpo_deliveries WHERE subscriber = 'hear_kept'");
    assert_eq!(alone, ["done"], "within a second");
    trial.pass(29 * SECOND_MS);
    looked.store.operations() - before
}

#[test]
fn five_thousand_behind_a_full_connection_cost_two_statements_a_second_more_than_none() {
    let (idle, behind) = (minute_behind_a_slot(0), minute_behind_a_slot(5_000));
    assert!(idle <= 2 + 3, "{idle} statements without a backlog");
    assert!(behind <= idle + 2 * 60, "{behind} statements in a minute, and {idle} without the backlog");
}

#[test]
fn two_backlogs_behind_one_full_connection_cost_no_more() {
    let trial = world(1, 2 * SECOND_MS);
    let instance = trial.start(1, |_, cx, _| {
        Box::pin(async move {
            cx.connection("feed").call("ping", None).await?;
            Ok(())
        })
    });
    backlog(&trial, 1_000);
    for _ in 0..50 {
        one_for_small(&trial);
    }
    instance.go();
    trial.pass(30 * SECOND_MS);
    let before = instance.open().store.operations();
    trial.pass(60 * SECOND_MS);
    let statements = instance.open().store.operations() - before;
    // Each of the thirty calls of a minute is claimed and committed; the other line may be told no once for each.
    assert!(statements <= 4 + 2 * 60 + 30, "{statements} statements in a minute");
    assert_eq!(trial.script.at_once_max(), 1);
    assert_eq!(trial.rows("SELECT max(attempts) FROM jadpo_deliveries"), ["1"]);
}

#[test]
fn a_panic_amid_a_call_gives_its_slot_back_and_a_stop_ends_soon_though_the_store_is_gone() {
    let trial = world(2, 2 * SECOND_MS);
    let instance = trial.start_with_busy(1, 5, |_, cx, event| {
        let third =
            event.payload.contains("3\"") || event.payload.contains("6\"") || event.payload.contains("9\"");
        Box::pin(async move {
            let fails = async {
                crate::host::Host::sleep(&*cx.host, SECOND_MS).await;
                assert!(!third, "amid its call");
            };
            let (answer, ()) = join(cx.connection("feed").call("ping", None), fails).await;
            answer?;
            Ok(())
        })
    });
    backlog(&trial, 30);
    instance.go();
    trial.pass(400 * SECOND_MS);
    assert_eq!(states(&trial), "done 21, failed 9");
    assert_eq!(super::errors(&trial), ["-", "panicked: amid its call"]);
    let slots = instance.engine.connections["feed"].slots();
    assert_eq!((slots.out, slots.waiting), (0, 0));
    // The database goes away while a body that will panic holds a slot.
    trial.execute(
        "UPDATE jadpo_deliveries SET state = 'pending', attempts = 0, finished_at_ms = NULL, due_ms = 0",
    );
    trial.pass(25 * SECOND_MS + 500);
    let mut locker = trial.connect();
    let lock = locker.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    trial.pass(5 * SECOND_MS);
    assert!(instance.stop(&trial) <= 10_000, "within its grace time");
    assert_eq!(instance.engine.connections["feed"].slots().out, 0);
    assert_eq!(trial.script.at_once_max(), 2, "no more than there are slots, though each may end in a panic");
    drop(lock);
    let lost =
        "SELECT count(*) FROM jadpo_deliveries WHERE state NOT IN ('pending', 'claimed', 'done', 'failed')";
    assert_eq!(trial.rows(lost), ["0"]);
}

#[test]
fn one_subscribers_backlog_starves_no_other() {
    let trial = world(100, 2 * SECOND_MS);
    let instance = trial.start(1, calls);
    backlog(&trial, 2_000);
    instance.go();
    trial.pass(30 * SECOND_MS);
    one_for_small(&trial);
    // The tick finds it, the next worker that comes free takes it, and its own call takes two seconds.
    trial.pass((30 + 5) * SECOND_MS);
    let small = trial.rows("SELECT state FROM jadpo_deliveries WHERE subscriber = 'hear_kept'");
    assert_eq!(small, ["done"], "{}", states(&trial));
}

#[test]
fn a_wait_for_a_slot_counts_towards_within() {
    let mut trial = world(1, 50 * SECOND_MS);
    let subscriber = trial.plan.subscribers.get_mut("update_quotes").unwrap();
    subscriber.within_ms = 30_000;
    let instance = trial.start(1, calls);
    backlog(&trial, 2);
    trial.execute("UPDATE jadpo_deliveries SET give_up_ms = due_ms + 30000");
    instance.go();
    trial.pass(100 * SECOND_MS);
    assert_eq!(states(&trial), "done 1, failed 1");
    let failed = trial.rows("SELECT attempts, last_error FROM jadpo_deliveries WHERE state = 'failed'");
    assert_eq!(failed, ["0 | its time was over before it could be delivered"]);
}
