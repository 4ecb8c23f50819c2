//! A body that opens its boundary's transaction.

use super::*;
use crate::sim::Reply;

#[test]
fn a_body_reads_its_own_writes_and_all_of_it_commits_together() {
    fn moves<'a>(action: &'a str, cx: &'a mut Context, input: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            let mut transaction = cx.transaction().await?;
            transaction.execute("INSERT INTO quotes (btc) VALUES ('own')", ()).await?;
            let seen = transaction.query("SELECT count(*) FROM quotes", ()).await?;
            assert_eq!(seen[0].get::<i64>(0)?, 1);
            let committed = cx.store().query("SELECT count(*) FROM quotes", ()).await?;
            assert_eq!(committed[0].get::<i64>(0)?, 0, "others see nothing of it");
            let mut transaction = cx.transaction().await?;
            transaction.execute_rows(1, "UPDATE quotes SET eth = 'same'", ()).await?;
            keeps(action, cx, input).await
        })
    }
    let trial = trial("main");
    let instance = trial.serve_app(1, Acts(hears, moves));
    assert!(matches!(act(&trial, &instance), ActionEnd::Done { .. }));
    trial.pass(1_000);
    let kept = ["own | same", "acted | -", "hear_kept | -"];
    assert_eq!(trial.rows("SELECT btc, eth FROM quotes"), kept);
}

#[test]
fn a_body_that_fails_rolls_it_back_and_one_that_hides_an_error_keeps_nothing() {
    fn fails<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            let mut transaction = cx.transaction().await?;
            transaction.execute("INSERT INTO quotes (btc) VALUES ('own')", ()).await?;
            Err(Failure::new("no"))
        })
    }
    fn hides<'a>(action: &'a str, cx: &'a mut Context, input: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            let mut transaction = cx.transaction().await?;
            drop(transaction.execute_rows(2, "INSERT INTO quotes (btc) VALUES ('own')", ()).await);
            keeps(action, cx, input).await
        })
    }
    fn misspells<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            cx.transaction().await?.execute("INSERT INTO quotas VALUES (1)", ()).await?;
            Ok(None)
        })
    }
    fn end(code: impl crate::trial::Act) -> ActionEnd {
        let trial = trial("main");
        let instance = trial.serve_app(1, Acts(fine, code));
        let end = act(&trial, &instance);
        assert_eq!(trial.rows("SELECT btc FROM quotes"), [""; 0]);
        end
    }
    assert_eq!(end(fails), ActionEnd::Failed(Failure::new("no")));
    assert!(matches!(end(hides), ActionEnd::Conflict(_)));
    assert!(matches!(end(misspells), ActionEnd::Refused(text) if text.contains("quotas")));
}

#[test]
fn trouble_of_the_store_in_a_body_is_the_store_s_and_not_the_action_s() {
    fn opens<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            cx.transaction().await?.execute("INSERT INTO quotes (btc) VALUES ('own')", ()).await?;
            Ok(None)
        })
    }
    fn words<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            let opened = cx.transaction().await;
            opened.map_err(|failure| Failure::new(format!("no transaction: {failure}")))?;
            Ok(None)
        })
    }
    fn end(code: impl crate::trial::Act) -> ActionEnd {
        let trial = trial("main");
        let instance = trial.serve_app(1, Acts(fine, code));
        let mut locker = trial.connect();
        let _lock = locker.transaction_with_behavior(rusqlite::TransactionBehavior::Exclusive).unwrap();
        act(&trial, &instance)
    }
    assert!(matches!(end(opens), ActionEnd::StoreTrouble(text) if text.contains("locked")));
    assert!(matches!(end(words), ActionEnd::StoreTrouble(_)), "whatever words it has for it");
}

#[test]
fn no_provider_is_called_while_a_transaction_is_open() {
    fn calls<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            cx.connection("small").call("ping", None).await?;
            cx.transaction().await?.execute("DELETE FROM quotes", ()).await?;
            cx.connection("small").call("ping", None).await?;
            Ok(None)
        })
    }
    let trial = trial("main");
    trial.script.set("/v1/ping", |_, _| Reply::json("{}"));
    let instance = trial.serve_app(1, Acts(fine, calls));
    let ActionEnd::Failed(failure) = act(&trial, &instance) else { panic!("it called") };
    insta::assert_snapshot!(failure, @"small.ping: not sent: a transaction is open, and others wait for what it locks");
    assert_eq!(trial.calls_s().len(), 1);
}

#[test]
fn a_delivery_of_another_store_runs_in_a_transaction_once() {
    fn hears_in<'a>(subscriber: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            let mut transaction = cx.transaction().await?;
            transaction.execute("INSERT INTO quotes (btc) VALUES (?1)", (subscriber,)).await?;
            Ok(())
        })
    }
    let trial = trial("desk");
    let instance = trial.serve_app(1, Acts(hears_in, keeps));
    act(&trial, &instance);
    trial.pass(1_000);
    assert_eq!(trial.rows_of("desk", "SELECT btc FROM quotes"), ["hear_kept"]);
    // As though the process had ended between the two commits.
    trial.execute("UPDATE jadpo_deliveries SET state = 'pending', finished_at_ms = NULL");
    trial.pass(61_000);
    assert_eq!(trial.rows_of("desk", "SELECT btc FROM quotes"), ["hear_kept"]);
    assert_eq!(states(&trial, "main"), "done 1");
}
