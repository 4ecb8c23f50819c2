//! Every value of the language comes back from SQL as it went in.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

use std::sync::Arc;

use rust_decimal::Decimal;

use super::{FromSql, Params, Row, SqlValue, ToSql};

#[expect(clippy::needless_pass_by_value, reason = "a value is easier to read than its address")]
fn round_trip<T: ToSql + FromSql + PartialEq + std::fmt::Debug>(value: T) {
    assert_eq!(T::from_sql(&value.to_sql()).unwrap(), value);
}

#[test]
fn values_come_back_as_they_went_in() {
    round_trip(i64::MIN);
    round_trip(u32::MAX);
    round_trip(true);
    round_trip("città 🪙".to_owned());
    round_trip(vec![0_u8, 255]);
    round_trip(Decimal::from_str_exact("0.00000000000000000001").unwrap());
    round_trip("2027-03-04T05:06:07.000000001Z".parse::<jiff::Timestamp>().unwrap());
    round_trip("2027-03-04T05:06:07".parse::<jiff::civil::DateTime>().unwrap());
    round_trip("2027-03-04".parse::<jiff::civil::Date>().unwrap());
    round_trip(jiff::SignedDuration::from_millis(-90_500));
    round_trip(uuid::Uuid::from_u128(7));
    round_trip(url::Url::parse("https://a.test/x?y=1").unwrap());
    round_trip(Some(5_i64));
    round_trip(None::<String>);
}

#[test]
fn a_decimal_has_one_text() {
    let decimal = |text: &str| Decimal::from_str_exact(text).unwrap().to_sql();
    assert_eq!(decimal("60.00"), decimal("60"));
}

#[test]
fn a_floating_point_column_is_no_decimal() {
    let row = Row::new(Arc::from(["btc".to_owned()]), vec![SqlValue::Real(0.1)]);
    let error = row.get::<Decimal>("btc").unwrap_err();
    insta::assert_snapshot!(error, @r#"column "btc": wanted a decimal number as text, or an integer, got a floating-point number"#);
    let missing = row.get::<i64>("eth").unwrap_err();
    insta::assert_snapshot!(missing, @r#"column "eth": wanted an integer in range, got no such column"#);
}

#[test]
fn a_tuple_is_its_values_in_order() {
    let values = (1_i64, "two", None::<i64>).into_values();
    assert_eq!(values, [SqlValue::Integer(1), SqlValue::Text("two".to_owned()), SqlValue::Null]);
}
