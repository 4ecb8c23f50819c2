//! What hostile answers cost: nothing is expanded, nothing overflows, and what is reported stays short.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use rust_decimal::Decimal;

use super::{canonical, decimal, int, text, typed};
use crate::codec::interpret::{self, Types};
use crate::codec::{Form, Reader, decode};
use crate::json::Json;
use crate::plan::{Field, InstantWire, ItemsRule, Shape, TypeDef};

fn nullable(shape: Shape) -> Shape {
    Shape::Nullable(Box::new(shape))
}

fn named(name: &str) -> Shape {
    Shape::Named(name.to_owned())
}

/// A type that contains itself through `?`, through a list, and through an optional field.
fn node() -> Types {
    let field = |name: &str, shape, optional| Field {
        name: name.to_owned(),
        wire: name.to_owned(),
        at: None,
        optional,
        shape,
    };
    let kids = Shape::List(Box::new(named("Node")), ItemsRule::default());
    let fields = vec![
        field("kids", kids, true),
        field("next", named("Node"), true),
        field("parent", nullable(named("Node")), true),
    ];
    BTreeMap::from([("Node".to_owned(), TypeDef::Object(fields))])
}

/// Runs with a stack far smaller than any thread has by default.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(1 << 20).spawn(run).unwrap().join().unwrap();
}

fn nested(open: &str, close: &str, levels: usize) -> String {
    format!("{}0{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn nesting_is_refused_past_128() {
    on_a_small_stack(|| {
        assert!(Json::parse(&nested("[", "]", 128)).is_ok());
        assert!(Json::parse(&nested(r#"{"a":"#, "}", 128)).is_ok());
        let error = Json::parse(&nested("[", "]", 129)).unwrap_err();
        assert_eq!(error.problems.len(), 1);
        assert_eq!(error.problems[0].wanted, "nesting of at most 128");
        assert_eq!(error.problems[0].place, "/0".repeat(128));
    });
}

#[test]
fn an_answer_50_000_levels_deep() {
    on_a_small_stack(|| {
        for (open, close) in [
            ("[", "]"),
            (r#"{"a":"#, "}"),
            (r#"{"kids":["#, "]}"),
            (r#"{"next":"#, "}"),
            (r#"{"parent":"#, "}"),
        ] {
            let deep = nested(open, close, 50_000);
            assert!(interpret::read(&node(), &named("Node"), &deep, "", Form::Wire).is_err());
            assert!(Json::parse(&deep).is_err());
            assert!(decode::<String>(&deep, Form::Wire).is_err());
            assert!(decode::<Vec<Vec<i64>>>(&deep, Form::Wire).is_err());
            assert!(Reader::new(&deep, Form::Wire).skip().is_err());
            let unclosed = open.repeat(50_000);
            assert!(Json::parse(&unclosed).is_err());
        }
    });
}

#[test]
fn the_deepest_value_that_is_read_can_be_written_and_dropped() {
    on_a_small_stack(|| {
        for field in ["next", "parent"] {
            let text = format!("{}{{}}{}", format!(r#"{{"{field}":"#).repeat(127), "}".repeat(127));
            assert_eq!(canonical(&node(), &named("Node"), &text), text);
        }
    });
}

#[test]
fn places_inside_each_other_end() {
    let field = |name: &str, at: Option<&str>| Field {
        name: name.to_owned(),
        wire: name.to_owned(),
        at: at.map(str::to_owned),
        optional: true,
        shape: named("N"),
    };
    let fields = vec![field("a", None), field("b", Some("/a/a")), field("c", Some("/a/a/a"))];
    let types = BTreeMap::from([("N".to_owned(), TypeDef::Object(fields))]);
    let deep = |levels: usize| format!("{}{{}}{}", r#"{"a":"#.repeat(levels), "}".repeat(levels));
    assert_eq!(canonical(&types, &named("N"), &deep(2)), r#"{"a":{"a":{}},"b":{}}"#);
    assert!(
        canonical(&types, &named("N"), &deep(100))
            .contains("wanted fewer values at places inside each other")
    );
}

#[test]
fn types_that_are_nothing_but_themselves() {
    let alias = |shape| TypeDef::Alias(shape);
    let types = BTreeMap::from([
        ("A".to_owned(), alias(nullable(named("A")))),
        ("B".to_owned(), alias(named("C"))),
        ("C".to_owned(), alias(named("B"))),
    ]);
    on_a_small_stack(move || {
        assert_eq!(canonical(&types, &named("A"), "null"), "null");
        assert_snapshot!(canonical(&types, &named("A"), "5"), @"the whole: wanted null, got 5");
        assert_snapshot!(canonical(&types, &named("B"), "5"), @"the whole: wanted a declared type, which B is not, got 5");
        assert_snapshot!(canonical(&types, &named("D"), "5"), @"the whole: wanted a declared type, which D is not, got 5");
    });
}

#[test]
fn numbers_are_refused_without_being_expanded() {
    let digits = "9".repeat(10_000_000);
    let zeros = format!("1{}", "0".repeat(10_000_000));
    let fraction = format!("0.{}1", "0".repeat(10_000_000));
    let exponent = format!("1e{digits}");
    let long = [&digits, &zeros, &fraction, &exponent, &format!("-{digits}")];
    let short = [
        "1e999999999",
        "-1e999999999",
        "1e-999999999",
        "1e99999999999999999999",
        "1.5e-99999999999999999999",
    ];
    let started = Instant::now();
    for text in long.iter().map(|text| text.as_str()).chain(short) {
        for quoted in [text.to_owned(), format!("\"{text}\"")] {
            for shape in [int(), decimal()] {
                let error = interpret::read(&BTreeMap::new(), &shape, &quoted, "", Form::Wire).unwrap_err();
                assert!(error.problems[0].got.chars().count() <= 80);
            }
        }
    }
    // Expanding only one of these would take longer than all of them may.
    assert!(started.elapsed() < Duration::from_secs(5));
    assert_snapshot!(canonical(&BTreeMap::new(), &int(), &zeros), @"the whole: wanted an integer of 64 bits, in at most 1024 bytes, got 1000000000000000000000000000000000000000000000000000000000000000000000000000000…");
    assert_snapshot!(canonical(&BTreeMap::new(), &decimal(), &format!("\"{digits}\"")), @r#"the whole: wanted a decimal of at most 28 digits, in at most 1024 bytes, got "999999999999999999999999999999999999999999999999999999999999999999999999999999…"#);
    assert_snapshot!(typed::<Vec<Decimal>>("[1e999999999,1]"), @"/0: wanted a decimal of at most 28 digits, got 1e999999999");
    let among = format!("[01,{}]", vec!["1"; 2000].join(","));
    assert_snapshot!(typed::<Vec<Decimal>>(&among), @"/0: wanted a number as JSON writes it, got 01,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,…");
    let among = format!("[1.{}]", "0".repeat(1022));
    assert_snapshot!(typed::<Vec<Decimal>>(&among), @"/0: wanted a decimal of at most 28 digits, in at most 1024 bytes, got 1.00000000000000000000000000000000000000000000000000000000000000000000000000000…");
    let instant = Shape::Instant(InstantWire::UnixS);
    assert_snapshot!(canonical(&BTreeMap::new(), &instant, &digits), @"the whole: wanted an instant in seconds since the epoch, in at most 1024 bytes, got 9999999999999999999999999999999999999999999999999999999999999999999999999999999…");
}

#[test]
fn what_is_reported_is_bounded() {
    let list = format!("[{}]", vec!["true"; 1000].join(","));
    let error = decode::<Vec<i64>>(&list, Form::Wire).unwrap_err();
    assert_eq!(error.problems.len(), 20);
    assert_eq!(error.problems[19].place, "/19");
    let long = "é".repeat(200);
    assert_snapshot!(typed::<i64>(&format!("\"{long}\"")), @r#"the whole: wanted an integer of 64 bits, got "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…"#);
    let deep = format!(r#"{{"{long}":{{"{long}":{{"{long}":1}}}}}}"#);
    let error = decode::<BTreeMap<String, BTreeMap<String, BTreeMap<String, bool>>>>(&deep, Form::Wire);
    let problem = error.unwrap_err().problems.remove(0);
    assert_eq!(problem.place.chars().count(), 400);
    assert!(problem.place.ends_with('…'));
    assert_snapshot!(typed::<i64>("{\n \"a\":\t1\n}"), @r#"the whole: wanted an integer of 64 bits, got {  "a": 1 }"#);
}

#[test]
fn keys_given_twice_are_found_among_many() {
    let keys = |count: usize, last: &str| {
        let keys: Vec<String> = (0..count).map(|key| format!("\"key{key}\":{key}")).collect();
        format!("{{{},{last}}}", keys.join(","))
    };
    for count in [2, 15, 16, 17, 100_000] {
        let twice = keys(count, r#""\u006bey1":1"#);
        let error = Reader::new(&twice, Form::Wire).skip();
        assert!(error.is_err());
        let reported = "/key1: wanted each key once, got it twice";
        assert_eq!(Json::parse(&twice).unwrap_err().to_string(), reported);
        assert!(Json::parse(&keys(count, r#""\u006bey":1"#)).is_ok());
        let types = BTreeMap::from([("T".to_owned(), TypeDef::Object(Vec::new()))]);
        assert_eq!(canonical(&types, &named("T"), &twice), reported);
    }
}

#[test]
fn a_secret_is_never_read_from_json() {
    assert_snapshot!(canonical(&BTreeMap::new(), &Shape::Secret, r#""x""#), @r#"the whole: wanted nothing, since a secret is never sent, got "x""#);
    let secret = crate::secret::Secret::new("k");
    assert_eq!(format!("{secret} {secret:?}"), "[secret] [secret]");
    assert_eq!(secret.reveal(), "k");
    assert_snapshot!(canonical(&BTreeMap::new(), &nullable(text()), ""), @"the whole: wanted a JSON value, got nothing");
}
