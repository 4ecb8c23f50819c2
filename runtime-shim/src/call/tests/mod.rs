//! Calls in a virtual world: one connection, one scripted provider, no waiting.

#![allow(clippy::unwrap_used, reason = "a test that unwraps fails where it stands")]

mod answers;
mod asked_waits;
mod requests;
mod retries;
mod slots;
#[cfg(feature = "native")]
mod spans;

use std::sync::Arc;

use crate::call::{Answer, CallError, Connection, Turn};
use crate::plan::Plan;
use crate::settings;
use crate::sim::{Script, Sim, VirtualHost};

/// 2027-03-03T10:00:00Z.
pub(super) const START_MS: i64 = 1_804_068_000_000;

/// What the connection's secrets are; in no error may they stand.
pub(super) const API_KEY: &str = "sk_live/ä+51";

/// A world with one connection, `feed`.
pub(super) struct World {
    pub(super) sim: Sim,
    pub(super) host: Arc<VirtualHost>,
    pub(super) script: Script,
    pub(super) feed: Connection,
    plan: Arc<Plan>,
}

/// A world of the plan below, changed by `change`.
pub(super) fn world_with(script: &Script, seed: u64, change: impl FnOnce(&mut Plan)) -> World {
    let mut plan: Plan = serde_json::from_str(PLAN).unwrap();
    change(&mut plan);
    let plan = Arc::new(plan);
    let sim = Sim::new(seed, START_MS, Arc::new(script.clone()));
    let host = sim.host(0);
    let feed = open(&plan, &host);
    World { sim, host, script: script.clone(), feed, plan }
}

pub(super) fn world(script: &Script) -> World {
    world_with(script, 7, |_| {})
}

fn open(plan: &Arc<Plan>, host: &Arc<VirtualHost>) -> Connection {
    let environment = |name: &str| (name == "KEY").then(|| API_KEY.to_owned());
    let mut settings = settings::resolve(plan, &["feed"], &environment).unwrap();
    Connection::open("feed", plan, settings.remove("feed").unwrap(), Arc::clone(host) as _).unwrap()
}

impl World {
    /// One more connection like `feed`, with slots of its own.
    pub(super) fn another(&self, host_number: u64) -> Connection {
        open(&self.plan, &self.sim.host(host_number))
    }

    pub(super) fn now_ms(&self) -> i64 {
        self.sim.timers().wall_ms() - START_MS
    }

    /// Calls an operation without an input, in a turn that waits.
    pub(super) fn call(&self, operation: &str) -> Result<Answer, CallError> {
        self.sim.run(self.feed.call(operation, None, Turn::Wait))
    }

    /// Calls it, and shows why it failed; no spelling of the secret may be in it.
    #[track_caller]
    pub(super) fn failure(&self, operation: &str) -> String {
        let failure = match self.call(operation) {
            Ok(answer) => answer.decode::<crate::Json>().err(),
            Err(error) => Some(error),
        };
        shown(&failure.expect("the call fails"))
    }

    /// When each request was sent, in milliseconds since the start.
    pub(super) fn sent_ms(&self) -> Vec<i64> {
        self.script.sent().iter().map(|sent| sent.at_ms - START_MS).collect()
    }
}

/// The text of an error, once it is sure that it holds no secret.
#[track_caller]
pub(super) fn shown(error: &CallError) -> String {
    for text in [error.to_string(), format!("{error:?}")] {
        for secret in [API_KEY, "sk_live%2F%C3%A4%2B51", "sk_live", "c2tfbGl2ZS/DpCs1MQ=="] {
            assert!(!text.contains(secret), "{text}");
        }
    }
    error.to_string()
}

/// Operations: `prices` may be retried, `order` changes data, `keyed` has a key, `ping` has no output, `put` takes it all.
const PLAN: &str = r#"{
  "version": 1,
  "app": "test",
  "types": {
    "coinfeed.Prices": { "object": [
      { "name": "btc", "wire": "btc", "shape": { "decimal": {} } },
      { "name": "state", "wire": "state", "optional": true, "shape": { "named": "coinfeed.State" } }
    ] },
    "coinfeed.State": { "text_enum": { "values": ["open", "shut"], "other": false } },
    "coinfeed.Order": { "object": [
      { "name": "at", "wire": "placedAt", "shape": { "instant": "unix_ms" } },
      { "name": "id", "wire": "id", "shape": { "text": {} } },
      { "name": "note", "wire": "note", "optional": true, "shape": { "nullable": { "text": {} } } },
      { "name": "price", "wire": "price", "shape": { "decimal": { "min": "0" } } },
      { "name": "tags", "wire": "tags", "shape": { "list": [{ "text": {} }, {}] } },
      { "name": "trace", "wire": "trace", "optional": true, "shape": { "text": {} } }
    ] }
  },
  "packages": { "coinfeed": {
    "version": "1.0.0",
    "base_url": [{ "text": "https://api.example.test/v1/" }],
    "settings": {
      "api_key": { "shape": "secret" },
      "currency": { "shape": { "text": {} }, "default_json": "\"usd\"" },
      "region": { "shape": { "nullable": { "text": {} } } }
    },
    "auth": { "bearer": [{ "setting": "api_key" }] },
    "headers": [["X-Currency", [{ "setting": "currency" }]], ["X-Region", [{ "setting": "region" }]]],
    "retry": { "attempts": 3, "initial_ms": 200, "max_ms": 5000 },
    "max_response_bytes": 1000,
    "operations": {
      "prices": { "method": "GET", "path": [{ "text": "/prices" }], "query": [["vs", [{ "setting": "currency" }]]],
        "headers": [], "body_fields": [], "output": { "named": "coinfeed.Prices" }, "retriable": true, "timeout_ms": 10000 },
      "order": { "method": "POST", "path": [{ "text": "/orders" }], "query": [], "headers": [], "body_fields": [],
        "output": "json", "retriable": false, "timeout_ms": 10000 },
      "keyed": { "method": "POST", "path": [{ "text": "/orders" }], "query": [], "headers": [], "body_fields": [],
        "output": "json", "retriable": true, "idempotency_header": "Idempotency-Key", "timeout_ms": 10000 },
      "ping": { "method": "GET", "path": [{ "text": "/ping" }], "query": [], "headers": [], "body_fields": [],
        "retriable": true, "timeout_ms": 10000 },
      "put": { "method": "PUT", "path": [{ "text": "/orders/" }, { "input": "id" }], "input": "coinfeed.Order",
        "query": [["tag", [{ "input": "tags" }]], ["plain", [{ "text": "a b&c" }]]],
        "headers": [["X-Trace", [{ "input": "trace" }]], ["x-currency", [{ "text": "eur" }]]],
        "body_fields": ["at", "note", "price"], "output": "json", "retriable": true, "timeout_ms": 10000 }
    }
  } },
  "connections": { "feed": {
    "package": "coinfeed",
    "settings": { "api_key": { "env": "KEY" } },
    "max_concurrent": 2,
    "polls": {},
    "keep_ms": 1000
  } },
  "stores": {},
  "subscribers": {},
  "deployables": {}
}"#;
