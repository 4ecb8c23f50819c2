//! An hour of the awkward app: answers that change, repeat, fail and drift, and everything that its code sets off.

use jadpo_runtime::host::HttpRequest;
use jadpo_runtime::sim::{Reply, Script};

use super::{AWKWARD, SHAPES, START_MS, run};

/// The answer of the poll `self` at a minute.
fn option(minute: i64) -> Reply {
    let json = match minute {
        // The first answer, and the same again in another order, with fields that the event has not.
        0 => r#"{"self":"a/b c","crate":1,"super":true,"type":null,"gen":7}"#,
        1 => r#"{"gen":7.0,"unneeded":{"a":1},"type":null,"super":true,"crate":1,"self":"a\/b c"}"#,
        2 => r#"{"gen":7,"unneeded":[2],"type":null,"super":true,"crate":1,"self":"a/b c","more":1}"#,
        // A change, then one that only the distinction of absent and `null` tells.
        3 | 4 => r#"{"self":"é?","crate":2,"super":false,"type":"t","async":null}"#,
        // Answers that are no answers.
        10 => return Reply::status(500).body("down"),
        12 => r#"{"self":"x","crate":"one","super":1,"type":"t"}"#,
        14 => {
            return Reply::status(200)
                .header("content-type", "text/html")
                .body("<!doctype html><title>Sign in</title>");
        }
        16 => return Reply::json(r#"{"self":"x","crate":1,"sup"#),
        18 => return Reply::status(204),
        20 => return Reply::never(),
        // And one for which the app's own event sets off a panic each time.
        30.. => r#"{"self":"last","crate":3,"super":false,"type":null}"#,
        _ => r#"{"self":"é?","crate":2,"super":false,"type":"t"}"#,
    };
    Reply::json(json)
}

/// Sends the body back, with the field that stood in the path.
fn mirror(request: &HttpRequest) -> Reply {
    let name = request.url.rsplit('/').next().unwrap();
    let name = match name {
        "a%2Fb%20c" => "a/b c",
        "%C3%A9%3F" => "é?",
        plain => plain,
    };
    let body = String::from_utf8(request.body.clone().unwrap()).unwrap();
    let rest = body.strip_prefix('{').unwrap();
    Reply::json(&format!(r#"{{"self":{},{rest}"#, serde_json::to_string(name).unwrap()))
}

fn script() -> Script {
    // The script's own clock: each tick asks once, and a failed call is sent three times.
    let script = Script::new();
    let asked = script.clone();
    let minute = move || {
        let sent = asked.sent();
        (sent.last().unwrap().at_ms - START_MS) / 60_000
    };
    script
        .make("GET http://127.0.0.1:4001/a/\"b\"/new", move |_, _| option(minute()))
        .on(
            "GET http://127.0.0.1:4001/drop",
            vec![Reply::json(r#"{"~":{"/":{"self":"s","crate":0,"super":true,"type":"T"}}}"#)],
        )
        .on(
            "GET http://127.0.0.1:4001/clone",
            vec![
                Reply::status(200).body("box\nbox\n"),
                Reply::status(200).body("crate"),
                Reply::status(200).body("box"),
            ],
        )
        .make("POST http://127.0.0.1:4001/main/", |request, _| mirror(request))
        .on(
            "GET http://127.0.0.1:4002/status",
            vec![Reply::json(r#"{"status":{"indicator":"ajar"},"list":[1,2],"a/b":{"~c":null},"name":"n"}"#)],
        )
        .on(
            "GET http://127.0.0.1:4003/prices",
            vec![Reply::json(r#"{"btc":1,"eth":2,"fetched_at":"2027-03-03T10:00:00Z"}"#)],
        )
        .on("GET http://127.0.0.1:4003/titled", vec![Reply::json(r#"{"title":"t"}"#)])
        .on("GET http://127.0.0.1:4003/order", vec![Reply::json(r#"{"order_no":1}"#)])
}

#[test]
fn an_hour_goes_as_the_manifest_says() {
    let script = script();
    let run = run(60, &script);
    let events = run.rows("SELECT created_at_ms / 60000 - 1804068000000 / 60000, name, source, payload FROM jadpo_events WHERE source IS NOT 'cases' ORDER BY 1, name, id");
    insta::assert_snapshot!(events, @r#"
    0 | Vec | - | {"loop":1}
    0 | awkward.Option | awkward | {"crate":1,"gen":7,"self":"a/b c","super":true,"type":null}
    0 | awkward.Result | awkward | {"self":"s","type":"T"}
    3 | Vec | - | {"for":"t","loop":2}
    3 | awkward.Option | awkward | {"async":null,"crate":2,"self":"é?","super":false,"type":"t"}
    5 | Vec | - | {"for":"t","loop":2}
    5 | awkward.Option | awkward | {"crate":2,"self":"é?","super":false,"type":"t"}
    30 | Vec | - | {"loop":3}
    30 | awkward.Option | awkward | {"crate":3,"self":"last","super":false,"type":null}
    "#);
    let seen = run.rows("SELECT who, what FROM seen WHERE who <> 'hear_cases' ORDER BY who, rowid");
    insta::assert_snapshot!(seen, @r#"
    drop | 1 None at attempt 1
    drop | 2 Some("t") at attempt 2
    drop | 2 Some("t") at attempt 2
    match | a/b c 2 boxes at attempt 1
    match | é? 1 boxes at attempt 2
    match | é? 1 boxes at attempt 1
    match | last 1 boxes at attempt 1
    type | Result { self_: "s", type: Some("T") }
    type | Option { self_: "a/b c", crate_: 1, super_: true, type: None, gen: Some(7), async: None } while ajar Some(1) None n
    type | Option { self_: "é?", crate_: 2, super_: false, type: Some("t"), gen: None, async: Some(None) } while ajar Some(1) None n
    type | Option { self_: "é?", crate_: 2, super_: false, type: Some("t"), gen: None, async: None } while ajar Some(1) None n
    type | Option { self_: "last", crate_: 3, super_: false, type: None, gen: None, async: None } while ajar Some(1) None n
    "#);
    let deliveries = run.rows(
        "SELECT subscriber, state, attempts, count(*), min(last_error) FROM jadpo_deliveries GROUP BY 1, 2, 3 ORDER BY 1, 2, 3",
    );
    insta::assert_snapshot!(deliveries, @"
    drop | done | 1 | 1 | -
    drop | done | 2 | 2 | -
    drop | failed | 2 | 1 | panicked: three is too many
    hear_cases | done | 1 | 3 | -
    match | done | 1 | 3 | -
    match | done | 2 | 1 | -
    type | done | 1 | 5 | -
    ");
    let polls =
        run.rows("SELECT name, every_ms, digest IS NOT NULL, last_error FROM jadpo_polls ORDER BY name");
    insta::assert_snapshot!(polls, @"
    poll awkward.crate | 60000 | 1 | -
    poll awkward.self | 60000 | 1 | -
    poll cases.orders | 300000 | 1 | -
    poll cases.prices | 300000 | 1 | -
    poll cases.titled | 300000 | 1 | -
    ");
    let it = &run.rehearsal;
    let made = [
        ("ticks", it.ticks),
        ("polls made", it.polls_made),
        ("polls same", it.polls_same),
        ("polls failed", it.polls_failed),
        ("events kept", it.events_kept),
        ("deliveries done", it.deliveries_done),
        ("deliveries retried", it.deliveries_retried),
        ("deliveries failed", it.deliveries_failed),
        ("deliveries left", it.deliveries_left),
    ];
    insta::assert_snapshot!(made.map(|(what, n)| format!("{n} {what}")).join("\n"), @"
    60 ticks
    156 polls made
    142 polls same
    6 polls failed
    12 events kept
    15 deliveries done
    4 deliveries retried
    1 deliveries failed
    0 deliveries left
    ");
}

#[test]
fn what_is_sent_has_the_names_and_texts_of_the_manifest() {
    let script = script();
    run(4, &script);
    let mut lines: Vec<String> = script.sent().iter().map(|sent| shown(&sent.request)).collect();
    lines.sort();
    lines.dedup();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    GET awkward/a/"b"/new [user-agent: jadpo/0.1.0, accept: application/json, X-Type: plain] -
    GET awkward/clone [user-agent: jadpo/0.1.0, accept: application/json, X-Type: plain] -
    GET awkward/drop [user-agent: jadpo/0.1.0, accept: application/json, X-Type: plain] -
    GET http://127.0.0.1:4003/order [user-agent: jadpo/0.1.0, accept: application/json] -
    GET http://127.0.0.1:4003/prices [user-agent: jadpo/0.1.0, accept: application/json] -
    GET http://127.0.0.1:4003/titled [user-agent: jadpo/0.1.0, accept: application/json] -
    GET shapes/status [user-agent: jadpo/0.1.0, accept: application/json] -
    POST awkward/main/%C3%A9%3F [user-agent: jadpo/0.1.0, accept: application/json, content-type: application/json, X-Type: plain] {"dyn":[{"where":{"where":null}}],"move":"C:\\new","ref":{"a":2}}
    POST awkward/main/a%2Fb%20c [user-agent: jadpo/0.1.0, accept: application/json, content-type: application/json, X-Type: plain] {"dyn":[{"where":{"where":null}}],"move":"C:\\new","ref":{"a":1}}
    "#);
}

/// A request in a line: what the manifest decides of it.
fn shown(request: &HttpRequest) -> String {
    let headers: Vec<String> =
        request.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect();
    let body = request.body.as_ref().map_or("-".into(), |body| String::from_utf8_lossy(body));
    let url = request.url.replace(AWKWARD, "awkward").replace(SHAPES, "shapes");
    format!("{} {url} [{}] {body}", request.method, headers.join(", "))
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let (first, second) = (run(30, &script()), run(30, &script()));
    assert_eq!(first.rehearsal, second.rehearsal);
    for sql in [
        "SELECT * FROM seen",
        "SELECT name, payload, created_at_ms FROM jadpo_events",
        "SELECT subscriber, state, attempts, due_ms, finished_at_ms FROM jadpo_deliveries",
    ] {
        assert_eq!(first.rows(sql), second.rows(sql));
    }
}
