//! The base plan: a feed of two prices, polled every ten minutes, and two subscribers that write one store.

pub const PLAN: &str = r#"{
  "version": 1,
  "app": "trading",
  "types": {
    "coinfeed.Prices": { "object": [
      { "name": "btc", "wire": "btc", "shape": { "decimal": {} } },
      { "name": "eth", "wire": "eth", "shape": { "decimal": {} } },
      { "name": "fetched_at", "wire": "fetched_at", "optional": true, "shape": { "instant": "rfc3339" } }
    ] },
    "coinfeed.PricesChanged": { "object": [
      { "name": "btc", "wire": "btc", "shape": { "decimal": {} } },
      { "name": "eth", "wire": "eth", "shape": { "decimal": {} } }
    ] },
    "QuoteKept": { "object": [ { "name": "btc", "wire": "btc", "shape": { "decimal": {} } } ] }
  },
  "packages": { "coinfeed": {
    "version": "1.0.0",
    "base_url": [{ "text": "https://api.example.test" }],
    "settings": {},
    "auth": "none",
    "headers": [],
    "retry": { "attempts": 1, "initial_ms": 200, "max_ms": 5000 },
    "max_response_bytes": 1048576,
    "operations": {
      "fetch_prices": {
        "method": "GET", "path": [{ "text": "/v1/prices" }], "query": [], "headers": [], "body_fields": [],
        "output": { "named": "coinfeed.Prices" }, "retriable": true, "timeout_ms": 60000
      },
      "ping": {
        "method": "GET", "path": [{ "text": "/v1/ping" }], "query": [], "headers": [], "body_fields": [],
        "retriable": true, "timeout_ms": 60000
      }
    }
  } },
  "connections": {
    "feed": {
      "package": "coinfeed", "settings": {},
      "polls": { "prices": { "operation": "fetch_prices", "every_ms": 600000, "event": "coinfeed.PricesChanged" } },
      "events_store": "main", "keep_ms": 2592000000
    },
    "small": { "package": "coinfeed", "settings": {}, "polls": {}, "keep_ms": 2592000000 }
  },
  "stores": { "main": { "native": { "sqlite": "trading.db" }, "keep_ms": 2592000000 } },
  "subscribers": {
    "update_quotes": {
      "on": ["coinfeed.PricesChanged"], "from": ["feed"], "uses": ["feed", "small"], "emits": ["QuoteKept"],
      "store": "main", "within_ms": 1800000, "retry": { "attempts": 3, "initial_ms": 5000, "max_ms": 600000 }
    },
    "hear_kept": {
      "on": ["QuoteKept"], "from": [], "uses": ["small"], "emits": [],
      "store": "main", "within_ms": 1800000, "retry": { "attempts": 3, "initial_ms": 5000, "max_ms": 600000 }
    }
  },
  "deployables": { "server": {
    "subscribers": ["hear_kept", "update_quotes"],
    "polls": [["feed", "prices"]],
    "runner": {
      "workers": 8, "at_capacity_poll_interval_ms": 1000, "at_capacity_heartbeat_ms": 10000,
      "backoff_initial_ms": 1000, "backoff_max_ms": 60000, "sleep_detection_ms": 180000
    }
  } }
}"#;
