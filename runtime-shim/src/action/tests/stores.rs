//! An event kept in one store, heard by a subscriber that writes another.

use std::sync::{Mutex, PoisonError};

use super::*;

const KNOWN: &str = "SELECT store, delivery FROM jadpo_received";

#[test]
fn a_delivery_is_made_where_its_event_is_kept_and_commits_where_its_subscriber_writes() {
    let trial = trial("desk");
    let instance = trial.serve_app(1, Acts(hears, keeps));
    assert!(matches!(act(&trial, &instance), ActionEnd::Done { .. }));
    trial.pass(1_000);
    assert_eq!(trial.rows("SELECT btc FROM quotes"), ["acted"]);
    assert_eq!(trial.rows_of("desk", "SELECT btc FROM quotes"), ["hear_kept"]);
    assert_eq!((states(&trial, "main"), states(&trial, "desk")), ("done 1".to_owned(), String::new()));
    assert_eq!(trial.rows_of("desk", KNOWN), ["main | 1"]);
}

#[test]
fn what_such_a_delivery_emits_is_kept_where_it_commits() {
    fn echoes<'a>(_: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            if event.payload == r#"{"btc":"60"}"# {
                cx.emit("QuoteKept", r#"{"btc":"61"}"#.to_owned());
            }
            cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (event.payload.as_str(),));
            Ok(())
        })
    }
    let mut trial = trial("desk");
    trial.plan.subscribers.get_mut("hear_kept").unwrap().emits = vec!["QuoteKept".to_owned()];
    let instance = trial.serve_app(1, Acts(echoes, keeps));
    act(&trial, &instance);
    trial.pass(1_000);
    let heard = trial.rows_of("desk", "SELECT btc FROM quotes");
    assert_eq!(heard, [r#"{"btc":"60"}"#, r#"{"btc":"61"}"#]);
    assert_eq!((states(&trial, "main"), states(&trial, "desk")), ("done 1".to_owned(), "done 1".to_owned()));
}

/// Holds the events' store from the body on, so that the second commit can't be made.
static HELD: Mutex<Option<rusqlite::Connection>> = Mutex::new(None);

/// Takes the events' store for itself while it runs, so that the second commit can't be made.
fn locks<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
    Box::pin(async move {
        let file = cx.store().query("SELECT eth FROM quotes WHERE btc = 'file'", ()).await?;
        let connection = rusqlite::Connection::open(file[0].get::<String>(0)?)?;
        connection.execute_batch("BEGIN IMMEDIATE")?;
        *HELD.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection);
        cx.store().write("INSERT INTO quotes (btc) VALUES ('heard')", ());
        Ok(())
    })
}

#[test]
fn a_process_that_ends_between_the_two_commits_repeats_nothing() {
    let trial = trial("desk");
    let instance = trial.serve_app(1, Acts(locks, keeps));
    let desk = rusqlite::Connection::open(trial.file_of("desk")).unwrap();
    desk.execute("INSERT INTO quotes VALUES ('file', ?1)", [trial.file()]).unwrap();
    drop(desk);
    act(&trial, &instance);
    trial.pass(500);
    let heard = || trial.rows_of("desk", "SELECT count(*) FROM quotes WHERE btc <> 'file'");
    assert_eq!((heard(), trial.rows_of("desk", KNOWN)), (vec!["1".to_owned()], vec!["main | 1".to_owned()]));
    instance.crash();
    *HELD.lock().unwrap() = None;
    assert_eq!(states(&trial, "main"), "claimed 1");
    let _again = trial.serve_app(2, Acts(hears, keeps));
    trial.pass(60_000);
    assert_eq!((states(&trial, "main"), heard()), ("done 1".to_owned(), vec!["1".to_owned()]));
    assert_eq!(trial.rows("SELECT attempts FROM jadpo_deliveries"), ["2"]);
}

/// Writes what it heard in a transaction of its own.
fn hears_in_one<'a>(subscriber: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
    Box::pin(async move {
        let mut transaction = cx.transaction().await?;
        transaction.execute("INSERT INTO quotes (btc) VALUES (?1)", (subscriber,)).await?;
        Ok(())
    })
}

/// A day in which the subscriber's store takes nothing, and twenty deliveries to it.
fn a_day_without_desk(code: impl crate::trial::Body) {
    const DAY_S: u64 = 24 * 3_600;
    fn twenty<'a>(action: &'a str, cx: &'a mut Context, input: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            (0..19).for_each(|_| cx.emit("QuoteKept", r#"{"btc":"60"}"#.to_owned()));
            keeps(action, cx, input).await
        })
    }
    let mut trial = trial("desk");
    trial.plan.subscribers.get_mut("hear_kept").unwrap().within_ms = 3 * DAY_S * 1_000;
    let instance = trial.serve_app(1, Acts(code, twenty));
    let operations = || {
        let stores = instance.engine.stores.values();
        stores.map(|open| open.store.operations()).sum::<u64>()
    };
    let mut desk = rusqlite::Connection::open(trial.file_of("desk")).unwrap();
    let lock = desk.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate).unwrap();
    act(&trial, &instance);
    trial.pass(60_000);
    let before = operations();
    trial.pass(DAY_S * 1_000);
    let asked = operations() - before;
    assert!(asked < DAY_S, "{asked} statements in a day, more than one a second");
    assert_eq!(states(&trial, "main"), "pending 20");
    drop(lock);
    trial.pass(130_000);
    assert_eq!(states(&trial, "main"), "done 20");
    assert_eq!(trial.rows_of("desk", "SELECT count(*) FROM quotes"), ["20"]);
    assert_eq!(trial.rows("SELECT max(attempts) FROM jadpo_deliveries"), ["1"], "no attempt counts");
}

#[test]
fn trouble_of_the_subscriber_s_store_uses_up_no_attempt_however_long() {
    a_day_without_desk(hears);
    a_day_without_desk(hears_in_one);
}

#[test]
fn a_store_lost_between_the_two_commits_loses_nothing_however_long() {
    let mut trial = trial("desk");
    let subscriber = trial.plan.subscribers.get_mut("hear_kept").unwrap();
    (subscriber.within_ms, subscriber.retry.attempts) = (3 * 24 * 3_600_000, 1);
    let instance = trial.serve_app(1, Acts(locks, keeps));
    let desk = rusqlite::Connection::open(trial.file_of("desk")).unwrap();
    desk.execute("INSERT INTO quotes VALUES ('file', ?1)", [trial.file()]).unwrap();
    act(&trial, &instance);
    trial.pass(24 * 3_600_000);
    *HELD.lock().unwrap_or_else(PoisonError::into_inner) = None;
    trial.pass(130_000);
    *HELD.lock().unwrap_or_else(PoisonError::into_inner) = None;
    trial.pass(130_000);
    assert_eq!(states(&trial, "main"), "done 1");
    assert_eq!(trial.rows_of("desk", "SELECT count(*) FROM quotes WHERE btc = 'heard'"), ["1"]);
}

#[test]
fn a_backlog_in_one_store_leaves_workers_to_the_other() {
    fn slow<'a>(subscriber: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            cx.host.sleep(100).await;
            hears(subscriber, cx, event).await
        })
    }
    fn floods<'a>(action: &'a str, cx: &'a mut Context, input: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            for _ in 0..200 {
                cx.emit("QuoteKept", r#"{"btc":"60"}"#.to_owned());
            }
            keeps(action, cx, input).await
        })
    }
    let mut trial = trial("desk");
    let mut other = trial.plan.actions["open"].clone();
    other.store = "desk".to_owned();
    other.starts.clear();
    trial.plan.actions.insert("other".to_owned(), other);
    let mut route = trial.plan.routes["open"].clone();
    (route.action, route.method) = ("other".to_owned(), "PUT".to_owned());
    trial.plan.routes.insert("other".to_owned(), route);
    let server = trial.plan.deployables.get_mut("server").unwrap();
    server.routes.push("other".to_owned());
    server.runner.workers = 1;
    let instance = trial.serve_app(1, Acts(slow, floods));
    act(&trial, &instance);
    trial.pass(250);
    trial.sim.run(run(&instance.engine, Ask { action: "other".to_owned(), ..ask() }));
    trial.pass(1_000);
    let done = |store| trial.rows_of(store, "SELECT count(*) FROM jadpo_deliveries WHERE state = 'done'");
    let (main, desk): (u32, u32) = (done("main")[0].parse().unwrap(), done("desk")[0].parse().unwrap());
    assert!(main >= 4 && desk >= 4, "{main} and {desk} with one worker in turn");
}
