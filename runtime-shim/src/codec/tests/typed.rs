//! A type as generated code has it.

use rust_decimal::Decimal;

use super::typed;
use crate::codec::generated::object;
use insta::assert_snapshot;

#[derive(Debug, PartialEq)]
#[expect(clippy::option_option, reason = "absent, null and a value are told apart")]
struct Prices {
    btc: Decimal,
    eth: Option<i64>,
    note: Option<Option<String>>,
}

object! { Prices {
    btc,
    eth = "ethPrice",
    note at "/meta/0/note": optional,
} }

#[test]
fn a_table_of_fields() {
    let prices = typed::<Prices>;
    assert_snapshot!(prices(r#" {"btc":60.00,"ethPrice":null,"x":[{"y":1e5}]} "#), @r#"{"btc":"60","eth":null}"#);
    assert_snapshot!(prices(r#"{"meta":[{"note":"a\n"}],"ethPrice":7e0,"btc":"-0.0"}"#), @r#"{"btc":"0","eth":7,"note":"a\n"}"#);
    assert_snapshot!(prices(r#"{"meta":[{"note":null}],"ethPrice":1.5,"btc":{"a":1,"a":2}}"#), @r#"/ethPrice: wanted an integer of 64 bits, got 1.5; /btc/a: wanted each key once, got it twice; /btc: wanted a decimal of at most 28 digits, got {"a":1,"a":2}"#);
    assert_snapshot!(prices("{}"), @"/btc: wanted a decimal of at most 28 digits, got nothing; /ethPrice: wanted an integer of 64 bits, got nothing");
    assert_snapshot!(prices(""), @"the whole: wanted a JSON value, got nothing");
    assert_snapshot!(prices("[]"), @"the whole: wanted an object, got []");
    assert_snapshot!(prices(r#"{"btc":1,"ethPrice":2} <script>"#), @"the whole: wanted the end of the text, got <script>");
    assert_snapshot!(prices(r#"{"btc":1,"ethPrice":2,"z":[{"k":1,"\u006b":2}]}"#), @"/z/0/k: wanted each key once, got it twice");
    assert_snapshot!(prices(r#"{"btc":1,"ethPrice":2,"btc":2}"#), @"/btc: wanted each key once, got it twice");
}
