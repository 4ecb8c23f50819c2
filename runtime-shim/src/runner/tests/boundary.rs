//! The boundary: all of it or nothing of it.

use super::{Value, errors, states, steady};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::trial::{Body, Trial};

/// Runs one change through a body and waits.
fn after(body: impl Body) -> Trial {
    let trial = Trial::new(|plan| {
        let retry = &mut plan.subscribers.get_mut("update_quotes").unwrap().retry;
        (retry.attempts, retry.initial_ms, retry.max_ms) = (1, 100, 100);
    });
    steady(&trial);
    let _instance = trial.serve(1, body);
    trial.pass(1_000);
    trial
}

#[test]
fn an_event_emitted_is_kept_with_its_deliveries_and_delivered() {
    fn emits<'a>(subscriber: &'a str, cx: &'a mut Context, event: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            if subscriber == "update_quotes" {
                cx.emit("QuoteKept", r#"{"btc":"60"}"#.to_owned());
            } else {
                assert_eq!(event.connection, None);
                cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (event.name.as_str(),));
            }
            Ok(())
        })
    }
    let trial = after(emits);
    assert_eq!(states(&trial), "done 2");
    assert_eq!(trial.rows("SELECT btc FROM quotes"), ["QuoteKept"]);
    let traces = "SELECT count(DISTINCT substr(trace, 4, 32)), count(*) FROM jadpo_events";
    assert_eq!(trial.rows(traces), ["1 | 2"], "what an event set off is in its trace");
}

#[test]
fn another_number_of_rows_than_stated_fails_the_whole_boundary() {
    fn states_rows<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            cx.store().write("INSERT INTO quotes (btc) VALUES ('first')", ());
            cx.emit("QuoteKept", r#"{"btc":"60"}"#.to_owned());
            cx.store().write_rows(1, "UPDATE quotes SET btc = 'x' WHERE btc = 'missing'", ());
            Ok(())
        })
    }
    let trial = after(states_rows);
    assert_eq!(states(&trial), "failed 1");
    let wanted = "conflict: 0 rows where 1 were stated, by UPDATE quotes SET btc = 'x' WHERE btc = 'missing'";
    assert_eq!(errors(&trial), [wanted]);
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["0"]);
    assert_eq!(trial.rows("SELECT count(*) FROM jadpo_events"), ["1"]);
}

#[test]
fn a_write_that_the_engine_refuses_is_the_bodys_failure() {
    fn wrong<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            cx.store().write("INSERT INTO quotes (btc) VALUES ('first')", ());
            cx.store().write("INSERT INTO qoutes (btc) VALUES (1)", ());
            Ok(())
        })
    }
    let trial = after(wrong);
    assert_eq!(states(&trial), "failed 1");
    let error = errors(&trial).remove(0);
    assert!(error.contains("no such table: qoutes"), "{error}");
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["0"]);
}

#[test]
fn no_write_ends_the_boundary_early() {
    fn commits<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            cx.store().write("INSERT INTO quotes (btc) VALUES ('first')", ());
            cx.store().write("-- out of here\n /* now */ commit", ());
            Ok(())
        })
    }
    let trial = after(commits);
    assert_eq!(errors(&trial), ["COMMIT can't stand in a boundary"]);
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["0"]);
}

#[test]
fn a_query_reads_what_is_committed_and_can_write_nothing() {
    fn queries<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            cx.store().write("INSERT INTO quotes (btc) VALUES ('gathered')", ());
            let rows = cx.store().query("SELECT count(*) AS n FROM quotes", ()).await?;
            assert_eq!(rows[0].get::<i64>("n")?, 0);
            let refused = cx.store().query("DELETE FROM quotes", ()).await.unwrap_err();
            assert!(refused.text().contains("readonly"), "{refused}");
            let wrong = cx.store().query("SELECT", ()).await.unwrap_err();
            cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (wrong.text(),));
            Ok(())
        })
    }
    let trial = after(queries);
    assert_eq!(states(&trial), "done 1");
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["2"]);
}
