//! The app of a run: everything that the runtime does, over two stores.

use serde_json::{Value, json};

use crate::plan::Plan;

/// How long what ended is kept: longer than anything goes wrong.
pub const KEEP_MS: u64 = 40 * 60_000;

/// The intervals that the poll has, each start of the app one of them.
pub const EVERY_MS: [u64; 3] = [60_000, 120_000, 300_000];

/// The plan, with limits that `random` chooses.
pub fn plan(random: u64) -> Plan {
    let mut plan = crate::trial::base_plan();
    plan.stores.insert("desk".to_owned(), plan.stores["main"].clone());
    let package = plan.packages.get_mut("coinfeed").expect("the base plan has it");
    package.retry.attempts = 2;
    for operation in package.operations.values_mut() {
        operation.timeout_ms = 10_000;
    }
    let feed = plan.connections.get_mut("feed").expect("the base plan has it");
    feed.polls.get_mut("prices").expect("the base plan has it").every_ms = 60_000;
    plan.connections.get_mut("small").expect("the base plan has it").max_concurrent = Some(cap(random));
    let mut watch = plan.subscribers["update_quotes"].clone();
    watch.emits.clear();
    plan.subscribers.insert("watch".to_owned(), watch);
    "desk".clone_into(&mut plan.subscribers.get_mut("hear_kept").expect("the base plan has it").store);
    for subscriber in plan.subscribers.values_mut() {
        subscriber.within_ms = 24 * 3_600_000;
        // A lost machine counts as an attempt, and none of these may use them up.
        subscriber.retry.attempts = 1_000;
        subscriber.retry.max_ms = 20_000;
    }
    let action = |emits: Value, starts: Value| json!({ "store": "main", "emits": emits, "uses": [], "starts": starts });
    plan.actions
        .insert("transfer".to_owned(), read(action(json!(["QuoteKept"]), json!(["recount", "fill"]))));
    plan.actions.insert("sweep".to_owned(), read(action(json!([]), json!([]))));
    plan.schedules
        .insert("nightly".to_owned(), read(json!({ "when": { "every_ms": 60_000 }, "action": "sweep" })));
    plan.batches
        .insert("recount".to_owned(), read(json!({ "store": "main", "input": "QuoteKept", "size": 10 })));
    plan.backfills.insert(
        "fill".to_owned(),
        read(json!({ "store": "main", "record": "QuoteKept", "field": "btc", "size": 10 })),
    );
    for store in plan.stores.values_mut() {
        store.keep_ms = KEEP_MS;
    }
    for connection in plan.connections.values_mut() {
        connection.keep_ms = KEEP_MS;
    }
    plan.routes.insert(
        "transfer".to_owned(),
        read(json!({ "method": "POST", "path": [], "action": "transfer", "settle": true, "within_ms": 10_000 })),
    );
    let server = plan.deployables.get_mut("server").expect("the base plan has it");
    server.subscribers.push("watch".to_owned());
    server.schedules.push("nightly".to_owned());
    server.batches.extend(["recount".to_owned(), "fill".to_owned()]);
    server.routes.push("transfer".to_owned());
    server.host = Some(read(
        json!({ "max_connections": 1, "drain_ms": 10_000, "listen": { "at": "127.0.0.1:0" }, "control": null }),
    ));
    server.runner.workers = 1 + u32::try_from(random >> 8 & 7).expect("it has three bits");
    (server.runner.at_capacity_poll_interval_ms, server.runner.at_capacity_heartbeat_ms) =
        [(100, 0), (1_000, 10_000), (0, 100), (0, 10_000)]
            [usize::try_from(random >> 16 & 3).expect("two bits")];
    server.runner.backoff_max_ms = 10_000;
    plan
}

/// The cap of its one capped connection.
pub fn cap(random: u64) -> u64 {
    1 + (random >> 4) % 3
}

fn read<T: serde::de::DeserializeOwned>(json: Value) -> T {
    serde_json::from_value(json).expect("it is written here as the plan has it")
}
