//! A body's work that blocks its thread.

use super::{Value, errors, states, steady};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::trial::{Body, Trial};

/// One delivery through a body, without another attempt.
fn after(body: impl Body) -> Trial {
    let trial = Trial::new(|plan| {
        plan.subscribers.retain(|name, _| name == "update_quotes");
        plan.deployables.get_mut("server").unwrap().subscribers = vec!["update_quotes".to_owned()];
        plan.subscribers.get_mut("update_quotes").unwrap().retry.attempts = 1;
    });
    steady(&trial);
    let _instance = trial.serve(1, body);
    trial.pass(1_000);
    trial
}

#[test]
fn its_value_is_the_bodys_to_use() {
    fn doubles<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move {
            let number = cx.blocking(|| 21 * 2).await?;
            cx.store().write("INSERT INTO quotes (btc) VALUES (?1)", (number.to_string(),));
            Ok(())
        })
    }
    let trial = after(doubles);
    assert_eq!(states(&trial), "done 1");
    assert_eq!(trial.rows("SELECT btc FROM quotes"), ["42"]);
}

#[test]
fn its_panic_is_the_bodys_own() {
    fn panics<'a>(_: &'a str, cx: &'a mut Context, _: &'a Delivered) -> Value<'a> {
        Box::pin(async move { cx.blocking(|| panic!("no such file")).await })
    }
    let trial = after(panics);
    assert_eq!(states(&trial), "failed 1");
    assert!(errors(&trial)[0].contains("no such file"), "{:?}", errors(&trial));
}
