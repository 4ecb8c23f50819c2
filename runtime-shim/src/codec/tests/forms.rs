//! The two forms, places inside objects, enums, constraints, and what templates take.

use std::collections::BTreeMap;

use insta::assert_snapshot;

use super::{canonical, decimal, int, text};
use crate::codec::generated::{DecimalCheck, IntCheck, ItemsCheck, TextCheck};
use crate::codec::interpret::{self, Types, Value};
use crate::codec::variant::{Picked, pick_int_key, pick_text};
use crate::codec::{Form, decode_at, encode};
use crate::plan::{BytesWire, Field, InstantWire, ItemsRule, RangeRule, Shape, TextRule, TypeDef};

static SYMBOL: TextCheck = TextCheck::new(Some(1), Some(3), Some("[a-z🪙]+|é"));

fn named(name: &str) -> Shape {
    Shape::Named(name.to_owned())
}

fn field(name: &str, wire: &str, at: Option<&str>, shape: Shape) -> Field {
    Field { name: name.to_owned(), wire: wire.to_owned(), at: at.map(str::to_owned), optional: false, shape }
}

fn one(def: TypeDef) -> Types {
    BTreeMap::from([("T".to_owned(), def)])
}

fn read(types: &Types, json: &str) -> String {
    canonical(types, &named("T"), json)
}

/// What a canonical value is on the wire.
fn wire(types: &Types, shape: &Shape, json: &str) -> String {
    let value = interpret::read(types, shape, json, "", Form::Canonical).unwrap();
    let written = interpret::write(types, shape, &value, Form::Wire);
    assert_eq!(interpret::read(types, shape, &written, "", Form::Wire), Ok(value));
    written
}

#[test]
fn names_and_forms_of_the_wire() {
    let types = one(TypeDef::Object(vec![
        field("amount", "Amount", None, decimal()),
        field("body", "raw-body", None, Shape::Bytes(BytesWire::Hex)),
        field("fetched_at", "fetchedAt", None, Shape::Instant(InstantWire::UnixMs)),
    ]));
    let kept = r#"{"amount":"1.5","body":"+/8=","fetched_at":"2023-11-14T22:13:20.123Z"}"#;
    assert_snapshot!(wire(&types, &named("T"), kept), @r#"{"Amount":"1.5","raw-body":"fbff","fetchedAt":1700000000123}"#);
    assert_snapshot!(read(&types, r#"{"fetchedAt":1700000000123,"Amount":1.50,"raw-body":"FBFF","amount":7}"#), @r#"{"amount":"1.5","body":"+/8=","fetched_at":"2023-11-14T22:13:20.123Z"}"#);
    assert_snapshot!(read(&types, kept), @"/Amount: wanted a decimal of at most 28 digits, got nothing; /raw-body: wanted hexadecimal digits, got nothing; /fetchedAt: wanted an instant in milliseconds since the epoch, got nothing");
    let none = BTreeMap::new();
    let instant = |form, json| wire(&none, &Shape::Instant(form), json);
    assert_snapshot!(instant(InstantWire::UnixS, r#""1969-12-31T23:59:58.75Z""#), @"-1.25");
    assert_snapshot!(instant(InstantWire::UnixMs, r#""1969-12-31T23:59:59.999999999Z""#), @"-0.000001");
    assert_snapshot!(instant(InstantWire::Rfc2822, r#""2027-03-04T05:06:07Z""#), @r#""Thu, 04 Mar 2027 05:06:07 +0000""#);
    assert_snapshot!(wire(&none, &Shape::Bytes(BytesWire::Base64url), r#""+/8=""#), @r#""-_8""#);
}

#[test]
fn years_before_zero_are_kept() {
    let old = "\"-001199-02-28T14:13:21Z\"";
    let shape = Shape::Instant(InstantWire::Rfc3339);
    let value = interpret::read(&BTreeMap::new(), &shape, old, "", Form::Canonical).unwrap();
    assert_eq!(interpret::write(&BTreeMap::new(), &shape, &value, Form::Canonical), old);
    assert!(
        interpret::read(&BTreeMap::new(), &shape, "\"-000000-02-28T14:13:21Z\"", "", Form::Canonical)
            .is_err()
    );
}

#[test]
fn fields_that_stand_elsewhere() {
    let mut types = one(TypeDef::Object(vec![
        field("code", "code", Some("/status/code"), int()),
        field("first", "first", Some("/items/0/na~1me"), text()),
        field("kept", "status", None, Shape::Json),
    ]));
    let full = r#"{"items":[{"na/me":"x"}],"status":{"code":7,"more":1}}"#;
    assert_snapshot!(read(&types, full), @r#"{"code":7,"first":"x","kept":{"code":7,"more":1}}"#);
    assert_snapshot!(read(&types, r#"{"status":1,"items":[]}"#), @"/status/code: wanted an integer of 64 bits, got nothing; /items/0/na~1me: wanted text, got nothing");
    assert_snapshot!(read(&types, r#"{"status":{"code":"x","code":1},"items":{"00":1}}"#), @r#"/status/code: wanted each key once, got it twice; /status/code: wanted an integer of 64 bits, got "x""#);
    assert_snapshot!(read(&types, "{}"), @"/status/code: wanted an integer of 64 bits, got nothing; /items/0/na~1me: wanted text, got nothing; /status: wanted a JSON value, got nothing");
    assert_snapshot!(read(&types, r#"{"code":1,"first":"x","status":{}}"#), @"/status/code: wanted an integer of 64 bits, got nothing; /items/0/na~1me: wanted text, got nothing");
    let kept = read(&types, full);
    let again = interpret::read(&types, &named("T"), &kept, "", Form::Canonical).unwrap();
    assert_eq!(interpret::write(&types, &named("T"), &again, Form::Canonical), kept);
    types.insert("L".to_owned(), TypeDef::Alias(Shape::List(Box::new(named("T")), ItemsRule::default())));
    assert_snapshot!(canonical(&types, &named("L"), &format!("[{full},{{\"status\":{{\"code\":null}}}}]")), @"/1/status/code: wanted an integer of 64 bits, got null; /1/items/0/na~1me: wanted text, got nothing");
}

#[test]
fn values_at_a_place_of_an_answer() {
    let at = |json: &str, pointer: &str| match decode_at::<i64>(json, pointer, Form::Wire) {
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    };
    assert_snapshot!(at(r#"{"data":[1,{"n":7}]}"#, "/data/1/n"), @"7");
    assert_snapshot!(at("7", ""), @"7");
    assert_snapshot!(at(r#"{"data":[1]}"#, "/data/1/n"), @"/data/1/n: wanted an integer of 64 bits, got nothing");
    assert_snapshot!(at(r#"{"data":[{"n":"x"}]}"#, "/data/0/n"), @r#"/data/0/n: wanted an integer of 64 bits, got "x""#);
    assert_snapshot!(at(r#"{"data":1,"data":2}"#, "/data"), @"/data: wanted each key once, got it twice");
    assert_snapshot!(at(r#"{"data":1,"z":{"a":1,"a":2}}"#, "/data"), @"/z/a: wanted each key once, got it twice");
    assert_snapshot!(at(r#"{"data":1} x"#, "/data"), @"the whole: wanted the end of the text, got x");
    assert_snapshot!(at(r#"{"data":[1]}"#, "/data/00"), @"/data/00: wanted an integer of 64 bits, got nothing");
    assert_snapshot!(at(r#"{"":{"a~/b":1}}"#, "//a~0~1b"), @"1");
}

#[test]
fn enums_as_integers_and_as_keys() {
    let int_enum = |other| one(TypeDef::IntEnum { values: vec![0, 10, -1], other });
    assert_snapshot!(read(&int_enum(false), "1e1"), @"10");
    assert_snapshot!(read(&int_enum(false), r#""-1""#), @"-1");
    assert_snapshot!(read(&int_enum(false), "2"), @"the whole: wanted one of 0, 10, -1, got 2");
    assert_snapshot!(read(&int_enum(true), "2"), @"2");
    assert_snapshot!(read(&int_enum(true), "2.5"), @"the whole: wanted an integer of 64 bits, got 2.5");
    let map = |key| Shape::Map(Box::new(key), Box::new(Shape::Bool));
    let keys = |types: &Types, json| canonical(types, &map(named("T")), json);
    assert_snapshot!(keys(&int_enum(false), r#"{"10":true,"0":true,"-1":false}"#), @r#"{"-1":false,"0":true,"10":true}"#);
    assert_snapshot!(keys(&int_enum(false), r#"{"010":true,"+0":true,"5":false}"#), @"/010: wanted a key that is one of 0, 10, -1, got 010; /+0: wanted a key that is one of 0, 10, -1, got +0; /5: wanted a key that is one of 0, 10, -1, got 5");
    let sides = |other| one(TypeDef::TextEnum { values: vec!["SELL".to_owned(), "BUY".to_owned()], other });
    assert_snapshot!(keys(&sides(false), r#"{"SELL":true,"BUY":false}"#), @r#"{"BUY":false,"SELL":true}"#);
    assert_snapshot!(keys(&sides(false), r#"{"sell":true}"#), @r#"/sell: wanted a key that is one of "SELL", "BUY", got sell"#);
    assert_snapshot!(keys(&sides(true), r#"{"sell":true}"#), @r#"{"sell":true}"#);
    let symbol = TextRule { max_length: Some(2), ..TextRule::default() };
    let symbols = one(TypeDef::Alias(Shape::Text(symbol)));
    assert_snapshot!(keys(&symbols, r#"{"ab":true,"abc":true}"#), @"/abc: wanted a key that is text of at most 2 characters, got abc");
    assert_snapshot!(keys(&one(TypeDef::Alias(int())), r#"{"1":true}"#), @"/1: wanted a key that is of a type for keys, got 1");

    let side = |key| pick_text(&["SELL", "BUY"], |text| *text, false, key);
    assert_eq!(side("BUY"), Ok(Picked::Known(1)));
    assert_eq!(side("buy"), Err(r#"one of "SELL", "BUY""#.to_owned()));
    let level = |key| pick_int_key(&[0], |value| *value, true, key);
    assert_eq!(level("5"), Ok(Picked::Other(5)));
    assert_eq!(level("05"), Err("0".to_owned()));
}

#[test]
fn constraints() {
    let rule =
        TextRule { min_length: Some(1), max_length: Some(3), pattern: Some("[a-z🪙]+|é".to_owned()) };
    let symbol = one(TypeDef::Alias(Shape::Text(rule)));
    for value in ["", "abc", "abcd", "ab1", "🪙🪙🪙", "é", "éa", "a\n"] {
        let by_shape = read(&symbol, &encode(&value.to_owned(), Form::Wire));
        match SYMBOL.check(value) {
            Ok(()) => assert_eq!(by_shape, encode(&value.to_owned(), Form::Wire)),
            Err(error) => assert!(by_shape.contains(&format!("wanted {error}, got")), "{by_shape}"),
        }
    }
    assert_snapshot!(read(&symbol, r#""""#), @r#"the whole: wanted text of at least 1 characters, got """#);
    assert_snapshot!(read(&symbol, r#""ab1""#), @r#"the whole: wanted text that matches "[a-z🪙]+|é", got "ab1""#);
    let range = |shape: fn(RangeRule) -> Shape, min: &str, max: &str| {
        let rule = RangeRule { min: Some(min.to_owned()), max: Some(max.to_owned()) };
        one(TypeDef::Alias(shape(rule)))
    };
    assert_snapshot!(read(&range(Shape::Int, "1", "10"), "11"), @"the whole: wanted a number of at most 10, got 11");
    assert_snapshot!(read(&range(Shape::Decimal, "0.01", "10"), "0.0099"), @"the whole: wanted a number of at least 0.01, got 0.0099");
    assert_snapshot!(read(&range(Shape::Decimal, "0.01", "10"), "10.0"), @r#""10""#);
    let items = ItemsRule { min_items: Some(1), max_items: Some(2) };
    let list = one(TypeDef::Alias(Shape::List(Box::new(int()), items)));
    assert_snapshot!(read(&list, "[]"), @"the whole: wanted a list of at least 1 items, got []");
    assert_snapshot!(read(&list, "[1,2,3]"), @"the whole: wanted a list of at most 2 items, got [1,2,3]");
    assert!(IntCheck::new(Some(1), None).check(0).is_err());
    assert!(DecimalCheck::new(None, Some("1.50")).check(&"1.5".parse().unwrap()).is_ok());
    assert!(ItemsCheck::new(Some(1), None).check::<i64>(&[]).is_err());
    for pattern in ["(", "a)|(?:b"] {
        let broken = TextRule { pattern: Some(pattern.to_owned()), ..TextRule::default() };
        assert!(read(&one(TypeDef::Alias(Shape::Text(broken))), r#""b""#).contains("is none"));
    }
}

#[test]
fn what_templates_take() {
    let plain = |shape: &Shape, text: &str| match interpret::read_plain(&BTreeMap::new(), shape, text) {
        Ok(value) => value.to_text().unwrap_or_else(|| "none".to_owned()),
        Err(error) => error.to_string(),
    };
    assert_snapshot!(plain(&text(), "a \"b\""), @r#"a "b""#);
    assert_snapshot!(plain(&int(), "7.0"), @"7");
    assert_snapshot!(plain(&int(), "seven"), @r#"the whole: wanted an integer of 64 bits, got "seven""#);
    assert_snapshot!(plain(&decimal(), "1.50"), @"1.5");
    assert_snapshot!(plain(&Shape::Bool, "true"), @"true");
    assert_snapshot!(plain(&Shape::Bool, "yes"), @"the whole: wanted true or false, got \"yes\"");
    assert_snapshot!(plain(&Shape::Nullable(Box::new(Shape::Bool)), "false"), @"false");
    assert_snapshot!(plain(&Shape::Nullable(Box::new(text())), "null"), @"null");
    assert_snapshot!(plain(&Shape::Instant(InstantWire::UnixS), "2027-03-04T05:06:07+01:00"), @"2027-03-04T04:06:07Z");
    assert_snapshot!(plain(&Shape::Duration, "PT1M"), @"PT60S");
    assert_snapshot!(plain(&Shape::Url, "https://example.test"), @"https://example.test/");
    assert_eq!(Value::None.to_text(), None);
}

#[test]
fn an_event_from_an_answer() {
    let types = one(TypeDef::Object(vec![
        field("btc", "BTC", None, decimal()),
        field("eth", "ETH", None, decimal()),
        field("fetched_at", "t", None, Shape::Instant(InstantWire::UnixS)),
    ]));
    let answer =
        interpret::read(&types, &named("T"), r#"{"BTC":60.0,"ETH":"3","t":1}"#, "", Form::Wire).unwrap();
    let event = vec![field("btc", "btc", None, decimal()), field("eth", "eth", None, decimal())];
    let kept = answer.select(&event);
    let types = one(TypeDef::Object(event));
    assert_snapshot!(interpret::write(&types, &named("T"), &kept, Form::Canonical), @r#"{"btc":"60","eth":"3"}"#);
    assert_eq!(kept.get("btc").and_then(Value::to_text).as_deref(), Some("60"));
}
