//! What a running app shows of itself.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use insta::assert_snapshot;

use super::{Status, status};
use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::sim::Reply;
use crate::trial::{Instance, START_MS, Trial};

const MINUTE_MS: u64 = 60_000;

fn look(trial: &Trial, instance: &Instance) -> Status {
    trial.sim.run(status(&instance.engine))
}

/// As JSON, times counted from the start of the trial.
fn shown<T: serde::Serialize>(part: &T) -> String {
    let mut value = serde_json::to_value(part).unwrap();
    from_start(&mut value);
    serde_json::to_string_pretty(&value).unwrap()
}

fn from_start(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Number(number) => {
            if let Some(ms) = number.as_i64().filter(|ms| *ms >= START_MS) {
                *value = format!("start + {} s", (ms - START_MS) / 1_000).into();
            }
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(from_start),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(from_start),
        _ => {}
    }
}

fn fails<'a>(_: &'a str, _: &'a mut Context, _: &'a Delivered) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async { Err(Failure::new("no such account")) })
}

#[test]
fn everything_that_an_operator_asks_for() {
    let trial = Trial::new(|plan| {
        plan.subscribers.get_mut("update_quotes").unwrap().retry.attempts = 2;
        plan.connections.get_mut("feed").unwrap().polls.get_mut("prices").unwrap().every_ms = MINUTE_MS;
    });
    trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":60,"eth":2}"#));
    let instance = trial.serve(1, fails);
    trial.pass(2 * MINUTE_MS);
    trial.script.set("/v1/prices", |_, _| Reply::json(r#"{"btc":"many"}"#));
    trial.pass(MINUTE_MS);
    let seen = look(&trial, &instance);
    assert_eq!((seen.ready, seen.stopping, seen.lag_ms), (true, false, None));
    assert_snapshot!(shown(&seen.stores[0].polls), @r#"
[
  {
    "changed_at_ms": "start + 0 s",
    "failed_at_ms": "start + 180 s",
    "last_error": {
      "kind": "decode",
      "places": [
        {
          "got": "\"many\"",
          "place": "/btc",
          "wanted": "a decimal of at most 28 digits"
        },
        {
          "got": "nothing",
          "place": "/eth",
          "wanted": "a decimal of at most 28 digits"
        }
      ],
      "text": "feed.fetch_prices: the answer does not fit its type: /btc: wanted a decimal of at most 28 digits, got \"many\"; /eth: wanted a decimal of at most 28 digits, got nothing"
    },
    "name": "poll feed.prices",
    "next_due_ms": "start + 240 s"
  }
]
"#);
    assert_snapshot!(shown(&seen.stores[0].failed_deliveries), @r#"
[
  {
    "attempts": 2,
    "error": "no such account",
    "event": "coinfeed.PricesChanged",
    "finished_at_ms": "start + 0 s",
    "id": 1,
    "subscriber": "update_quotes"
  }
]
"#);
    assert_snapshot!(shown(&(&seen.stores[0].backlog, &seen.stores[0].deliveries, &seen.waits)), @r#"
[
  [
    {
      "claimed": 0,
      "connection": "feed",
      "event": "coinfeed.PricesChanged",
      "failed": 1,
      "lag_ms": null,
      "pending": 0,
      "subscriber": "update_quotes"
    }
  ],
  {
    "claimed": 0,
    "discarded": 0,
    "done": 0,
    "failed": 1,
    "pending": 0
  },
  [
    {
      "claims": 2,
      "connection": "feed",
      "event": "coinfeed.PricesChanged",
      "longest_ms": 88,
      "mean_ms": 44
    }
  ]
]
"#);
    assert_snapshot!(shown(&seen.connections), @r#"
[
  {
    "asked_to_wait_until_ms": null,
    "name": "feed",
    "slots": {
      "cap": null,
      "out": 0,
      "waiting": 0
    }
  },
  {
    "asked_to_wait_until_ms": null,
    "name": "small",
    "slots": {
      "cap": null,
      "out": 0,
      "waiting": 0
    }
  }
]
"#);
    let json = serde_json::to_string(&seen).unwrap();
    assert_eq!(serde_json::from_str::<Status>(&json).unwrap(), seen, "who asks over the wire reads the same");
}

#[test]
fn lag_is_seen_while_no_program_takes_what_is_due() {
    let trial = Trial::new(|_| {});
    let instance = trial.start(1, fails);
    trial.execute(&format!(
        "INSERT INTO jadpo_events (id, name, source, occurred_at_ms, payload, created_at_ms)
         VALUES (1, 'coinfeed.PricesChanged', 'feed', 0, '{{}}', {START_MS});
         INSERT INTO jadpo_deliveries (event_id, subscriber, state, attempts, due_ms, give_up_ms)
         VALUES (1, 'update_quotes', 'pending', 0, {START_MS}, 9000000000000)"
    ));
    trial.pass(90_000);
    let seen = look(&trial, &instance);
    assert_eq!((seen.lag_ms, seen.stores[0].lag.deliveries_ms), (Some(90_000), Some(90_000)));
    assert_eq!((seen.stores[0].backlog[0].pending, seen.stores[0].backlog[0].lag_ms), (1, Some(90_000)));
}

#[test]
fn a_store_that_cannot_be_read_says_so_in_its_own_part() {
    let trial = Trial::new(|_| {});
    let instance = trial.start(1, fails);
    trial.execute("DROP TABLE jadpo_polls");
    let seen = look(&trial, &instance);
    assert!(seen.stores[0].error.as_ref().unwrap().contains("jadpo_polls"), "{:?}", seen.stores[0].error);
    assert_eq!(seen.connections.len(), 2);
}
