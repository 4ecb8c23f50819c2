//! The boundary: all of it or nothing of it.

use super::{Value, errors, states, steady};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::plan::{Plan, RangeRule, Shape, TypeDef};
use crate::trial::{Body, Trial};

/// Runs one change through a body and waits.
fn after(body: impl Body) -> Trial {
    after_plan(body, |_| {})
}

/// The same with a plan changed by `change`.
fn after_plan(body: impl Body, change: impl FnOnce(&mut Plan)) -> Trial {
    let trial = Trial::new(|plan| {
        change(plan);
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
fn an_emitted_event_that_no_subscriber_could_read_fails_the_body() {
    fn emits<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            cx.store().write("INSERT INTO quotes (btc) VALUES ('with it')", ());
            cx.emit("QuoteKept", r#"{"btc":"60"}"#.to_owned());
            cx.emit("QuoteKept", r#"{"btc":"-1"}"#.to_owned());
            Ok(())
        })
    }
    let trial = after_plan(emits, |plan| {
        let Some(TypeDef::Object(fields)) = plan.types.get_mut("QuoteKept") else { panic!("an event") };
        fields[0].shape = Shape::Decimal(RangeRule { min: Some("0".to_owned()), max: None });
    });
    assert_eq!(states(&trial), "failed 1");
    let wanted =
        r#"the emitted QuoteKept breaks its own type: /btc: wanted a number of at least 0, got "-1""#;
    assert_eq!(errors(&trial), [wanted]);
    assert_eq!(trial.rows("SELECT count(*) FROM jadpo_events"), ["1"], "the poll's alone");
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["0"]);
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

/// A body that writes a row first and then this statement.
fn then(sql: &'static str) -> Trial {
    after(move |_, cx, _| {
        Box::pin(async move {
            cx.store().write("INSERT INTO quotes (btc) VALUES ('first')", ());
            cx.store().write(sql, ());
            Ok(())
        })
    })
}

#[test]
fn no_write_ends_the_boundary_early() {
    let leaving = [
        "-- out of here\n /* now */ commit",
        "; /* an empty statement first */ ;COMMIT",
        "\u{feff}commit",
        "RELEASE jadpo_work",
    ];
    for sql in leaving {
        let trial = then(sql);
        let error = errors(&trial).remove(0);
        assert!(error.ends_with("can't stand in a boundary"), "{sql}: {error}");
        assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["0"], "{sql}");
    }
}

#[test]
fn two_statements_in_one_write_are_refused_and_never_half_done() {
    let trial = then("INSERT INTO quotes (btc) VALUES ('second'); DELETE FROM quotes");
    assert_eq!(errors(&trial), ["Multiple statements provided"]);
    assert_eq!(trial.rows("SELECT count(*) FROM quotes"), ["0"]);
}

#[test]
fn a_write_that_rolls_everything_back_is_the_bodys_failure_and_no_trouble_of_the_store() {
    let trial = then("INSERT OR ROLLBACK INTO jadpo_meta (key, value) VALUES ('schema', 2)");
    let error = errors(&trial).remove(0);
    assert!(error.contains("UNIQUE constraint failed"), "{error}");
    assert_eq!(states(&trial), "failed 1");
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
