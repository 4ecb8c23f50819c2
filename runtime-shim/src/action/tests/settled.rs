//! Waiting for what an action set off.

use super::*;
use crate::host::Host;
use crate::route::{Actions, RouteAnswer, RouteCall, Serve};
use crate::settle::{self, Settled};

/// Runs the action and waits for at most ten seconds; how many failed and are pending, and how long it took, ms.
fn settle(trial: &Trial, instance: &Instance) -> (u64, u64, i64) {
    let began_ms = trial.now_ms();
    let settled = trial.sim.run(settle::run(&instance.engine, ask()));
    let Settled { end: ActionEnd::Done { .. }, failed, pending } = settled else { panic!("{settled:?}") };
    (failed, pending, trial.now_ms() - began_ms)
}

/// Hears it after a second; a quote below 63 sets off the next.
fn chains<'a>(subscriber: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
    Box::pin(async move {
        cx.host.sleep(1_000).await;
        let next = ["60", "61", "62", "63"].windows(2).find(|pair| event.payload.contains(pair[0]));
        if let Some([_, next]) = next {
            cx.emit("QuoteKept", format!(r#"{{"btc":"{next}"}}"#));
        }
        hears(subscriber, cx, event).await
    })
}

/// Lasts longer than anybody waits.
fn lasts<'a>(subscriber: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
    Box::pin(async move {
        cx.host.sleep(12_000).await;
        hears(subscriber, cx, event).await
    })
}

#[test]
fn it_waits_for_what_it_set_off_and_for_what_that_set_off() {
    for store in ["main", "desk"] {
        let trial = trial(store);
        let instance = trial.serve_app(1, Acts(chains, keeps));
        assert_eq!(settle(&trial, &instance), (0, 0, 4_000));
        let heard = "SELECT count(*) FROM quotes WHERE btc = 'hear_kept'";
        assert_eq!(trial.rows_of(store, heard), ["4"]);
        trial.pass(600_000);
        assert_eq!(trial.rows_of(store, heard), ["4"], "once each");
    }
}

/// What the action's route answers, whether it settles or not.
fn route(settle: bool, body: impl crate::trial::Body, code: impl crate::trial::Act) -> String {
    let mut trial = trial("main");
    trial.plan.routes.get_mut("open").unwrap().settle = settle;
    let retry = &mut trial.plan.subscribers.get_mut("hear_kept").unwrap().retry;
    retry.attempts = 1;
    let instance = trial.serve_app(1, Acts(body, code));
    let actions = Actions::new(instance.engine.clone());
    let call = RouteCall { route: "open".to_owned(), input: None, trace: None };
    let RouteAnswer { status, output, failed, pending, error } = trial.sim.run(actions.answer(call));
    let told = error.map(|error| error.code.to_owned()).or(output).unwrap_or_default();
    format!("{status} {told} failed {failed} pending {pending} after {} ms", trial.now_ms())
}

#[test]
fn a_route_answers_by_what_became_of_it() {
    fn never<'a>(_: &'a str, _: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move { Err(Failure::new("no")) })
    }
    fn quiet<'a>(_: &'a str, _: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
        Box::pin(async move { Ok(Some("\"ok\"".to_owned())) })
    }
    fn slow<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            cx.host.sleep(11_000).await;
            Ok(Some("\"ok\"".to_owned()))
        })
    }
    assert_eq!(route(false, chains, quiet), "200 \"ok\" failed 0 pending 0 after 0 ms");
    assert_eq!(route(false, chains, keeps), "202 \"kept\" failed 0 pending 0 after 0 ms");
    assert_eq!(route(true, chains, keeps), "200 \"kept\" failed 0 pending 0 after 4000 ms");
    assert_eq!(route(true, never, keeps), "200 \"kept\" failed 1 pending 0 after 0 ms");
    assert_eq!(route(true, lasts, keeps), "202 \"kept\" failed 0 pending 1 after 10000 ms");
    assert_eq!(route(true, chains, slow), "504 deadline_exceeded failed 0 pending 0 after 10000 ms");
}

#[test]
fn what_is_claimed_waits_behind_no_backlog() {
    fn slow<'a>(subscriber: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            if event.name != "QuoteKept" {
                cx.host.sleep(600_000).await;
            }
            hears(subscriber, cx, event).await
        })
    }
    let mut trial = trial("main");
    trial.plan.deployables.get_mut("server").unwrap().runner.workers = 1;
    let instance = trial.serve_app(1, Acts(slow, keeps));
    trial.execute(
        "INSERT INTO jadpo_events (name, source, occurred_at_ms, payload, created_at_ms)
         VALUES ('coinfeed.PricesChanged', 'feed', 1, '{\"btc\":\"1\",\"eth\":\"2\"}', 1);
         INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
         VALUES (1, 'update_quotes', 'pending', 0, 1, 9000000000000)",
    );
    trial.pass(61_000);
    assert_eq!(states(&trial, "main"), "claimed 1");
    assert_eq!(settle(&trial, &instance), (0, 0, 0));
}

#[test]
fn a_retry_within_its_time_is_waited_for_and_a_last_failure_is_counted() {
    fn once<'a>(subscriber: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            if cx.attempt() == 1 { Err(Failure::new("no")) } else { hears(subscriber, cx, event).await }
        })
    }
    fn never<'a>(_: &'a str, _: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move { Err(Failure::new("no")) })
    }
    fn end(body: impl crate::trial::Body) -> (u64, u64) {
        let mut trial = trial("main");
        let retry = &mut trial.plan.subscribers.get_mut("hear_kept").unwrap().retry;
        (retry.attempts, retry.initial_ms, retry.max_ms) = (2, 2_000, 2_000);
        let instance = trial.serve_app(1, Acts(body, keeps));
        let (failed, pending, took_ms) = settle(&trial, &instance);
        assert!(took_ms <= 2_200, "{took_ms} ms");
        (failed, pending)
    }
    assert_eq!(end(once), (0, 0));
    assert_eq!(end(never), (1, 0));
}

#[test]
fn what_it_waits_for_when_its_time_is_over_is_given_back_as_it_was() {
    let trial = trial("main");
    let instance = trial.serve_app(1, Acts(lasts, keeps));
    assert_eq!(settle(&trial, &instance), (0, 1, 10_000));
    // The loop goes on with it at once, and its attempt is the first.
    trial.pass(13_000);
    assert_eq!(trial.rows("SELECT state, attempts FROM jadpo_deliveries"), ["done | 1"]);
}

#[test]
fn a_piece_that_only_another_program_runs_is_pending() {
    let mut trial = trial("main");
    trial.plan.deployables.get_mut("server").unwrap().subscribers = vec!["update_quotes".to_owned()];
    let instance = trial.serve_app(1, Acts(hears, keeps));
    assert_eq!(settle(&trial, &instance), (0, 1, 10_000));
    assert_eq!(trial.rows("SELECT state, attempts FROM jadpo_deliveries"), ["pending | 0"]);
}

#[test]
fn a_stop_ends_the_wait_and_gives_back() {
    let trial = trial("main");
    let instance = trial.serve_app(1, Acts(lasts, keeps));
    let engine = instance.engine.clone();
    trial.sim.run(async {
        let stopping = async {
            engine.host.sleep(3_000).await;
            engine.stop.ask();
        };
        let (settled, ()) = futures_util::future::join(settle::run(&engine, ask()), stopping).await;
        assert_eq!((settled.failed, settled.pending), (0, 1));
    });
    assert_eq!(trial.now_ms(), 3_000);
    assert_eq!(trial.rows("SELECT state, attempts FROM jadpo_deliveries"), ["pending | 0"]);
}

#[test]
fn a_lost_process_s_pieces_are_made_by_another() {
    let trial = trial("main");
    let lost = trial.serve_app(1, Acts(lasts, keeps));
    let engine = lost.engine.clone();
    lost.machine.spawn(Box::pin(async move {
        settle::run(&engine, ask()).await;
    }));
    trial.pass(1_000);
    assert_eq!(states(&trial, "main"), "claimed 1");
    lost.crash();
    let _other = trial.serve_app(2, Acts(hears, keeps));
    trial.pass(60_000);
    assert_eq!(trial.rows("SELECT state, attempts FROM jadpo_deliveries"), ["done | 2"]);
}
