//! No output of a run holds a secret that it used, in any spelling: the log at its most, what is shown, errors, panics, answers, and
//! every byte of the store.

use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use serde_json::json;

#[cfg(feature = "postgres")]
use crate::app::App;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::host::{BoxFuture, HttpRequest};
use crate::plan::{Plan, Setting, SettingSource, Shape};
use crate::route::{Head, Routes};
use crate::sim::{Reply, Script};
#[cfg(feature = "postgres")]
use crate::start::{Surroundings, start};
use crate::status::{Count, status};
#[cfg(feature = "postgres")]
use crate::trial::Bodies;
use crate::trial::log::told_all;
use crate::trial::{Trial, fine};

const MINUTE_MS: u64 = 60_000;

/// By their environment variables; each with characters that every encoding changes.
const SECRETS: [(&str, &str); 5] = [
    ("BEARER", "sk live/+\"1~\\x"),
    ("USER_PASSWORD", "pass word?&=%\"'/ü"),
    ("QUERY_KEY", "qk+ey/ #&ß~1\\"),
    ("HEADER_KEY", "hk<ey>/\"e~0"),
    ("ROUTE_TOKEN", "route-token-3f9a77"),
];

/// Every way in which a text may stand in another, found without the code that cuts it.
fn spellings(secret: &str) -> Vec<String> {
    let quoted = |text: String| text[1..text.len() - 1].to_owned();
    let percent = secret.bytes().fold(String::new(), |mut text, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                text.push(char::from(byte));
            }
            _ => write!(text, "%{byte:02X}").unwrap(),
        }
        text
    });
    let json = quoted(serde_json::to_string(secret).unwrap());
    let mut all = vec![
        secret.to_owned(),
        percent.to_lowercase(),
        percent,
        url::form_urlencoded::byte_serialize(secret.as_bytes()).collect(),
        quoted(format!("{secret:?}")),
        quoted(format!("{json:?}")),
        json,
        crate::digest::hex(secret.as_bytes()),
    ];
    for moved in 0..3 {
        all.push(in_base64(secret, moved, &|bytes| STANDARD_NO_PAD.encode(bytes)));
        all.push(in_base64(secret, moved, &|bytes| URL_SAFE_NO_PAD.encode(bytes)));
    }
    all
}

/// Those groups of its base64 that are the same whatever stands around it, where so many bytes move it.
fn in_base64(secret: &str, moved: usize, encode: &dyn Fn(&[u8]) -> String) -> String {
    let bytes: Vec<u8> = std::iter::repeat_n(b':', moved).chain(secret.bytes()).collect();
    let whole = &bytes[..bytes.len() - bytes.len() % 3];
    encode(whole)[4 * usize::from(moved > 0)..].to_owned()
}

#[track_caller]
fn holds_none(what: &str, text: &[u8]) {
    for (name, secret) in SECRETS {
        for spelling in spellings(secret) {
            if let Some(at) = text.windows(spelling.len()).position(|part| part == spelling.as_bytes()) {
                let near = &text[at.saturating_sub(160)..(at + spelling.len() + 60).min(text.len())];
                panic!("{what} holds {name} as {spelling:?}: …{}…", String::from_utf8_lossy(near));
            }
        }
    }
}

fn given(name: &str) -> Option<String> {
    SECRETS.iter().find(|(known, _)| *known == name).map(|(_, secret)| (*secret).to_owned())
}

/// A package for each way of authorising, each with a connection that is polled.
fn authorising(plan: &mut Plan) {
    let key = json!([{ "setting": "key" }]);
    let ways = [
        ("bearer", json!({ "bearer": key }), "BEARER"),
        ("basic", json!({ "basic": [[{ "text": "me" }], key] }), "USER_PASSWORD"),
        ("query", json!({ "query": ["key", key] }), "QUERY_KEY"),
        ("header", json!({ "header": ["x-key", [{ "text": "v1 " }, { "setting": "key" }]] }), "HEADER_KEY"),
    ];
    let (package, connection) = (plan.packages["coinfeed"].clone(), plan.connections["feed"].clone());
    let server = plan.deployables.get_mut("server").unwrap();
    server.polls.clear();
    for (way, auth, variable) in ways {
        let mut package = package.clone();
        package.settings.insert("key".to_owned(), Setting { shape: Shape::Secret, default_json: None });
        package.auth = serde_json::from_value(auth).unwrap();
        package.retry.attempts = 2;
        plan.packages.insert(way.to_owned(), package);
        let mut connection = connection.clone();
        way.clone_into(&mut connection.package);
        connection.settings.insert("key".to_owned(), SettingSource::Env(variable.to_owned()));
        connection.polls.get_mut("prices").unwrap().every_ms = MINUTE_MS;
        plan.connections.insert(way.to_owned(), connection);
        server.polls.push((way.to_owned(), "prices".to_owned()));
        let subscriber = plan.subscribers.get_mut("update_quotes").unwrap();
        subscriber.from.push(way.to_owned());
        subscriber.uses.push(way.to_owned());
    }
    let action = json!({ "store": "main", "emits": [], "uses": [], "starts": [] });
    plan.actions.insert("open".to_owned(), serde_json::from_value(action).unwrap());
    let path = json!([{ "text": "open" }]);
    let route = json!({ "method": "POST", "path": path, "action": "open", "bearer": "ROUTE_TOKEN", "within_ms": 1000 });
    plan.routes.insert("open".to_owned(), serde_json::from_value(route).unwrap());
}

/// All that a provider knows of a request, as a careless one repeats it.
fn everything_of(request: &HttpRequest) -> String {
    let headers = request.headers.iter().map(|(name, value)| format!("{name}: {value}"));
    format!("{} {}", request.url, headers.collect::<Vec<_>>().join(" "))
}

/// First a good answer to each, then each way to fail, with everything that the provider knows in it.
fn careless(script: &Script) {
    script.set("/v1/prices", |request, number| {
        let all = everything_of(request);
        let ascii = all.replace(|char: char| !char.is_ascii(), "?");
        match number {
            0..4 => Reply::json(r#"{"btc":60,"eth":2}"#),
            4..8 => Reply::status(401).body(all.as_str()).header("x-told", &ascii),
            8..16 => Reply::broken(&format!("could not connect to {all}")),
            16..20 => Reply::json(&json!({ "btc": all, "eth": { "you": all } }).to_string()),
            20..24 => Reply::json(&format!("<html>{all}</html>")),
            24..32 => Reply::status(503).body(all.as_str()),
            _ => Reply::json(&json!({ all.as_str(): all, "btc": 60, "eth": [all] }).to_string()),
        }
    });
    script.set("/v1/ping", |request, _| Reply::status(400).body(everything_of(request).as_str()));
}

/// Calls each provider, and ends badly with all that it was told.
fn careless_body<'a>(
    _: &'a str,
    cx: &'a mut Context,
    _: &'a Delivered,
) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        let mut told = String::new();
        for connection in ["bearer", "basic", "query", "header"] {
            let error = cx.connection(connection).call("ping", None).await.err().unwrap();
            tracing::info!(?error, "{error}");
            write!(told, "{error} {error:?} ").unwrap();
        }
        match cx.attempt() {
            1 => Err(Failure::new(told)),
            2 => Err(cx.connection("query").call("ping", None).await.err().unwrap().into()),
            _ => panic!("{told}"),
        }
    })
}

fn trial() -> Trial {
    let trial = Trial::new(authorising);
    SECRETS.iter().fold(trial, |trial, (name, secret)| trial.given(name, secret))
}

#[test]
fn a_run_shows_no_secret_anywhere() {
    let trial = trial();
    careless(&trial.script);
    let mut shown = Vec::new();
    let log = told_all(|| {
        let instance = trial.serve(1, careless_body);
        for _ in 0..14 {
            trial.pass(MINUTE_MS);
            let status = trial.sim.run(status(&instance.engine));
            shown.push(format!("{} {status:?}", serde_json::to_string(&status).unwrap()));
        }
        let count = |what| instance.engine.tally.get(what);
        assert!(count(Count::PollsFailed) >= 30 && count(Count::DeliveriesFailed) >= 4, "it all went wrong");
        instance.stop(&trial);
    });
    let sent = trial.script.sent();
    for (name, secret) in &SECRETS[..4] {
        let spellings = spellings(secret);
        let is_told = |text: &str| spellings.iter().any(|one| text.contains(one.as_str()));
        assert!(sent.iter().any(|sent| is_told(&everything_of(&sent.request))), "{name} was never sent");
    }
    assert!(log.contains("[secret]") && shown.iter().any(|status| status.contains("[secret]")));
    holds_none("the log", log.as_bytes());
    for status in &shown {
        holds_none("the status", status.as_bytes());
    }
    for name in ["main.db", "main.db-wal"] {
        let file = Path::new(&trial.file()).with_file_name(name);
        holds_none(name, &std::fs::read(file).unwrap_or_default());
    }
    assert!(trial.rows("SELECT last_error FROM jadpo_deliveries").concat().contains("panicked"));
}

#[test]
fn what_a_start_refuses_and_a_route_answers_holds_no_secret() {
    let mut told = String::new();
    let broken = SECRETS
        .iter()
        .fold(Trial::new(authorising), |trial, (name, secret)| trial.given(name, &format!("{secret}\n")));
    let error = broken.try_start(1, fine).err().unwrap();
    write!(told, "{error} {error:?}").unwrap();
    assert!(told.contains("bearer.key"), "{told}");
    let mut plan = trial().plan;
    plan.deployables.get_mut("server").unwrap().routes.push("open".to_owned());
    let plan = Arc::new(plan);
    let broken = |name: &str| given(name).map(|secret| format!("{secret}\n"));
    let error = Routes::open(&plan, &plan.deployables["server"], &broken).err().unwrap();
    write!(told, "{error:?}").unwrap();
    let routes = Routes::open(&plan, &plan.deployables["server"], &given).map_err(drop).unwrap();
    let token = given("ROUTE_TOKEN").unwrap();
    for authorization in ["Bearer wrong".to_owned(), format!("Basic {token}"), format!("Bearer {token}x")] {
        let head = Head {
            method: "POST",
            path: "/open",
            query: None,
            authorization: Some(&authorization),
            content_type: None,
            has_body: false,
        };
        let reply = routes.admit(&head).err().unwrap();
        assert_eq!(reply.status, 401);
        write!(told, "{reply:?}").unwrap();
    }
    holds_none("a refusal", told.as_bytes());
}

#[cfg(feature = "postgres")]
#[test]
fn a_database_that_cannot_be_had_is_named_without_its_password() {
    let mut told = String::new();
    let trial = Trial::new(|plan| {
        let native = json!({ "postgres": "DATABASE_URL" });
        plan.stores.get_mut("main").unwrap().native = serde_json::from_value(native).unwrap();
    });
    let plan = serde_json::to_string(&trial.plan).unwrap();
    for (_, secret) in SECRETS {
        let password = spellings(secret)[2].clone();
        for rest in ["@127.0.0.1:1/desk?connect_timeout=1", "@127.0.0.1:port/desk", "@/desk?sslmode=no", ""] {
            let app = App::new(&plan, "server", Bodies(fine));
            let app = app.env("DATABASE_URL", format!("postgres://me:{password}{rest}"));
            let error = start(app, &Surroundings::in_order(trial.sim.host(1))).err().unwrap();
            write!(told, "{error} {error:?} ").unwrap();
        }
    }
    assert!(told.contains("127.0.0.1") && told.contains("DATABASE_URL"), "{told}");
    holds_none("a start that was refused", told.as_bytes());
}
