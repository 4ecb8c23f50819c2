//! Failures that people reported of others, as cases.

use std::collections::BTreeMap;

use insta::assert_snapshot;

use super::{canonical, decimal, int, text};
use crate::codec::interpret::Types;
use crate::digest::{digest, hex};
use crate::plan::{Field, InstantWire, Shape, TypeDef};

fn field(name: &str, shape: Shape, optional: bool) -> Field {
    Field { name: name.to_owned(), wire: name.to_owned(), at: None, optional, shape }
}

fn object(fields: Vec<Field>) -> Types {
    BTreeMap::from([("T".to_owned(), TypeDef::Object(fields))])
}

fn read(types: &Types, text: &str) -> String {
    canonical(types, &Shape::Named("T".to_owned()), text)
}

#[test]
fn same_number_other_spelling() {
    let types = object(vec![field("btc", decimal(), false), field("eth", decimal(), false)]);
    let read = |text| read(&types, text);
    let first = read(r#"{"btc":60,"eth":0.00001}"#);
    assert_snapshot!(first, @r#"{"btc":"60","eth":"0.00001"}"#);
    assert_snapshot!(hex(&digest(&first)), @"85e08e7a0efd82ba52c5be3462381532e6a8836d299048255449d0cc58c5b7f1");
    assert_eq!(read(r#"{"btc":60.00,"eth":1e-5}"#), first);
    assert_eq!(read(r#"{"eth":0.000010, "btc":6e1, "request_id":"r-81f"}"#), first);
    assert_snapshot!(read(r#"{"btc":60.0000000000000000001,"eth":0.00001}"#), @r#"{"btc":"60.0000000000000000001","eth":"0.00001"}"#);
}

#[test]
fn same_text_other_escapes() {
    let types = object(vec![field("title", text(), false)]);
    let read = |text| read(&types, text);
    let first = read(r#"{"title":"caf\u00e9 \ud83e\ude99"}"#);
    assert_snapshot!(first, @r#"{"title":"café 🪙"}"#);
    assert_eq!(read(r#"{"title":"café 🪙"}"#), first);
    assert_eq!(read(r#"{"title":"\u0063af\u00E9 \uD83E\uDE99"}"#), first);
    assert_ne!(read(r#"{"title":"cafe\u0301 🪙"}"#), first);
    assert_snapshot!(read(r#"{"title":"\ud83e"}"#), @r#"/title: wanted text without half a surrogate pair, got "\ud83e""#);
    assert_snapshot!(read(r#"{"title":"","other":"\ude99"}"#), @r#"/other: wanted text without half a surrogate pair, got "\ude99""#);
    assert_snapshot!(read(r#"{"title":"","\ud83e":1}"#), @r#"the whole: wanted text without half a surrogate pair, got "\ud83e""#);
}

#[test]
fn whole_numbers_past_2_to_53() {
    let types = object(vec![field("order_no", int(), false)]);
    let read = |text| read(&types, text);
    assert_snapshot!(read(r#"{"order_no":90071992547409931}"#), @r#"{"order_no":90071992547409931}"#);
    assert_snapshot!(read(r#"{"order_no":90071992547409930}"#), @r#"{"order_no":90071992547409930}"#);
    assert_snapshot!(read(r#"{"order_no":9223372036854775807}"#), @r#"{"order_no":9223372036854775807}"#);
    assert_snapshot!(read(r#"{"order_no":9223372036854775808}"#), @"/order_no: wanted an integer of 64 bits, got 9223372036854775808");
    assert_snapshot!(read(r#"{"order_no":"90071992547409931"}"#), @r#"{"order_no":90071992547409931}"#);
    assert_snapshot!(read(r#"{"order_no":"ninety"}"#), @r#"/order_no: wanted an integer of 64 bits, got "ninety""#);
}

#[test]
fn missing_null_and_said_twice() {
    let nullable = || Shape::Nullable(Box::new(text()));
    let types = object(vec![
        field("fax", text(), true),
        field("note", nullable(), false),
        field("vat", nullable(), true),
    ]);
    let read = |text| read(&types, text);
    assert_snapshot!(read(r#"{"note":null}"#), @r#"{"note":null}"#);
    assert_snapshot!(read(r#"{"note":null,"vat":null}"#), @r#"{"note":null,"vat":null}"#);
    assert_snapshot!(read("{}"), @"/note: wanted text, got nothing");
    assert_snapshot!(read(r#"{"note":"x","fax":null}"#), @"/fax: wanted text, got null");
    assert_snapshot!(read(r#"{"note":"a","note":"b"}"#), @"/note: wanted each key once, got it twice");
    assert_snapshot!(read(r#"{"note":"a","n\u006fte":"b"}"#), @"/note: wanted each key once, got it twice");
}

#[test]
fn one_moment_many_spellings() {
    let read = |text: &str| {
        canonical(&BTreeMap::new(), &Shape::Instant(InstantWire::Rfc3339), &format!("\"{text}\""))
    };
    assert_snapshot!(read("2027-03-04T05:06:07Z"), @r#""2027-03-04T05:06:07Z""#);
    assert_snapshot!(read("2027-03-04T05:06:07.000Z"), @r#""2027-03-04T05:06:07Z""#);
    assert_snapshot!(read("2027-03-04T06:06:07+01:00"), @r#""2027-03-04T05:06:07Z""#);
    assert_snapshot!(read("2027-03-04t05:06:07z"), @r#""2027-03-04T05:06:07Z""#);
    assert_snapshot!(read("2027-03-04T05:06:07+0000"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:07+0000""#);
    assert_snapshot!(read("2027-03-04T05:06:07"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:07""#);
    assert_snapshot!(read("2027-03-04T05:06:07.Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:07.Z""#);
    assert_snapshot!(read("2027-03-04T05:06:60Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:60Z""#);
    assert_snapshot!(read("2027-02-30T00:00:00Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-02-30T00:00:00Z""#);
    assert_snapshot!(canonical(&BTreeMap::new(), &Shape::Date, r#""2027-03-04T00:00:00Z""#), @r#"the whole: wanted a date such as 2026-11-30, got "2027-03-04T00:00:00Z""#);
}

#[test]
fn a_new_enum_value() {
    let state = |other| TypeDef::TextEnum { values: vec!["open".to_owned(), "closed".to_owned()], other };
    let doors = |other| {
        let fields = vec![field("id", int(), false), field("state", Shape::Named("State".to_owned()), false)];
        let list = Shape::List(Box::new(Shape::Named("Door".to_owned())), crate::plan::ItemsRule::default());
        BTreeMap::from([
            ("Door".to_owned(), TypeDef::Object(fields)),
            ("State".to_owned(), state(other)),
            ("T".to_owned(), TypeDef::Alias(list)),
        ])
    };
    let read = |state: &str| {
        read(&doors(false), &format!(r#"[{{"id":1,"state":"open"}},{{"id":2,"state":{state}}}]"#))
    };
    assert_snapshot!(read(r#""closed""#), @r#"[{"id":1,"state":"open"},{"id":2,"state":"closed"}]"#);
    assert_snapshot!(read(r#""ajar""#), @r#"/1/state: wanted one of "open", "closed", got "ajar""#);
    assert_snapshot!(read(r#""OPEN""#), @r#"/1/state: wanted one of "open", "closed", got "OPEN""#);
    assert_snapshot!(read(r#""""#), @r#"/1/state: wanted one of "open", "closed", got """#);
    assert_snapshot!(read("null"), @r#"/1/state: wanted one of "open", "closed", got null"#);
    let open = |state: &str| super::reported::read(&doors(true), &format!(r#"[{{"id":1,"state":{state}}}]"#));
    assert_snapshot!(open(r#""ajar""#), @r#"[{"id":1,"state":"ajar"}]"#);
    assert_snapshot!(open("null"), @"/0/state: wanted text, got null");
}

#[test]
fn answers_that_are_not_quite_json() {
    let types = object(vec![field("city", text(), false)]);
    let read = |text| read(&types, text);
    assert_snapshot!(read("\u{feff}{\"city\":\"città\"}"), @r#"{"city":"città"}"#);
    assert_snapshot!(read("<!doctype html><p>Sign in</p>"), @"the whole: wanted a JSON value, got <!doctype html><p>Sign in</p>");
    assert_snapshot!(read("{\"city\":\"x\"}<script>"), @"the whole: wanted the end of the text, got <script>");
    let latin = crate::codec::decode_bytes::<String>(b"\"citt\xe0\"", crate::codec::Form::Wire);
    assert_snapshot!(latin.unwrap_err(), @"the whole: wanted UTF-8, got the byte e0 at offset 5");
}
