//! Stores that are locked, read-only or broken: one clear error, a backing loop, and nothing half kept.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{Value, backlog, states, steady, writes};
use crate::app::App;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::route::{Actions, Serve};
use crate::sim::Reply;
use crate::start::{StartError, Surroundings, start};
use crate::status::Count;
use crate::store::StoreErrorKind;
use crate::trial::{Bodies, Trial, fine, meets_trouble};

const SECOND_MS: u64 = 1_000;

fn refused(trial: &Trial) -> StoreErrorKind {
    match trial.try_start(1, fine) {
        Err(StartError::Stores(mut errors)) => errors.remove(0).kind,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("it started"),
    }
}

#[test]
fn a_file_that_is_no_database_is_refused_and_left_alone() {
    let trial = Trial::new(|_| {});
    let text =
        "this is no database, but a letter to a friend, long enough to have a header of its own".repeat(20);
    std::fs::write(trial.file(), &text).unwrap();
    assert!(matches!(refused(&trial), StoreErrorKind::Corrupt(_)));
    assert_eq!(std::fs::read_to_string(trial.file()).unwrap(), text);
}

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    let trial = Trial::new(|_| {});
    drop(trial.start(1, fine));
    trial.execute("UPDATE jadpo_meta SET value = 99; ALTER TABLE jadpo_polls ADD COLUMN later TEXT");
    assert_eq!(
        refused(&trial),
        StoreErrorKind::SchemaNewer { found: 99, known: crate::store::sqlite::VERSION }
    );
    assert_eq!(trial.rows("SELECT value FROM jadpo_meta"), ["99"]);
}

#[test]
fn a_locked_database_sends_the_loop_to_sleep_and_work_goes_on_after_it() {
    let trial = Trial::new(|_| {});
    steady(&trial);
    let instance = trial.start_with_busy(1, 5, writes);
    backlog(&trial, 3);
    let mut locker = trial.connect();
    let lock = locker.transaction_with_behavior(rusqlite::TransactionBehavior::Exclusive).unwrap();
    instance.go();
    trial.pass(300 * SECOND_MS);
    let open = instance.open();
    assert!(open.errors.in_a_row() >= 5, "{}", open.errors.in_a_row());
    assert!(instance.engine.tally.get(Count::Looks) < 60, "it backs off");
    drop(lock);
    trial.pass(130 * SECOND_MS);
    assert_eq!(states(&trial), "done 4");
    assert_eq!(open.errors.in_a_row(), 0);
}

#[test]
fn a_store_lost_in_the_middle_of_a_delivery_keeps_all_of_it_later() {
    let trial = Trial::new(|_| {});
    steady(&trial);
    let instance = trial.start_with_busy(1, 5, |_, cx, _| {
        Box::pin(async move {
            crate::host::Host::sleep(&*cx.host, 5_000).await;
            cx.store().write("INSERT INTO quotes (btc) VALUES ('once')", ());
            Ok(())
        })
    });
    instance.go();
    trial.pass(2 * SECOND_MS);
    let mut locker = trial.connect();
    let lock = locker.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    trial.pass(20 * SECOND_MS);
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["0"]);
    drop(lock);
    trial.pass(60 * SECOND_MS);
    assert_eq!(states(&trial), "done 1");
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["1"]);
}

#[test]
fn a_store_that_is_lost_under_a_body_for_hours_uses_up_no_attempt() {
    /// Gathers what the commit then can't write.
    fn gathers<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            crate::host::Host::sleep(&*cx.host, 5_000).await;
            cx.store().write("INSERT INTO quotes (btc) VALUES ('once')", ());
            Ok(())
        })
    }
    /// Asks the store itself, and fails as it does.
    fn asks<'a>(name: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            gathers(name, cx, event).await?;
            cx.transaction().await?.execute("DELETE FROM quotes", ()).await?;
            Ok(())
        })
    }
    fn lost_for_hours(body: impl crate::trial::Body) {
        let trial = Trial::new(|plan| {
            let subscriber = plan.subscribers.get_mut("update_quotes").unwrap();
            (subscriber.within_ms, subscriber.retry.attempts) = (24 * 3_600_000, 1);
        });
        steady(&trial);
        let instance = trial.start_with_busy(1, 5, body);
        instance.go();
        trial.pass(2 * SECOND_MS);
        let mut locker = trial.connect();
        let lock = locker.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
        trial.pass(3 * 3_600 * SECOND_MS);
        assert!(instance.engine.tally.get(Count::Looks) < 3 * 3_600 / 10, "it backs off");
        drop(lock);
        trial.pass(120 * SECOND_MS);
        assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["1"]);
        assert_eq!(trial.rows("SELECT state, attempts FROM jadpo_deliveries"), ["done | 1"]);
    }
    lost_for_hours(gathers);
    lost_for_hours(asks);
}

#[test]
fn trouble_that_only_bodies_meet_costs_no_attempt_and_few_statements() {
    static HEALTHY: AtomicBool = AtomicBool::new(false);
    let trial = Trial::new(|plan| {
        let server = plan.deployables.get_mut("server").unwrap();
        server.polls.clear();
        // Two bodies at once would hold the file against each other.
        server.runner.workers = 1;
    });
    let instance = trial.start_with_busy(1, 0, |name, cx, event| {
        Box::pin(async move {
            if !HEALTHY.load(Ordering::Relaxed) {
                meets_trouble(cx).await?;
            }
            writes(name, cx, event).await
        })
    });
    instance.go();
    backlog(&trial, 200);
    trial.pass(90 * SECOND_MS);
    let before = instance.open().store.operations();
    trial.pass(600 * SECOND_MS);
    let operations = instance.open().store.operations() - before;
    assert!(operations < 600, "{operations} statements in ten minutes");
    assert_eq!(
        trial.rows("SELECT state, max(attempts), count(*) FROM jadpo_deliveries"),
        ["pending | 0 | 200"]
    );
    HEALTHY.store(true, Ordering::Relaxed);
    trial.pass(70 * SECOND_MS);
    assert_eq!(states(&trial), "done 200");
}

#[test]
fn an_answer_that_the_store_cannot_take_yet_is_kept_once_it_can() {
    let trial = Trial::new(|_| {});
    let slow = |reply: Reply| move |_: &_, _| reply.clone().after_ms(5_000);
    trial.script.set("/v1/prices", slow(Reply::json(r#"{"btc":60,"eth":2}"#)));
    let instance = trial.start_with_busy(1, 5, fine);
    instance.go();
    let locked_while_it_answers = || {
        trial.pass(2 * SECOND_MS);
        let mut locker = trial.connect();
        let lock = locker.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
        trial.pass(100 * SECOND_MS);
        drop(lock);
        // As long as the store may be left alone after its errors, and the minute after a failure.
        trial.pass(120 * SECOND_MS);
    };
    locked_while_it_answers();
    assert_eq!(trial.script.calls(), 1, "the provider is not asked again for what the store could not take");
    assert_eq!(states(&trial), "done 1");
    // The same for a failure: it is due again a minute after its tick, not after the whole interval.
    trial.script.set("/v1/prices", slow(Reply::status(500)));
    trial.pass(600 * SECOND_MS - trial.now_ms().unsigned_abs());
    locked_while_it_answers();
    assert!(trial.script.calls() > 2, "{:?}", trial.calls_s());
    let kind = trial.rows("SELECT last_error ->> 'kind' FROM jadpo_polls");
    assert_eq!(kind, ["status"]);
}

#[test]
fn it_is_not_ready_after_ten_store_errors_in_a_row_nor_after_a_stop() {
    let trial = Trial::new(|plan| plan.deployables.get_mut("server").unwrap().polls.clear());
    let instance = trial.start_with_busy(1, 1, writes);
    backlog(&trial, 1);
    let (errors, actions) = (instance.open().errors, Actions::new(instance.engine.clone()));
    let mut locker = trial.connect();
    let lock = locker.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    instance.go();
    for _ in 0..900 {
        assert_eq!(actions.is_ready(), errors.in_a_row() < 10, "after {} errors", errors.in_a_row());
        trial.pass(SECOND_MS);
    }
    assert!(!actions.is_ready());
    drop(lock);
    trial.pass(130 * SECOND_MS);
    assert_eq!(states(&trial), "done 1");
    assert!(actions.is_ready());
    instance.engine.stop.ask();
    assert!(!actions.is_ready());
}

#[test]
fn everything_wrong_with_a_plan_is_named_at_once() {
    let trial = Trial::new(|plan| {
        let deployable = plan.deployables.get_mut("server").unwrap();
        deployable.runner.at_capacity_heartbeat_ms = 0;
        deployable.runner.at_capacity_poll_interval_ms = 0;
        deployable.runner.sleep_detection_ms = 60_000;
        deployable.subscribers.push("nobody".to_owned());
        deployable.host = Some(crate::plan::Host {
            max_connections: 1,
            drain_ms: 0,
            listen: crate::plan::Listen::At("127.0.0.1:0".to_owned()),
            control: Some("127.0.0.1:1".to_owned()),
        });
        let package = plan.packages.get_mut("coinfeed").unwrap();
        let setting = crate::plan::Setting { shape: crate::plan::Shape::Secret, default_json: None };
        package.settings.insert("key".to_owned(), setting);
        let source = crate::plan::SettingSource::Env("JADPO_TEST_UNSET_KEY".to_owned());
        plan.connections.get_mut("feed").unwrap().settings.insert("key".to_owned(), source);
    });
    let Err(StartError::Plan(problems)) = trial.try_start(1, fine) else { panic!("it started") };
    assert!(problems.len() >= 5, "{problems:#?}");
    assert!(problems.iter().any(|problem| problem.contains("the control port 127.0.0.1:1")), "{problems:#?}");
    assert!(problems.iter().any(|problem| problem.contains("JADPO_TEST_UNSET_KEY")), "{problems:#?}");
    assert!(!std::path::Path::new(&trial.file()).exists(), "nothing was started");
}

#[test]
fn a_store_that_the_plan_has_not_is_named() {
    let trial = Trial::new(|_| {});
    let json = serde_json::to_string(&trial.plan).unwrap();
    let app = App::new(&json, "server", Bodies(fine)).store_file("mian", trial.file()).prepare("other", "");
    let Err(error) = start(app, &Surroundings::in_order(trial.sim.host(1))) else { panic!("it started") };
    assert_eq!(
        error.to_string(),
        "the app names a store mian that its plan has not\nthe app names a store other that its plan has not"
    );
}

#[test]
fn a_machine_that_slept_forgives_the_stores_errors_and_a_full_backoff_is_no_sleep() {
    let trial = Trial::new(|plan| plan.deployables.get_mut("server").unwrap().polls.clear());
    let instance = trial.start_with_busy(1, 1, writes);
    backlog(&trial, 1);
    let mut locker = trial.connect();
    let lock = locker.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    instance.go();
    trial.pass(900 * SECOND_MS);
    let errors = instance.open().errors;
    assert!(errors.in_a_row() > 15, "backoffs at their longest reset nothing: {}", errors.in_a_row());
    assert!(!errors.is_ready());
    // Asleep between two looks; the loop is amid a backoff of half a minute or more.
    instance.machine.has_slept(3_600_000);
    trial.pass(61 * SECOND_MS);
    assert!(errors.in_a_row() < 10, "{}", errors.in_a_row());
    drop(lock);
}
