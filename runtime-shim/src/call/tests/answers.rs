//! How answers are read, and what is told of those that can't be.

use insta::assert_snapshot;

use super::{API_KEY, world, world_with};
use crate::plan::{Auth, Part, Shape, Template};
use crate::sim::{Reply, Script};

/// The failure that this reply makes of a call that reads JSON.
#[track_caller]
fn failure(reply: Reply) -> String {
    world(&Script::new().on("/v1/", vec![reply])).failure("order")
}

#[track_caller]
fn check_reads(reply: Reply, expected: &str) {
    let world = world(&Script::new().on("/v1/", vec![reply]));
    let answer = world.call("order").unwrap();
    assert_eq!(answer.decode::<crate::Json>().unwrap().to_string(), expected);
}

#[test]
fn a_byte_order_mark_is_passed_over() {
    check_reads(Reply::json("\u{feff}{\"a\":1}"), r#"{"a":1}"#);
}

#[test]
fn json_is_utf_8_unless_it_says_so_otherwise() {
    let city = r#"{"a":"città"}"#;
    check_reads(Reply::json(city), city);
    let typed = |content_type: &str| Reply::status(200).header("content-type", content_type).body(city);
    check_reads(typed("application/json; charset=UTF-8"), city);
    check_reads(typed("application/json;charset=\"utf8\""), city);
    check_reads(Reply::status(200).body(city), city);
    let latin = Reply::status(200).header("content-type", "application/json; charset=ISO-8859-1");
    assert_snapshot!(failure(latin.body(b"{\"a\":\"citt\xe0\"}".to_vec())), @r#"feed.order: the answer is no JSON: its charset is iso-8859-1; status 200, application/json; charset=ISO-8859-1: {"a":"citt�"}"#);
    assert_snapshot!(failure(Reply::json("").body(b"{\"a\":\"citt\xe0\"}".to_vec())), @r#"feed.order: the answer is no JSON: byte 10 is no UTF-8; status 200, application/json: {"a":"citt�"}"#);
}

#[test]
fn an_empty_body_is_fine_only_where_none_is_wanted() {
    let nothing = Script::new().on("/v1/", vec![Reply::status(204)]);
    assert_eq!(world(&nothing).call("ping").unwrap().status(), 204);
    assert_snapshot!(failure(Reply::status(204)), @"feed.order: the answer is no JSON: it has no body; status 204, no content type, no body");
    assert_snapshot!(failure(Reply::json(" \n")), @"feed.order: the answer is no JSON: it has no body; status 200, application/json, no body");
}

#[test]
fn what_is_no_json_is_named_with_status_type_and_first_bytes() {
    let page = |body: &str| Reply::status(200).header("content-type", "text/html").body(body);
    assert_snapshot!(failure(page("<!doctype html><title>Sign in</title>")), @"feed.order: the answer is no JSON: expected value at line 1 column 1; status 200, text/html: <!doctype html><title>Sign in</title>");
    assert_snapshot!(failure(Reply::json("{\"a\":1}<script>")), @r#"feed.order: the answer is no JSON: trailing characters at line 1 column 8; status 200, application/json: {"a":1}<script>"#);
    assert_snapshot!(failure(Reply::json("{\"a\":[1,2")), @r#"feed.order: the answer is no JSON: EOF while parsing a list at line 1 column 9; status 200, application/json: {"a":[1,2"#);
    assert_snapshot!(failure(Reply::status(304).header("etag", "\"x\"")), @"feed.order: status 304, no content type, no body");
    assert_snapshot!(failure(Reply::status(404).header("content-type", "text/plain").body("no such\npage")), @"feed.order: status 404, text/plain: no such page");
}

#[test]
fn json_of_another_shape_names_each_place() {
    let script = Script::new().on("/v1/", vec![Reply::json(r#"{"btc":{},"state":"ajar"}"#)]);
    let world = world(&script);
    assert_snapshot!(world.sim.run(world.feed.read("prices")).unwrap_err().to_string(), @r#"feed.prices: the answer does not fit its type: /btc: wanted a decimal of at most 28 digits, got {}; /state: wanted one of "open", "shut", got "ajar""#);
    let deep = format!("{}{}", "[".repeat(50_000), "]".repeat(50_000));
    let deep = world_with(&Script::new().on("/v1/", vec![Reply::json(&deep)]), 1, |plan| {
        plan.packages.get_mut("coinfeed").unwrap().max_response_bytes = 1_000_000;
    });
    assert_snapshot!(deep.failure("order"), @"feed.order: the answer does not fit its type: /0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0/0: wanted nesting of at most 128, got [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…");
}

#[test]
fn an_output_may_stand_inside_the_answer() {
    let world =
        world_with(&Script::new().on("/v1/", vec![Reply::json(r#"{"data":[{"n":7}]}"#)]), 1, |plan| {
            let operation = plan.packages.get_mut("coinfeed").unwrap().operations.get_mut("prices").unwrap();
            operation.at = "/data/0/n".to_owned();
            operation.output = Some(Shape::Int(crate::plan::RangeRule::default()));
        });
    assert_eq!(world.sim.run(world.feed.read("prices")).unwrap().to_text().as_deref(), Some("7"));
    assert_eq!(world.call("prices").unwrap().decode::<i64>().unwrap(), 7);
}

#[test]
fn an_answer_past_the_limit_fails_once_and_a_body_that_nobody_reads_does_not() {
    let long = Script::new().on("/v1/", vec![Reply::json(&"x".repeat(1_001))]);
    assert_snapshot!(world(&long).failure("prices"), @"feed.prices: the answer is longer than 1000 bytes");
    assert_eq!(long.calls(), 1);
    assert_eq!(world(&long).call("ping").unwrap().bytes(), b"");
    check_reads(Reply::json(&format!("\"{}\"", "x".repeat(998))), &format!("\"{}\"", "x".repeat(998)));
}

#[test]
fn a_secret_that_a_provider_repeats_is_cut() {
    let (encoded, json) = ("sk_live%2F%C3%A4%2B51", r"sk_live\/ä+51");
    let echo = format!("bad keys: {API_KEY}, {encoded}, {json}, {API_KEY}");
    assert_snapshot!(failure(Reply::status(401).header("content-type", API_KEY).body(echo.as_str())), @"feed.order: status 401, [secret]: bad keys: [secret], [secret], [secret], [secret]");
    assert_snapshot!(failure(Reply::broken(&format!("can't reach {API_KEY}"))), @"feed.order: no answer: can't reach [secret]");
    assert_snapshot!(failure(Reply::json(&format!("<{API_KEY}"))), @"feed.order: the answer is no JSON: expected value at line 1 column 1; status 200, application/json: <[secret]");
    // The codec quotes 80 characters, the last of which could be a secret's first.
    let wrong = format!(r#"{{"{API_KEY}":1,"btc":["{}{API_KEY}"]}}"#, "x".repeat(72));
    let world = world(&Script::new().on("/v1/", vec![Reply::json(&wrong)]));
    let error = world.sim.run(world.feed.read("prices")).unwrap_err();
    assert_snapshot!(super::shown(&error), @r#"feed.prices: the answer does not fit its type: /btc: wanted a decimal of at most 28 digits, got ["xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx[secret]…"#);
}

#[test]
fn what_authorises_is_cut_whether_or_not_it_is_declared_a_secret() {
    let setting = |name: &str| Template { parts: vec![Part::Setting(name.to_owned())] };
    let echoed = |auth: Auth, echo: &str| {
        let script = Script::new().on("/v1/", vec![Reply::status(401).body(echo)]);
        let world = world_with(&script, 7, |plan| {
            let package = plan.packages.get_mut("coinfeed").unwrap();
            package.auth = auth;
            package.settings.get_mut("currency").unwrap().default_json = Some("\"plain-token\"".to_owned());
        });
        world.failure("order")
    };
    assert_snapshot!(echoed(Auth::Bearer(setting("currency")), "no plain-token here"), @"feed.order: status 401, no content type: no [secret] here");
    assert_snapshot!(echoed(Auth::Query("key".to_owned(), setting("currency")), "no ?key=plain-token"), @"feed.order: status 401, no content type: no ?key=[secret]");
    // user:plain-token
    let basic = Auth::Basic(Template { parts: vec![Part::Text("user".to_owned())] }, setting("currency"));
    assert_snapshot!(echoed(basic, "user, plain-token, dXNlcjpwbGFpbi10b2tlbg=="), @"feed.order: status 401, no content type: user, [secret], [secret]");
}
