//! What is sent.

use insta::assert_snapshot;

use super::{API_KEY, World, shown, world, world_with};
use crate::call::Turn;
use crate::host::HttpRequest;
use crate::plan::{Auth, Part, Template};
use crate::sim::{Reply, Script};

/// The request, a line for each thing in it.
fn told(request: &HttpRequest) -> String {
    let headers = request.headers.iter().map(|(name, value)| format!("{name}: {value}"));
    let body = request.body.as_ref().map(|body| String::from_utf8(body.clone()).unwrap());
    let line = format!("{} {}", request.method, request.url);
    std::iter::once(line).chain(headers).chain(body).collect::<Vec<_>>().join("\n")
}

fn put(world: &World, input: &str) -> Result<String, String> {
    let answer = world.sim.run(world.feed.call("put", Some(input), Turn::Wait));
    answer.map(|_| told(&world.script.sent().pop().unwrap().request)).map_err(|error| shown(&error))
}

fn answering() -> Script {
    Script::new().on("/v1/", vec![Reply::json(r#"{"btc":"1"}"#)])
}

#[test]
fn a_read_sends_its_query_and_headers_and_no_body() {
    let world = world(&answering());
    world.call("prices").unwrap();
    assert_snapshot!(told(&world.script.sent()[0].request), @r"
    GET https://api.example.test/v1/prices?vs=usd
    user-agent: jadpo/0.1.0
    accept: application/json
    X-Currency: usd
    authorization: Bearer sk_live/ä+51
    ");
}

#[test]
fn an_input_fills_path_query_headers_and_body_in_wire_form() {
    let world = world(&answering());
    let input = r#"{"at":"2027-03-03T10:00:00Z","id":"a/b","note":null,"price":"1.5","tags":["x","y z"],"trace":"t1"}"#;
    assert_snapshot!(put(&world, input).unwrap(), @r#"
    PUT https://api.example.test/v1/orders/a%2Fb?tag=x&tag=y%20z&plain=a%20b%26c
    user-agent: jadpo/0.1.0
    accept: application/json
    content-type: application/json
    X-Trace: t1
    x-currency: eur
    authorization: Bearer sk_live/ä+51
    {"placedAt":1804068000000,"note":null,"price":"1.5"}
    "#);
}

#[test]
fn what_is_absent_is_left_out() {
    let world = world(&answering());
    let sent = put(&world, r#"{"at":"2027-03-03T10:00:00Z","id":"7","price":"0","tags":[]}"#).unwrap();
    assert!(sent.starts_with("PUT https://api.example.test/v1/orders/7?plain=a%20b%26c\n"), "{sent}");
    assert!(sent.ends_with(r#"{"placedAt":1804068000000,"price":"0"}"#), "{sent}");
    assert!(!sent.contains("X-Trace"), "{sent}");
}

#[test]
fn an_input_that_cannot_be_sent_is_refused_before_anything_is() {
    let world = world(&answering());
    let input = |id: &str, price: &str, trace: &str| {
        format!(
            r#"{{"at":"2027-03-03T10:00:00Z","id":"{id}","price":"{price}","tags":[],"trace":"{trace}"}}"#
        )
    };
    let refused = [
        put(&world, &input("..", "1", "t")),
        put(&world, &input("", "1", "t")),
        put(&world, &input("7", "-1", "t")),
        put(&world, &input("7", "1", "t\\r\\nX-Other: 1")),
        put(&world, "{}"),
        put(&world, "broken"),
    ];
    assert_snapshot!(refused.map(Result::unwrap_err).join("\n"), @r#"
    feed.put: the input does not fit: input.id makes the path's segment `..`, which leads elsewhere
    feed.put: the input does not fit: input.id is empty, and the path needs it
    feed.put: the input does not fit: /price: wanted a number of at least 0, got "-1"
    feed.put: the input does not fit: a header's value holds a control character
    feed.put: the input does not fit: /at: wanted an instant as RFC 3339 with an offset, got nothing; /id: wanted text, got nothing; /price: wanted a decimal of at most 28 digits, got nothing; /tags: wanted a list, got nothing
    feed.put: the input does not fit: the whole: wanted a JSON value, got broken
    "#);
    assert_eq!(world.script.calls(), 0);
}

#[test]
fn a_key_is_the_same_for_all_attempts_of_a_call_and_another_for_the_next() {
    let script =
        Script::new().on("/v1/", vec![Reply::status(503), Reply::broken("reset"), Reply::json("{}")]);
    let world = world(&script);
    world.call("keyed").unwrap();
    world.call("keyed").unwrap();
    let keys: Vec<String> = world
        .script
        .sent()
        .iter()
        .map(|sent| {
            sent.request.headers.iter().find(|(name, _)| name == "Idempotency-Key").unwrap().1.clone()
        })
        .collect();
    assert_eq!(keys.len(), 4);
    assert!(keys[0] == keys[1] && keys[1] == keys[2] && keys[2] != keys[3], "{keys:?}");
    assert_eq!(uuid::Uuid::parse_str(&keys[0]).unwrap().get_version_num(), 4);
}

#[test]
fn each_kind_of_authorisation_is_added_last() {
    let setting = |name: &str| Template { parts: vec![Part::Setting(name.to_owned())] };
    let check = |auth: Auth, expected: &str| {
        let world =
            world_with(&answering(), 1, |plan| plan.packages.get_mut("coinfeed").unwrap().auth = auth);
        world.call("prices").unwrap();
        let sent = told(&world.script.sent()[0].request);
        assert!(sent.contains(expected), "{sent}");
    };
    check(Auth::None, "X-Currency: usd");
    check(
        Auth::Basic(setting("currency"), setting("api_key")),
        "authorization: Basic dXNkOnNrX2xpdmUvw6QrNTE=",
    );
    check(Auth::Header("X-Api-Key".to_owned(), setting("api_key")), &format!("X-Api-Key: {API_KEY}"));
    check(Auth::Query("key".to_owned(), setting("api_key")), "/v1/prices?vs=usd&key=sk_live%2F%C3%A4%2B51\n");
}
