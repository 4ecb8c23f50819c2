//! An app of two stores: a poll, subscribers in both, actions, a schedule, a batch and a backfill.

use serde_json::json;

use crate::app::App;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::dispatch::Dispatch;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::plan::Plan;
use crate::step::RunStep;
use crate::testing::TestApp;
use crate::trial::base_plan;

const TABLES: &str = "CREATE TABLE IF NOT EXISTS quotes (btc TEXT, eth TEXT) STRICT;
    CREATE TABLE IF NOT EXISTS total (n INTEGER NOT NULL) STRICT;
    INSERT INTO total SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM total);";

/// The app's code.
pub struct Desk;

/// The app, kept in `main`; what hears the app's own event writes `desk`.
pub fn app(code: impl Dispatch) -> App {
    let json = serde_json::to_string(&plan()).unwrap();
    App::new(&json, "server", code).prepare("main", TABLES).prepare("desk", TABLES)
}

/// Its provider answers this price.
pub fn price(app: &mut TestApp, btc: &str) {
    app.answers("GET /v1/prices", json!({ "btc": btc, "eth": "2" }));
}

fn plan() -> Plan {
    let mut plan = base_plan();
    let feed = plan.connections.get_mut("feed").unwrap();
    feed.polls.get_mut("prices").unwrap().every_ms = 120_000;
    plan.stores.insert("desk".to_owned(), plan.stores["main"].clone());
    plan.subscribers.get_mut("hear_kept").unwrap().store = "desk".to_owned();
    let action = |input: bool, output: bool| {
        let mut action = json!({ "store": "main", "emits": ["QuoteKept"], "uses": [], "starts": ["count"] });
        if input {
            action["input"] = json!("QuoteKept");
        }
        if output {
            action["output"] = json!({ "named": "QuoteKept" });
        }
        serde_json::from_value(action).unwrap()
    };
    plan.actions.insert("keep".to_owned(), action(true, true));
    plan.actions.insert("add".to_owned(), action(false, false));
    plan.actions.insert("sweep".to_owned(), action(false, false));
    let schedule = json!({ "when": { "every_ms": 300_000 }, "action": "sweep" });
    plan.schedules.insert("often".to_owned(), serde_json::from_value(schedule).unwrap());
    let batch = json!({ "store": "main", "size": 50 });
    plan.batches.insert("count".to_owned(), serde_json::from_value(batch).unwrap());
    let backfill = json!({ "store": "desk", "record": "QuoteKept", "field": "btc", "size": 7 });
    plan.backfills.insert("fill".to_owned(), serde_json::from_value(backfill).unwrap());
    let server = plan.deployables.get_mut("server").unwrap();
    server.schedules = vec!["often".to_owned()];
    server.batches = vec!["count".to_owned(), "fill".to_owned()];
    plan
}

/// Adds one in a transaction that reads what it changes.
async fn add(cx: &mut Context) -> Result<(), Failure> {
    let mut transaction = cx.transaction().await?;
    let n: i64 = transaction.query("SELECT n FROM total", ()).await?[0].get(0)?;
    transaction.execute_rows(1, "UPDATE total SET n = ?1", (n + 1,)).await?;
    Ok(())
}

fn kept(cx: &mut Context, btc: &str) {
    cx.emit("QuoteKept", json!({ "btc": btc }).to_string());
}

impl Dispatch for Desk {
    fn deliver<'a>(
        &'a self,
        subscriber: &'a str,
        cx: &'a mut Context,
        event: &'a Delivered,
    ) -> BoxFuture<'a, Result<(), Failure>> {
        Box::pin(async move {
            let payload: serde_json::Value = serde_json::from_str(&event.payload)?;
            let btc = payload["btc"].as_str().unwrap().to_owned();
            if subscriber == "update_quotes" {
                cx.connection("small").call("ping", None).await?;
                cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (btc.as_str(),));
                kept(cx, &btc);
                return Ok(());
            }
            cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (btc.as_str(),));
            add(cx).await
        })
    }

    fn act<'a>(
        &'a self,
        action: &'a str,
        cx: &'a mut Context,
        input: Option<&'a str>,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            match action {
                "keep" => {
                    let input: serde_json::Value = serde_json::from_str(input.unwrap())?;
                    let btc = input["btc"].as_str().ok_or_else(|| Failure::invalid("no price"))?;
                    cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (btc,));
                    kept(cx, btc);
                    cx.start("count", None);
                    Ok(Some(json!({ "btc": btc }).to_string()))
                }
                "add" => add(cx).await.map(|()| None),
                _ => {
                    cx.store().write("INSERT INTO quotes (btc) VALUES ('swept')", ());
                    kept(cx, "7");
                    Ok(None)
                }
            }
        })
    }

    fn step<'a>(
        &'a self,
        batch: &'a str,
        cx: &'a mut Context,
        step: &'a RunStep,
    ) -> BoxFuture<'a, Result<Option<String>, Failure>> {
        Box::pin(async move {
            let at: u32 = step.cursor.as_deref().map_or(0, |cursor| cursor.parse().unwrap());
            let value = if at == 1 { "\"x\"".to_owned() } else { format!("\"{at}\"") };
            if batch == "count" || cx.takes("QuoteKept", "btc", &at.to_string(), &value) {
                cx.store().write("INSERT INTO quotes (btc, eth) VALUES (?1, ?2)", (at.to_string(), batch));
            }
            Ok((at < 2).then(|| (at + 1).to_string()))
        })
    }
}
