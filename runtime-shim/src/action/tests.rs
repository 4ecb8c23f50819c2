//! Actions in a whole app: what commits with one, what it sets off, in one store and in several.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod settled;
mod stores;
mod transactions;

use std::collections::BTreeMap;

use super::{ActionEnd, Ask, run};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::plan::{Action, Batch, Plan, Route, Shape};
use crate::store::Fence;
use crate::trial::{Acts, Instance, Trial, fine};

type Value<'a> = BoxFuture<'a, Result<(), Failure>>;
type Output<'a> = BoxFuture<'a, Result<Option<String>, Failure>>;

/// An app whose action `open` may emit, start a batch and answer; `hear_kept` writes `heard_in`.
fn trial(heard_in: &str) -> Trial {
    Trial::new(|plan| desk(plan, heard_in))
}

fn desk(plan: &mut Plan, heard_in: &str) {
    plan.stores.insert("desk".to_owned(), plan.stores["main"].clone());
    plan.connections.get_mut("feed").unwrap().polls.clear();
    plan.subscribers.get_mut("hear_kept").unwrap().store = heard_in.to_owned();
    let action = Action {
        public: false,
        store: "main".to_owned(),
        input: None,
        output: Some(Shape::Text(crate::plan::TextRule {
            min_length: Some(1),
            max_length: None,
            pattern: None,
        })),
        emits: vec!["QuoteKept".to_owned()],
        uses: vec!["small".to_owned()],
        starts: vec!["recount".to_owned()],
    };
    plan.actions = BTreeMap::from([("open".to_owned(), action)]);
    let recount = Batch { store: "main".to_owned(), input: Some("QuoteKept".to_owned()), size: 100 };
    plan.batches = BTreeMap::from([("recount".to_owned(), recount)]);
    let route = Route {
        method: "POST".to_owned(),
        path: Vec::new(),
        action: "open".to_owned(),
        bearer: None,
        settle: true,
        within_ms: 10_000,
    };
    plan.routes = BTreeMap::from([("open".to_owned(), route)]);
    let server = plan.deployables.get_mut("server").unwrap();
    server.polls.clear();
    server.routes = vec!["open".to_owned()];
    server.host = Some(crate::plan::Host {
        max_connections: 1,
        drain_ms: 10_000,
        listen: crate::plan::Listen::At("127.0.0.1:0".to_owned()),
        control: None,
    });
}

fn ask() -> Ask {
    Ask {
        action: "open".to_owned(),
        input: None,
        fence: Fence::Free,
        limit_ms: 10_000,
        claim: None,
        trace: None,
    }
}

/// Runs the action in a running app.
fn act(trial: &Trial, instance: &Instance) -> ActionEnd {
    trial.sim.run(run(&instance.engine, ask()))
}

/// Keeps a quote and emits that it did.
fn keeps<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
    Box::pin(async move {
        cx.store().write("INSERT INTO quotes (btc) VALUES ('acted')", ());
        cx.emit("QuoteKept", r#"{"btc":"60"}"#.to_owned());
        Ok(Some("\"kept\"".to_owned()))
    })
}

/// Writes what it heard.
fn hears<'a>(subscriber: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
    Box::pin(async move {
        cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (subscriber,));
        Ok(())
    })
}

fn states(trial: &Trial, store: &str) -> String {
    let sql = "SELECT state || ' ' || count(*) FROM jadpo_deliveries GROUP BY state ORDER BY state";
    trial.rows_of(store, sql).join(", ")
}

#[test]
fn what_an_action_did_and_emitted_is_kept_and_delivered_at_once() {
    let trial = trial("main");
    let instance = trial.serve_app(1, Acts(hears, keeps));
    let ActionEnd::Done { output, set_off } = act(&trial, &instance) else { panic!("it failed") };
    assert_eq!((output.as_deref(), set_off.len()), (Some("\"kept\""), 1));
    trial.pass(1_000);
    assert_eq!(trial.rows("SELECT btc FROM quotes"), ["acted", "hear_kept"]);
    assert_eq!(states(&trial, "main"), "done 1");
}

#[test]
fn nothing_is_kept_of_an_action_without_its_value() {
    fn fails<'a>(action: &'a str, cx: &'a mut Context, input: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            keeps(action, cx, input).await?;
            Err(Failure::not_found("no such quote"))
        })
    }
    fn gives_nothing<'a>(action: &'a str, cx: &'a mut Context, input: Option<&'a str>) -> Output<'a> {
        Box::pin(async move { keeps(action, cx, input).await.map(|_| Some("\"\"".to_owned())) })
    }
    fn conflicts<'a>(action: &'a str, cx: &'a mut Context, input: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            cx.store().write_rows(1, "DELETE FROM quotes", ());
            keeps(action, cx, input).await
        })
    }
    fn lasts<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            cx.host.sleep(11_000).await;
            Ok(None)
        })
    }
    fn end(code: impl crate::trial::Act) -> ActionEnd {
        let trial = trial("main");
        let instance = trial.serve_app(1, Acts(fine, code));
        let end = act(&trial, &instance);
        assert_eq!(trial.rows("SELECT btc FROM quotes"), [""; 0]);
        assert_eq!(trial.rows("SELECT id FROM jadpo_events"), [""; 0]);
        end
    }
    assert_eq!(end(fails), ActionEnd::Failed(Failure::not_found("no such quote")));
    let ActionEnd::Failed(failure) = end(gives_nothing) else { panic!("its output is no text of 1") };
    insta::assert_snapshot!(failure, @r#"the output breaks its own type: the whole: wanted text of at least 1 characters, got """#);
    let stated = "conflict: 0 rows where 1 were stated, by DELETE FROM quotes".to_owned();
    assert_eq!(end(conflicts), ActionEnd::Conflict(stated));
    assert_eq!(end(lasts), ActionEnd::OverLimit);
}

#[test]
fn a_batch_run_is_kept_with_the_action_that_starts_it() {
    fn starts<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            cx.start("recount", Some(r#"{"btc":"1"}"#.to_owned()));
            Ok(None)
        })
    }
    fn starts_wrongly<'a>(_: &'a str, cx: &'a mut Context, _: Option<&'a str>) -> Output<'a> {
        Box::pin(async move {
            cx.start("recount", Some(r#"{"btc":"x"}"#.to_owned()));
            Ok(None)
        })
    }
    let begun = trial("main");
    let instance = begun.serve_app(1, Acts(fine, starts));
    assert!(matches!(act(&begun, &instance), ActionEnd::Done { set_off, .. } if set_off.len() == 1));
    let runs = "SELECT batch, input FROM jadpo_batch_runs";
    assert_eq!(begun.rows(runs), [r#"recount | {"btc":"1"}"#]);
    let refused = trial("main");
    let instance = refused.serve_app(1, Acts(fine, starts_wrongly));
    let ActionEnd::Failed(failure) = act(&refused, &instance) else { panic!("no batch could read it") };
    insta::assert_snapshot!(failure, @r#"the input of recount breaks its own type: /btc: wanted a decimal of at most 28 digits, got "x""#);
    assert_eq!(refused.rows(runs), [""; 0]);
}

#[test]
fn a_batch_of_another_store_is_refused_at_the_start() {
    let mut trial = trial("main");
    trial.plan.batches.get_mut("recount").unwrap().store = "desk".to_owned();
    let Err(error) = trial.try_start(1, fine) else { panic!("it started") };
    insta::assert_snapshot!(error, @"the action open starts recount, which is kept in another store than it writes");
}
