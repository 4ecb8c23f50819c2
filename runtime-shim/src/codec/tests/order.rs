//! Objects whose keys come in other orders than their table's, and keys that a guess must not mistake.

use insta::assert_snapshot;

use super::typed;
use crate::codec::generated::object;
use crate::codec::{Form, decode};

#[derive(Debug, PartialEq)]
struct Six {
    a: i64,
    ab: i64,
    b: i64,
    c: i64,
    d: Option<i64>,
    e: i64,
}

object! { Six { a, ab, b, c, d: optional, e } }

const ONE: Six = Six { a: 1, ab: 2, b: 3, c: 4, d: Some(5), e: 6 };

/// Objects whose keys come in these orders, one after the other.
#[track_caller]
fn all_the_same(orders: &[&str]) {
    let value = |key| match key {
        "a" => 1,
        "ab" => 2,
        "b" => 3,
        "c" => 4,
        "d" => 5,
        "e" => 6,
        _ => 7,
    };
    let objects: Vec<String> = orders
        .iter()
        .map(|order| {
            let members: Vec<_> = order.split(' ').map(|key| format!("\"{key}\":{}", value(key))).collect();
            format!("{{{}}}", members.join(","))
        })
        .collect();
    let read = decode::<Vec<Six>>(&format!("[{}]", objects.join(",")), Form::Wire).unwrap();
    assert_eq!(read.len(), orders.len());
    for (six, order) in read.into_iter().zip(orders) {
        let d = if order.split(' ').any(|key| key == "d") { Some(5) } else { None };
        assert_eq!(six, Six { d, ..ONE }, "{order}");
    }
}

#[test]
fn keys_in_any_order_and_in_another_each_time() {
    all_the_same(&["a ab b c d e"]);
    all_the_same(&["e d c b ab a", "e d c b ab a", "a ab b c d e", "e d c b ab a"]);
    all_the_same(&["ab a c b e d", "ab x a c y b e d", "ab a c b e", "x ab a c b e d z", "b c e a ab"]);
}

#[test]
fn a_key_that_was_expected_stands_in_places_and_is_told_when_it_comes_twice() {
    let read = typed::<Vec<Six>>;
    assert_snapshot!(read(r#"[{"a":1,"ab":2,"b":3,"c":4,"e":"x"}]"#), @r#"/0/e: wanted an integer of 64 bits, got "x""#);
    assert_snapshot!(
        read(r#"[{"a":1,"a":1,"ab":2,"b":3,"c":4,"e":6},{"a":1,"a":1,"ab":2,"b":3,"c":4,"e":6}]"#),
        @"/0/a: wanted each key once, got it twice; /1/a: wanted each key once, got it twice"
    );
    assert_snapshot!(read(r#"[{"a" :1,"\u0061b":2,"b"   : 3,"c":4,"e":6}]"#), @r#"[{"a":1,"ab":2,"b":3,"c":4,"e":6}]"#);
    assert_snapshot!(read(r#"[{"a";1}]"#), @"/0: wanted `:`, got ;1}]");
    assert_snapshot!(read(r#"[{"a"#), @"/0: wanted the end of the string, got nothing");
}

#[derive(Debug, PartialEq)]
struct Odd {
    quote: i64,
    slash: i64,
    tab: i64,
}

object! { Odd { quote = "a\":1,\"b", slash = "c\\d", tab = "e\tf" } }

#[derive(Debug, PartialEq)]
struct Declared {
    quote: i64,
}

object! { Declared { quote ("a\":1,\"b") } }

#[test]
fn a_name_that_needs_an_escape_is_not_taken_for_what_it_looks_like() {
    let read = typed::<Odd>;
    assert_snapshot!(read(r#"{"a\":1,\"b":1,"c\\d":2,"e\tf":3}"#), @r#"{"quote":1,"slash":2,"tab":3}"#);
    assert_snapshot!(read(r#"{"a":1,"b":1,"c\\d":2,"e\tf":3}"#), @r#"/a":1,"b: wanted an integer of 64 bits, got nothing"#);
    assert_snapshot!(read(r#"{"a\":1,\"b":1,"c\d":2,"e\tf":3}"#), @r#"the whole: wanted an escape of JSON, got \d":2,"e\tf":3}"#);
    assert_snapshot!(read("{\"a\\\":1,\\\"b\":1,\"c\\\\d\":2,\"e\tf\":3}"), @"the whole: wanted no bare control character in a string, got  f\":3}");
    assert_snapshot!(typed::<Declared>(r#"{"a":1,"b":1}"#), @r#"/a":1,"b: wanted an integer of 64 bits, got nothing"#);
    assert_snapshot!(typed::<Declared>(r#"{"a\":1,\"b":1}"#), @r#"{"a\":1,\"b":1}"#);
}
