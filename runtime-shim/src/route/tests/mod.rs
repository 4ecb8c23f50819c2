//! Requests and what comes of them, without a server.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod answers;
mod inputs;
mod paths;

use std::sync::Arc;

use serde_json::{Value, json};

use super::{Head, Routes};
use crate::plan::Plan;

/// The token of the route `close`.
const TOKEN: &str = "s3cret-token";

/// An app of some routes; `GET /tickets` and `POST /tickets/{input.id}` take every kind of field.
pub fn plan() -> Plan {
    let field = |name: &str, shape: Value| json!({ "name": name, "wire": name, "shape": shape });
    let optional =
        |name: &str, shape: Value| json!({ "name": name, "wire": name, "optional": true, "shape": shape });
    let action = |input: Option<&str>, output: Value| json!({ "store": "main", "input": input, "output": output, "emits": [], "uses": [], "starts": [] });
    let route = |method: &str, path: Value, action: &str| json!({ "method": method, "path": path, "action": action, "within_ms": 30_000 });
    let mut guarded = route("DELETE", json!([{ "text": "tickets" }, { "input": "id" }]), "close");
    guarded["bearer"] = json!("CLOSE_TOKEN");
    let plan = json!({
        "version": 1, "app": "desk", "packages": {}, "connections": {}, "subscribers": {},
        "stores": { "main": { "native": { "sqlite": "desk.db" }, "keep_ms": 1 } },
        "types": {
            "Ticket": { "object": [
                optional("at", json!({ "instant": "unix_s" })),
                field("id", json!({ "int": { "min": "1" } })),
                optional("level", json!({ "named": "Level" })),
                optional("nested", json!({ "named": "Ref" })),
                field("note", json!({ "nullable": { "text": {} } })),
                optional("tags", json!({ "list": [{ "text": { "max_length": 5 } }, { "max_items": 2 }] })),
                { "name": "title", "wire": "Title", "shape": { "text": {} } },
            ] },
            "Ref": { "object": [field("id", json!({ "int": {} }))] },
            "Level": { "int_enum": { "values": [1, 2], "other": false } },
            "Id": { "object": [field("id", json!({ "int": {} }))] },
        },
        "actions": {
            "open": action(Some("Ticket"), json!({ "named": "Ticket" })),
            "close": action(Some("Id"), Value::Null),
            "ping": action(None, json!({ "text": {} })),
        },
        "routes": {
            "list": route("GET", json!([{ "text": "tickets" }]), "open"),
            "open": route("POST", json!([{ "text": "tickets" }, { "input": "id" }]), "open"),
            "latest": route("GET", json!([{ "text": "tickets" }, { "text": "latest" }]), "ping"),
            "show": route("GET", json!([{ "text": "tickets" }, { "input": "id" }]), "close"),
            "of": route("GET", json!([{ "input": "id" }, { "text": "latest" }]), "close"),
            "close": guarded,
            "root": route("GET", json!([]), "ping"),
            "touch": route("HEAD", json!([{ "text": "a b" }]), "ping"),
            "put": route("PUT", json!([{ "text": "a b" }]), "ping"),
        },
        "deployables": { "server": {
            "routes": ["close", "latest", "list", "of", "open", "put", "root", "show", "touch"],
            "subscribers": [], "polls": [],
            "runner": { "workers": 1, "at_capacity_poll_interval_ms": 1_000, "at_capacity_heartbeat_ms": 1_000,
                "backoff_initial_ms": 100, "backoff_max_ms": 1_000, "sleep_detection_ms": 180_000 },
        } },
    });
    serde_json::from_value(plan).unwrap()
}

fn open(plan: Plan) -> Result<Routes, Vec<String>> {
    let deployable = plan.deployables["server"].clone();
    let environment = |name: &str| (name == "CLOSE_TOKEN").then(|| TOKEN.to_owned());
    Routes::open(&Arc::new(plan), &deployable, &environment)
}

fn routes() -> Routes {
    open(plan()).unwrap()
}

/// A request line, sent with a JSON body unless it is empty; its route and input, or its refusal.
fn ask(line: &str, body: &str) -> String {
    let (method, target) = line.split_once(' ').unwrap();
    ask_with(method, target, Some("application/json"), None, body.as_bytes())
}

fn ask_with(
    method: &str,
    target: &str,
    content_type: Option<&str>,
    authorization: Option<&str>,
    body: &[u8],
) -> String {
    let (path, query) = target.split_once('?').map_or((target, None), |(path, query)| (path, Some(query)));
    let head = Head { method, path, query, authorization, content_type, has_body: !body.is_empty() };
    let routes = routes();
    let asked = routes.admit(&head).and_then(|admitted| {
        let input = routes.input(&admitted, admitted.wants_body.then_some(body))?;
        Ok(format!("{} {}", routes.name(&admitted), input.unwrap_or_default()).trim_end().to_owned())
    });
    asked.unwrap_or_else(|reply| {
        let headers: Vec<String> =
            reply.headers.iter().map(|(name, value)| format!(" {name}: {value};")).collect();
        let headers = headers.concat();
        let body: Value = serde_json::from_str(&reply.body).unwrap();
        format!(
            "{}{headers} {}: {}",
            reply.status,
            body["error"]["code"].as_str().unwrap(),
            body["error"]["message"].as_str().unwrap()
        )
    })
}
