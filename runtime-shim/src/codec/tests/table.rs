//! Every row of the language's table of types: what it takes, what it refuses, and its one spelling.

use std::collections::BTreeMap;

use insta::assert_snapshot;
use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use url::Url;
use uuid::Uuid;

use super::{both, canonical, decimal, int, text};
use crate::email::Email;
use crate::json::Json;
use crate::plan::{BytesWire, InstantWire, ItemsRule, Shape};

#[test]
fn texts() {
    let read = |json| both::<String>(&text(), json);
    assert_snapshot!(read(r#""a\/\"\\\b\f\n\r\t\u0001\u007f""#), @r#""a/\"\\\b\f\n\r\t\u0001""#);
    assert_snapshot!(read(r#""""#), @r#""""#);
    assert_snapshot!(read("1"), @"the whole: wanted text, got 1");
    assert_snapshot!(read("null"), @"the whole: wanted text, got null");
    assert_snapshot!(read("\"a\tb\""), @r#"the whole: wanted no bare control character in a string, got  b""#);
    assert_snapshot!(read(r#""a\x""#), @r#"the whole: wanted an escape of JSON, got \x""#);
    assert_snapshot!(read(r#""\u00g0""#), @r#"the whole: wanted four hexadecimal digits, got \u00g0""#);
    assert_snapshot!(read(r#""open"#), @"the whole: wanted the end of the string, got nothing");
    assert_snapshot!(read(r#""\ud83e\u0041""#), @r#"the whole: wanted text without half a surrogate pair, got "\ud83e\u0041""#);
    assert_snapshot!(read(r#""\udc00\ud83e""#), @r#"the whole: wanted text without half a surrogate pair, got "\udc00\ud83e""#);
}

#[test]
fn integers() {
    let read = |json| both::<i64>(&int(), json);
    assert_snapshot!(read("0"), @"0");
    assert_snapshot!(read("-0"), @"0");
    assert_snapshot!(read("7.0"), @"7");
    assert_snapshot!(read("7e0"), @"7");
    assert_snapshot!(read("0.07E+2"), @"7");
    assert_snapshot!(read("700e-2"), @"7");
    assert_snapshot!(read("-9223372036854775808"), @"-9223372036854775808");
    assert_snapshot!(read("-9223372036854775809"), @"the whole: wanted an integer of 64 bits, got -9223372036854775809");
    assert_snapshot!(read("9.223372036854775807e18"), @"9223372036854775807");
    assert_snapshot!(read(r#""-12""#), @"-12");
    assert_snapshot!(read(r#""1e3""#), @"1000");
    assert_snapshot!(read("1e19"), @"the whole: wanted an integer of 64 bits, got 1e19");
    assert_snapshot!(read("0e99999999999999999999999"), @"0");
    assert_snapshot!(read("1.5"), @"the whole: wanted an integer of 64 bits, got 1.5");
    assert_snapshot!(read("01"), @"the whole: wanted a number as JSON writes it, got 01");
    assert_snapshot!(read("+1"), @"the whole: wanted a JSON value, got +1");
    assert_snapshot!(read("1."), @"the whole: wanted a number as JSON writes it, got 1.");
    assert_snapshot!(read(".5"), @"the whole: wanted a JSON value, got .5");
    assert_snapshot!(read("1e"), @"the whole: wanted a number as JSON writes it, got 1e");
    assert_snapshot!(read("-"), @"the whole: wanted a number as JSON writes it, got -");
    assert_snapshot!(read(r#"" 1""#), @r#"the whole: wanted an integer of 64 bits, got " 1""#);
    assert_snapshot!(read(r#""01""#), @r#"the whole: wanted an integer of 64 bits, got "01""#);
    assert_snapshot!(read(r#""""#), @r#"the whole: wanted an integer of 64 bits, got """#);
    assert_snapshot!(read("true"), @"the whole: wanted an integer of 64 bits, got true");
    assert_snapshot!(read("NaN"), @"the whole: wanted a JSON value, got NaN");
}

#[test]
fn decimals() {
    let read = |json| both::<Decimal>(&decimal(), json);
    assert_snapshot!(read("60.00"), @r#""60""#);
    assert_snapshot!(read(r#""60.00""#), @r#""60""#);
    assert_snapshot!(read("6e1"), @r#""60""#);
    assert_snapshot!(read("-0"), @r#""0""#);
    assert_snapshot!(read("-0.000"), @r#""0""#);
    assert_snapshot!(read("0e-999999999999"), @r#""0""#);
    assert_snapshot!(read("1e-5"), @r#""0.00001""#);
    assert_snapshot!(read("-1.2300e-3"), @r#""-0.00123""#);
    assert_snapshot!(read("79228162514264337593543950335"), @r#""79228162514264337593543950335""#);
    assert_snapshot!(read("79228162514264337593543950336"), @"the whole: wanted a decimal of at most 28 digits, got 79228162514264337593543950336");
    assert_snapshot!(read("7.9228162514264337593543950335"), @r#""7.9228162514264337593543950335""#);
    assert_snapshot!(read("1e28"), @r#""10000000000000000000000000000""#);
    assert_snapshot!(read("1e29"), @"the whole: wanted a decimal of at most 28 digits, got 1e29");
    assert_snapshot!(read("1e-28"), @r#""0.0000000000000000000000000001""#);
    assert_snapshot!(read("1e-29"), @"the whole: wanted a decimal of at most 28 digits, got 1e-29");
    assert_snapshot!(read("0.12345678901234567890123456789"), @"the whole: wanted a decimal of at most 28 digits, got 0.12345678901234567890123456789");
    assert_snapshot!(read("123456789012345678901234567890"), @"the whole: wanted a decimal of at most 28 digits, got 123456789012345678901234567890");
    assert_snapshot!(read(r#""1,5""#), @r#"the whole: wanted a decimal of at most 28 digits, got "1,5""#);
    let minus_zero = Decimal::from_parts(0, 0, 0, true, 2);
    assert_eq!(crate::codec::encode(&minus_zero, crate::codec::Form::Canonical), r#""0""#);
    assert_snapshot!(read("Infinity"), @"the whole: wanted a JSON value, got Infinity");
}

#[test]
fn booleans() {
    let read = |json| both::<bool>(&Shape::Bool, json);
    assert_snapshot!(read("true"), @"true");
    assert_snapshot!(read(" false "), @"false");
    assert_snapshot!(read("True"), @"the whole: wanted a JSON value, got True");
    assert_snapshot!(read("tru"), @"the whole: wanted a JSON value, got tru");
    assert_snapshot!(read("truefalse"), @"the whole: wanted the end of the text, got false");
    assert_snapshot!(read(r#""true""#), @r#"the whole: wanted true or false, got "true""#);
    assert_snapshot!(read("1"), @"the whole: wanted true or false, got 1");
}

#[test]
fn instants() {
    let read = |text: &str| both::<Timestamp>(&Shape::Instant(InstantWire::Rfc3339), &format!("\"{text}\""));
    assert_snapshot!(read("2027-03-04T05:06:07.123456789999Z"), @r#""2027-03-04T05:06:07.123456789Z""#);
    assert_snapshot!(read("1969-12-31T23:59:59.9999999999Z"), @r#""1969-12-31T23:59:59.999999999Z""#);
    assert_snapshot!(read("2027-03-04T05:06:07.120-23:59"), @r#""2027-03-05T05:05:07.12Z""#);
    assert_snapshot!(read("2024-02-29T00:00:00-00:00"), @r#""2024-02-29T00:00:00Z""#);
    assert_snapshot!(read("0000-01-01T00:00:00Z"), @r#""0000-01-01T00:00:00Z""#);
    assert_snapshot!(read("0000-01-01T00:00:00+00:01"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "0000-01-01T00:00:00+00:01""#);
    assert_snapshot!(read("9999-12-31T10:00:00+14:00"), @r#""9999-12-30T20:00:00Z""#);
    assert_snapshot!(read("9999-12-31T23:59:59Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "9999-12-31T23:59:59Z""#);
    assert_snapshot!(read("2027-03-04T05:06:07+24:00"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:07+24:00""#);
    assert_snapshot!(read("2027-03-04T05:06:07+01"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:07+01""#);
    assert_snapshot!(read("2027-03-04T24:00:00Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04T24:00:00Z""#);
    assert_snapshot!(read("2027-03-04 05:06:07Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04 05:06:07Z""#);
    assert_snapshot!(read("2027-03-04T05:06Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06Z""#);
    assert_snapshot!(read("2027-3-04T05:06:07Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-3-04T05:06:07Z""#);
    assert_snapshot!(read("+002027-03-04T05:06:07Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "+002027-03-04T05:06:07Z""#);
    assert_snapshot!(read("-000001-03-04T05:06:07Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "-000001-03-04T05:06:07Z""#);
    assert_snapshot!(read("2027-03-04T05:06:07,5Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:07,5Z""#);
    assert_snapshot!(read("2027-03-04T05:06:07Z "), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "2027-03-04T05:06:07Z ""#);
    assert_snapshot!(read("٢٠٢٧-03-04T05:06:07Z"), @r#"the whole: wanted an instant as RFC 3339 with an offset, got "٢٠٢٧-03-04T05:06:07Z""#);
    assert_snapshot!(both::<Timestamp>(&Shape::Instant(InstantWire::Rfc3339), "1700000000"), @"the whole: wanted an instant as RFC 3339 with an offset, got 1700000000");
}

#[test]
fn instants_as_numbers() {
    let none = BTreeMap::new();
    let seconds = |json| canonical(&none, &Shape::Instant(InstantWire::UnixS), json);
    assert_snapshot!(seconds("1700000000"), @r#""2023-11-14T22:13:20Z""#);
    assert_snapshot!(seconds("1700000000.123456789987654321"), @r#""2023-11-14T22:13:20.123456789Z""#);
    assert_snapshot!(seconds("17e8"), @r#""2023-11-14T22:13:20Z""#);
    assert_snapshot!(seconds(r#""1700000000""#), @r#""2023-11-14T22:13:20Z""#);
    assert_snapshot!(seconds("-0.5"), @r#""1969-12-31T23:59:59.5Z""#);
    assert_snapshot!(seconds("-0.0000000005"), @r#""1969-12-31T23:59:59.999999999Z""#);
    assert_snapshot!(seconds("-1e-999999999"), @r#""1969-12-31T23:59:59.999999999Z""#);
    assert_snapshot!(seconds("1e-999999999"), @r#""1970-01-01T00:00:00Z""#);
    assert_snapshot!(seconds("1e999999999"), @"the whole: wanted an instant in seconds since the epoch, got 1e999999999");
    assert_snapshot!(seconds("1700000000000"), @"the whole: wanted an instant in seconds since the epoch, got 1700000000000");
    assert_snapshot!(seconds("-99999999999"), @"the whole: wanted an instant in seconds since the epoch, got -99999999999");
    assert_snapshot!(seconds(r#""2027-03-04T05:06:07Z""#), @r#"the whole: wanted an instant in seconds since the epoch, got "2027-03-04T05:06:07Z""#);
    let milliseconds = |json| canonical(&none, &Shape::Instant(InstantWire::UnixMs), json);
    assert_snapshot!(milliseconds("1700000000123"), @r#""2023-11-14T22:13:20.123Z""#);
    assert_snapshot!(milliseconds("1700000000123.4567899"), @r#""2023-11-14T22:13:20.123456789Z""#);
    assert_snapshot!(milliseconds("-0.0000001"), @r#""1969-12-31T23:59:59.999999999Z""#);
}

#[test]
fn instants_as_mail_writes_them() {
    let none = BTreeMap::new();
    let read = |text: &str| canonical(&none, &Shape::Instant(InstantWire::Rfc2822), &format!("\"{text}\""));
    assert_snapshot!(read("Thu, 04 Mar 2027 05:06:07 +0100"), @r#""2027-03-04T04:06:07Z""#);
    assert_snapshot!(read("4 Mar 2027 05:06 GMT"), @r#""2027-03-04T05:06:00Z""#);
    assert_snapshot!(read("Fri, 04 Mar 2027 05:06:07 +0000"), @r#"the whole: wanted an instant as RFC 2822, got "Fri, 04 Mar 2027 05:06:07 +0000""#);
    assert_snapshot!(read("Thu, 04 Mar 2027 05:06:60 +0000"), @r#"the whole: wanted an instant as RFC 2822, got "Thu, 04 Mar 2027 05:06:60 +0000""#);
    assert_snapshot!(read("Thu, 30 Feb 2027 05:06:07 +0000"), @r#"the whole: wanted an instant as RFC 2822, got "Thu, 30 Feb 2027 05:06:07 +0000""#);
    assert_snapshot!(read("Thu, 04 Mar 2027 05:06:07"), @r#"the whole: wanted an instant as RFC 2822, got "Thu, 04 Mar 2027 05:06:07""#);
    assert_snapshot!(read("2027-03-04T05:06:07Z"), @r#"the whole: wanted an instant as RFC 2822, got "2027-03-04T05:06:07Z""#);
}

#[test]
fn dates_and_times_without_offset() {
    let read = |text: &str| both::<DateTime>(&Shape::DateTime, &format!("\"{text}\""));
    assert_snapshot!(read("2027-03-04T05:06:07"), @r#""2027-03-04T05:06:07""#);
    assert_snapshot!(read("2027-03-04T05:06:07.50"), @r#""2027-03-04T05:06:07.5""#);
    assert_snapshot!(read("2027-03-04T05:06:07.0000000009"), @r#""2027-03-04T05:06:07""#);
    assert_snapshot!(read("9999-12-31T23:59:59.999999999"), @r#""9999-12-31T23:59:59.999999999""#);
    assert_snapshot!(read("2027-03-04T05:06:07Z"), @r#"the whole: wanted a date and time without an offset, such as 2026-11-30T22:03:22, got "2027-03-04T05:06:07Z""#);
    assert_snapshot!(read("2027-03-04T05:06"), @r#"the whole: wanted a date and time without an offset, such as 2026-11-30T22:03:22, got "2027-03-04T05:06""#);
    assert_snapshot!(read("2027-03-04T05:06:60"), @r#"the whole: wanted a date and time without an offset, such as 2026-11-30T22:03:22, got "2027-03-04T05:06:60""#);
    assert_snapshot!(read("2027-03-04"), @r#"the whole: wanted a date and time without an offset, such as 2026-11-30T22:03:22, got "2027-03-04""#);
    let date = |text: &str| both::<Date>(&Shape::Date, &format!("\"{text}\""));
    assert_snapshot!(date("2026-11-30"), @r#""2026-11-30""#);
    assert_snapshot!(date("0001-01-01"), @r#""0001-01-01""#);
    assert_snapshot!(date("2026-11-31"), @r#"the whole: wanted a date such as 2026-11-30, got "2026-11-31""#);
    assert_snapshot!(date("2025-02-29"), @r#"the whole: wanted a date such as 2026-11-30, got "2025-02-29""#);
    assert_snapshot!(date("20261130"), @r#"the whole: wanted a date such as 2026-11-30, got "20261130""#);
    assert_snapshot!(date("26-11-30"), @r#"the whole: wanted a date such as 2026-11-30, got "26-11-30""#);
}

#[test]
fn durations() {
    let read = |text: &str| both::<SignedDuration>(&Shape::Duration, &format!("\"{text}\""));
    assert_snapshot!(read("PT90S"), @r#""PT90S""#);
    assert_snapshot!(read("PT1M30S"), @r#""PT90S""#);
    assert_snapshot!(read("-PT0.5S"), @r#""-PT0.5S""#);
    assert_snapshot!(read("-PT0S"), @r#""PT0S""#);
    assert_snapshot!(read("P1W2DT3H4M5.6S"), @r#""PT788645.6S""#);
    assert_snapshot!(read("+P1D"), @r#""PT86400S""#);
    assert_snapshot!(read("PT0,25H"), @r#""PT900S""#);
    assert_snapshot!(read("PT0.0000000019S"), @r#""PT0.000000001S""#);
    assert_snapshot!(read("-PT0.0000000011S"), @r#""-PT0.000000002S""#);
    assert_snapshot!(read("PT0.33333333333333333333H"), @r#""PT1199.999999999S""#);
    assert_snapshot!(read("PT9223372036854775807.999999999S"), @r#""PT9223372036854775807.999999999S""#);
    assert_snapshot!(read("-PT9223372036854775808.999999999S"), @r#""-PT9223372036854775808.999999999S""#);
    assert_snapshot!(read("PT9223372036854775808S"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "PT9223372036854775808S""#);
    assert_snapshot!(read("P99999999999999999999999999999999999999999999W"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "P99999999999999999999999999999999999999999999W""#);
    assert_snapshot!(read("P1Y"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "P1Y""#);
    assert_snapshot!(read("P1M"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "P1M""#);
    assert_snapshot!(read("P"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "P""#);
    assert_snapshot!(read("PT"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "PT""#);
    assert_snapshot!(read("P1DT"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "P1DT""#);
    assert_snapshot!(read("PT1S1M"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "PT1S1M""#);
    assert_snapshot!(read("PT1M1M"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "PT1M1M""#);
    assert_snapshot!(read("PT0.5M1S"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "PT0.5M1S""#);
    assert_snapshot!(read("PT.5S"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "PT.5S""#);
    assert_snapshot!(read("PT5.S"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "PT5.S""#);
    assert_snapshot!(read("PT-5S"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "PT-5S""#);
    assert_snapshot!(read("P1S"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "P1S""#);
    assert_snapshot!(read("pt1s"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "pt1s""#);
    assert_snapshot!(read("90"), @r#"the whole: wanted a duration as ISO 8601 without years and months, got "90""#);
}

#[test]
fn addresses_and_ids() {
    let uuid = |text: &str| both::<Uuid>(&Shape::Uuid, &format!("\"{text}\""));
    assert_snapshot!(uuid("67E55044-10B1-426F-9247-BB680E5FE0C8"), @r#""67e55044-10b1-426f-9247-bb680e5fe0c8""#);
    assert_snapshot!(uuid("67e5504410b1426f9247bb680e5fe0c8"), @r#"the whole: wanted a UUID, got "67e5504410b1426f9247bb680e5fe0c8""#);
    assert_snapshot!(uuid("{67e55044-10b1-426f-9247-bb680e5fe0c8}"), @r#"the whole: wanted a UUID, got "{67e55044-10b1-426f-9247-bb680e5fe0c8}""#);
    let url = |text: &str| both::<Url>(&Shape::Url, &format!("\"{text}\""));
    assert_snapshot!(url("HTTPS://Example.test:443/a b"), @r#"the whole: wanted an absolute URL, got "HTTPS://Example.test:443/a b""#);
    assert_snapshot!(url("HTTPS://Example.test:443"), @r#""https://example.test/""#);
    assert_snapshot!(url("mailto:a@example.test"), @r#""mailto:a@example.test""#);
    assert_snapshot!(url("/a"), @r#"the whole: wanted an absolute URL, got "/a""#);
    assert_snapshot!(url("//example.test/a"), @r#"the whole: wanted an absolute URL, got "//example.test/a""#);
    assert_snapshot!(url(" https://example.test"), @r#"the whole: wanted an absolute URL, got " https://example.test""#);
    let email = |text: &str| both::<Email>(&Shape::Email, &format!("\"{text}\""));
    assert_snapshot!(email("Ada@Example.test"), @r#""Ada@Example.test""#);
    assert_snapshot!(email("a@b@c"), @r#"the whole: wanted an e-mail address, got "a@b@c""#);
    assert_snapshot!(email("@b"), @r#"the whole: wanted an e-mail address, got "@b""#);
    assert_snapshot!(email("a@"), @r#"the whole: wanted an e-mail address, got "a@""#);
    assert_snapshot!(email("a b@c"), @r#"the whole: wanted an e-mail address, got "a b@c""#);
    assert_snapshot!(email("a@\u{a0}c"), @r#"the whole: wanted an e-mail address, got "a@ c""#);
}

#[test]
fn bytes() {
    let none = BTreeMap::new();
    let read = |text: &str| both::<Vec<u8>>(&Shape::Bytes(BytesWire::Base64), &format!("\"{text}\""));
    assert_snapshot!(read("+/8="), @r#""+/8=""#);
    assert_snapshot!(read(""), @r#""""#);
    assert_snapshot!(read("+/8"), @r#"the whole: wanted base64 with padding, got "+/8""#);
    assert_snapshot!(read("+/9="), @r#"the whole: wanted base64 with padding, got "+/9=""#);
    assert_snapshot!(read("-_8="), @r#"the whole: wanted base64 with padding, got "-_8=""#);
    let url = |text: &str| canonical(&none, &Shape::Bytes(BytesWire::Base64url), &format!("\"{text}\""));
    assert_snapshot!(url("-_8="), @r#""+/8=""#);
    assert_snapshot!(url("-_8"), @r#""+/8=""#);
    assert_snapshot!(url("+/8="), @r#"the whole: wanted base64url, got "+/8=""#);
    let hex = |text: &str| canonical(&none, &Shape::Bytes(BytesWire::Hex), &format!("\"{text}\""));
    assert_snapshot!(hex("FbfF"), @r#""+/8=""#);
    assert_snapshot!(hex("fbf"), @r#"the whole: wanted hexadecimal digits, got "fbf""#);
    assert_snapshot!(hex("fg"), @r#"the whole: wanted hexadecimal digits, got "fg""#);
}

#[test]
fn any_json() {
    let read = |json| both::<Json>(&Shape::Json, json);
    assert_snapshot!(read(r#" {"b":[1.0,-0,1e2],"a":{"é":null,"z":"\u0041"},"":true} "#), @r#"{"":true,"a":{"z":"A","é":null},"b":[1,0,100]}"#);
    assert_snapshot!(read("[1e20,1e21,123456789012345678901234567890,1e-6,1e-7,1.5e-7,0.1e1]"), @"[100000000000000000000,1e21,1.2345678901234567890123456789e29,0.000001,1e-7,1.5e-7,1]");
    assert_snapshot!(read("[1e999999999,-12.5E-400,1e18,9007199254740993]"), @"[1e999999999,-1.25e-399,1000000000000000000,9007199254740993]");
    assert_snapshot!(read("[0.1000000000000000055511151231257827021181583404541015625]"), @"[0.1000000000000000055511151231257827021181583404541015625]");
    assert_snapshot!(read("1e9999999999999999999"), @"the whole: wanted a number whose exponent has at most 17 digits, got 1e9999999999999999999");
    assert_snapshot!(read("0e9999999999999999999"), @"0");
    assert_snapshot!(read(r#"{"a":1,"\u0061":2}"#), @"/a: wanted each key once, got it twice");
    assert_snapshot!(read("[1,]"), @"/1: wanted a JSON value, got ]");
    assert_snapshot!(read("[1 2]"), @"/0: wanted `,` or `]`, got 2]");
    assert_snapshot!(read("{a:1}"), @"the whole: wanted a key, got a:1}");
    assert_snapshot!(read(r#"{"a":1,}"#), @"the whole: wanted a key, got }");
    assert_snapshot!(read("nul"), @"the whole: wanted a JSON value, got nul");
}

#[test]
fn lists_maps_and_none() {
    let list = |shape| Shape::List(Box::new(shape), ItemsRule::default());
    let map = |key, value| Shape::Map(Box::new(key), Box::new(value));
    assert_snapshot!(both::<Vec<i64>>(&list(int()), "[1, 2.0 ,\"3\"]"), @"[1,2,3]");
    assert_snapshot!(both::<Vec<i64>>(&list(int()), "[1,\"x\",null]"), @r#"/1: wanted an integer of 64 bits, got "x"; /2: wanted an integer of 64 bits, got null"#);
    assert_snapshot!(both::<Vec<i64>>(&list(int()), "{}"), @"the whole: wanted a list, got {}");
    assert_snapshot!(both::<BTreeMap<String, i64>>(&map(text(), int()), r#"{"é":1,"z":2,"":3,"🪙":4,"\uffff":5}"#), @r#"{"":3,"z":2,"é":1,"￿":5,"🪙":4}"#);
    assert_snapshot!(both::<BTreeMap<String, i64>>(&map(text(), int()), r#"{"a":1,"a":2}"#), @"/a: wanted each key once, got it twice");
    assert_snapshot!(both::<BTreeMap<String, i64>>(&map(text(), int()), r#"{"a/~b":1.5}"#), @"/a~1~0b: wanted an integer of 64 bits, got 1.5");
    assert_snapshot!(both::<BTreeMap<Date, bool>>(&map(Shape::Date, Shape::Bool), r#"{"2027-01-02":true,"2026-01-02":false}"#), @r#"{"2026-01-02":false,"2027-01-02":true}"#);
    assert_snapshot!(both::<BTreeMap<Date, bool>>(&map(Shape::Date, Shape::Bool), r#"{"2027-1-02":true,"x":1}"#), @"/2027-1-02: wanted a key that is a date such as 2026-11-30, got 2027-1-02; /x: wanted a key that is a date such as 2026-11-30, got x; /x: wanted true or false, got 1");
    assert_snapshot!(both::<BTreeMap<Uuid, bool>>(&map(Shape::Uuid, Shape::Bool), r#"{"67E55044-10B1-426F-9247-BB680E5FE0C8":true,"67e55044-10b1-426f-9247-bb680e5fe0c8":true}"#), @"/67e55044-10b1-426f-9247-bb680e5fe0c8: wanted each key once, got it twice");
    assert_snapshot!(both::<Option<i64>>(&Shape::Nullable(Box::new(int())), "null"), @"null");
    assert_snapshot!(both::<Option<i64>>(&Shape::Nullable(Box::new(int())), "\"null\""), @r#"the whole: wanted an integer of 64 bits, got "null""#);
}
