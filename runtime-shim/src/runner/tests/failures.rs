//! Bodies that fail, panic, run too long, or can't read what was kept.

use std::sync::atomic::{AtomicU32, Ordering};

use super::{Value, backlog, errors, states, steady};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::trial::{START_MS, Trial, fine};

const SECOND_MS: u64 = 1_000;

#[test]
fn a_failure_comes_again_until_its_attempts_are_used_up() {
    static ATTEMPTS: AtomicU32 = AtomicU32::new(0);
    fn fails<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            assert_eq!(cx.attempt(), ATTEMPTS.fetch_add(1, Ordering::SeqCst) + 1);
            cx.store().write("INSERT INTO quotes (btc) VALUES ('lost')", ());
            Err(Failure::new(format!("attempt {} failed", cx.attempt())))
        })
    }
    let trial = Trial::new(|_| {});
    steady(&trial);
    let _instance = trial.serve(1, fails);
    trial.pass(SECOND_MS / 100);
    assert_eq!(states(&trial), "pending 1");
    trial.pass(5 * SECOND_MS);
    assert!(ATTEMPTS.load(Ordering::SeqCst) >= 2, "the first wait is at most 5 s");
    trial.pass(60 * SECOND_MS);
    assert_eq!(states(&trial), "failed 1");
    assert_eq!(errors(&trial), ["attempt 3 failed"]);
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["0"], "nothing that a failed body gathered");
}

#[test]
fn past_within_it_is_failed_with_its_last_error() {
    fn fails<'a>(_: &'a str, _: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async { Err(Failure::new("no")) })
    }
    let trial = Trial::new(|plan| {
        let subscriber = plan.subscribers.get_mut("update_quotes").unwrap();
        subscriber.within_ms = 20_000;
        subscriber.retry.attempts = 50;
        subscriber.retry.initial_ms = 3_600_000;
        subscriber.retry.max_ms = 3_600_000;
    });
    steady(&trial);
    let _instance = trial.serve(1, fails);
    trial.pass(19_900);
    assert_eq!(states(&trial), "pending 1");
    trial.pass(300);
    assert_eq!(states(&trial), "failed 1");
    assert_eq!(errors(&trial), ["no"]);
    let finished = trial.rows(&format!("SELECT (finished_at_ms - {START_MS}) / 1000 FROM jadpo_deliveries"));
    assert_eq!(finished, ["20"]);
}

#[test]
fn a_panic_is_a_failure_with_its_message_and_frees_its_worker() {
    fn panics<'a>(_: &'a str, _: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        let third = event.payload.contains("3\"");
        Box::pin(async move {
            assert!(!third, "a three came");
            Ok(())
        })
    }
    let trial = Trial::new(|_| {});
    let _instance = trial.serve(1, panics);
    backlog(&trial, 30);
    trial.pass(300 * SECOND_MS);
    assert_eq!(states(&trial), "done 27, failed 3");
    assert_eq!(errors(&trial), ["-", "panicked: a three came"]);
}

#[test]
fn a_body_past_its_limit_keeps_nothing_and_is_counted() {
    fn hangs<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            cx.store().write("INSERT INTO quotes (btc) VALUES ('lost')", ());
            std::future::pending().await
        })
    }
    let trial = Trial::new(|plan| {
        let subscriber = plan.subscribers.get_mut("update_quotes").unwrap();
        subscriber.retry.attempts = 1;
        subscriber.within_ms = 24 * 3_600_000;
    });
    steady(&trial);
    let _instance = trial.serve(1, hangs);
    trial.pass(894 * SECOND_MS);
    assert_eq!(states(&trial), "claimed 1");
    trial.pass(2 * SECOND_MS);
    assert_eq!(states(&trial), "failed 1");
    assert_eq!(errors(&trial), ["deadline_exceeded: the body ran longer than 895000 ms"]);
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["0"]);
}

#[test]
fn an_undecodable_payload_is_failed_at_once_with_its_place() {
    struct Quote;
    impl crate::codec::Wire for Quote {
        fn read(reader: &mut crate::codec::Reader<'_>) -> Result<Self, crate::codec::Mismatch> {
            i64::read(reader).map(|_| Quote)
        }
        fn write(&self, writer: &mut crate::codec::Writer) {
            writer.int(0);
        }
    }
    fn decodes<'a>(_: &'a str, _: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        Box::pin(async move { event.decode::<Quote>().map(|_| ()) })
    }
    let trial = Trial::new(|_| {});
    steady(&trial);
    let _instance = trial.serve(1, decodes);
    trial.pass(SECOND_MS);
    assert_eq!(states(&trial), "failed 1");
    assert_eq!(trial.rows("SELECT attempts FROM jadpo_deliveries"), ["1"]);
    let error = errors(&trial).remove(0);
    assert!(error.starts_with("coinfeed.PricesChanged can't be read: "), "{error}");
}

#[test]
fn one_bad_event_holds_up_nobody() {
    fn picky<'a>(_: &'a str, _: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        let bad = event.payload.contains("\"eth\":\"bad\"");
        Box::pin(async move { if bad { Err(Failure::new("always")) } else { Ok(()) } })
    }
    let trial = Trial::new(|_| {});
    let _instance = trial.serve(1, picky);
    trial.pass(SECOND_MS);
    backlog(&trial, 25);
    trial.execute("UPDATE jadpo_events SET payload = json_object('btc', '1', 'eth', 'bad')");
    backlog(&trial, 1);
    trial.pass(60 * SECOND_MS);
    let done = "SELECT count(*) FROM jadpo_deliveries WHERE state = 'done'";
    assert_eq!(trial.rows(done), ["1"], "the fresh one goes out while the bad ones wait");
    trial.pass(600 * SECOND_MS);
    assert_eq!(states(&trial), "done 1, failed 25");
}

#[test]
fn a_subscribers_bad_events_hold_up_no_other_of_the_same_connection_or_of_another() {
    fn picky<'a>(subscriber: &'a str, _: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        let bad = subscriber == "update_quotes";
        Box::pin(async move { if bad { Err(Failure::new("always")) } else { Ok(()) } })
    }
    let trial = Trial::new(|plan| {
        plan.deployables.get_mut("server").unwrap().polls.clear();
        let mut other = plan.subscribers["update_quotes"].clone();
        other.uses = vec!["feed".to_owned()];
        plan.subscribers.insert("archive".to_owned(), other);
        plan.deployables.get_mut("server").unwrap().subscribers.push("archive".to_owned());
    });
    let _instance = trial.serve(1, picky);
    trial.pass(SECOND_MS);
    backlog(&trial, 100);
    trial.execute(
        "INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
         SELECT event_id, 'archive', state, attempts, due_ms, give_up_ms FROM jadpo_deliveries",
    );
    super::slots::one_for_small(&trial);
    trial.pass(60 * SECOND_MS);
    let done = "SELECT subscriber, count(*) FROM jadpo_deliveries WHERE state = 'done' GROUP BY 1";
    assert_eq!(trial.rows(done), ["archive | 100", "hear_kept | 1"], "within a tick");
    trial.pass(600 * SECOND_MS);
    assert_eq!(states(&trial), "done 101, failed 100");
}

#[test]
fn a_subscriber_that_no_plan_names_is_gone_when_its_time_is_over() {
    let trial = Trial::new(|_| {});
    let _instance = trial.serve(1, fine);
    trial.pass(SECOND_MS);
    backlog(&trial, 1);
    trial.execute("UPDATE jadpo_deliveries SET subscriber = 'long_gone'");
    trial.pass(1_790 * SECOND_MS);
    assert_eq!(states(&trial), "pending 1");
    trial.pass(20 * SECOND_MS);
    assert_eq!(errors(&trial), ["subscriber_gone"]);
}
