//! The app's values as the engine takes and gives them, each by the type that the statement declares for its place.

use std::fmt::Write as _;

use bytes::BytesMut;
use tokio_postgres::types::{Format, FromSql, IsNull, Kind, ToSql, Type, to_sql_checked};

use super::numeric;
use crate::sql::SqlValue;

/// Microseconds from the epoch to the engine's own, 2000-01-01.
const EPOCH_US: i64 = 946_684_800_000_000;

/// A value on its way into a statement. Everything but bytes is sent as text, which the engine reads by the type that the
/// statement declares for its place: the same text is a `numeric`, a `timestamptz` or a `uuid`.
#[derive(Debug)]
pub struct Param<'a>(pub &'a SqlValue);

/// Whether values can stand for the parameters of a statement, or what is wrong with them.
pub fn fit(values: &[SqlValue], types: &[Type]) -> Result<(), String> {
    if values.len() != types.len() {
        return Err(format!("the statement has {} parameters, {} were given", types.len(), values.len()));
    }
    for (index, (value, wanted)) in values.iter().zip(types).enumerate() {
        let is_bytes = *base(wanted) == Type::BYTEA;
        if matches!(value, SqlValue::Null) || is_bytes == matches!(value, SqlValue::Blob(_)) {
            continue;
        }
        return Err(format!("${} is of type {wanted}, which {} can't be", index + 1, value.kind()));
    }
    Ok(())
}

impl ToSql for Param<'_> {
    fn to_sql(
        &self,
        _: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self.0 {
            SqlValue::Null => return Ok(IsNull::Yes),
            SqlValue::Integer(number) => write!(out, "{number}")?,
            SqlValue::Real(number) => write!(out, "{number}")?,
            SqlValue::Text(text) => out.extend_from_slice(text.as_bytes()),
            SqlValue::Blob(bytes) => out.extend_from_slice(bytes),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn encode_format(&self, _: &Type) -> Format {
        if matches!(self.0, SqlValue::Blob(_)) { Format::Binary } else { Format::Text }
    }

    to_sql_checked!();
}

/// A column's value.
pub struct Column(pub SqlValue);

impl<'a> FromSql<'a> for Column {
    fn from_sql(of: &Type, raw: &'a [u8]) -> Result<Column, Box<dyn std::error::Error + Sync + Send>> {
        value(of, raw).map(Column)
    }

    fn from_sql_null(_: &Type) -> Result<Column, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Column(SqlValue::Null))
    }

    fn accepts(of: &Type) -> bool {
        is_read(of)
    }
}

/// Whether columns of this type can be read.
pub fn is_read(of: &Type) -> bool {
    let base = base(of);
    let known = [
        Type::BOOL,
        Type::INT2,
        Type::INT4,
        Type::INT8,
        Type::OID,
        Type::FLOAT4,
        Type::FLOAT8,
        Type::NUMERIC,
        Type::BYTEA,
        Type::UUID,
        Type::JSONB,
        Type::TIMESTAMPTZ,
        Type::TIMESTAMP,
        Type::DATE,
        Type::INTERVAL,
        Type::VOID,
    ];
    known.contains(base) || is_text(base)
}

fn value(of: &Type, raw: &[u8]) -> Result<SqlValue, Box<dyn std::error::Error + Sync + Send>> {
    let of = base(of);
    Ok(match *of {
        Type::BOOL => SqlValue::Integer(bool::from_sql(of, raw)?.into()),
        Type::INT2 => SqlValue::Integer(i16::from_sql(of, raw)?.into()),
        Type::INT4 => SqlValue::Integer(i32::from_sql(of, raw)?.into()),
        Type::INT8 => SqlValue::Integer(i64::from_sql(of, raw)?),
        Type::OID => SqlValue::Integer(u32::from_sql(of, raw)?.into()),
        Type::FLOAT4 => SqlValue::Real(f32::from_sql(of, raw)?.into()),
        Type::FLOAT8 => SqlValue::Real(f64::from_sql(of, raw)?),
        Type::NUMERIC => SqlValue::Text(numeric::text(raw)?),
        Type::BYTEA => SqlValue::Blob(raw.to_vec()),
        Type::UUID => SqlValue::Text(uuid::Uuid::from_slice(raw)?.to_string()),
        // One byte says which version of the format follows; there is one.
        Type::JSONB => SqlValue::Text(std::str::from_utf8(raw.get(1..).unwrap_or_default())?.to_owned()),
        Type::TIMESTAMPTZ => SqlValue::Text(instant(i64::from_be_bytes(raw.try_into()?))?.to_string()),
        Type::TIMESTAMP => SqlValue::Text(date_time(i64::from_be_bytes(raw.try_into()?))?.to_string()),
        Type::DATE => SqlValue::Text(date(i32::from_be_bytes(raw.try_into()?))?.to_string()),
        Type::INTERVAL => SqlValue::Text(interval(raw)?),
        Type::VOID => SqlValue::Null,
        _ => SqlValue::Text(std::str::from_utf8(raw)?.to_owned()),
    })
}

/// Types whose binary form is their text.
fn is_text(of: &Type) -> bool {
    let known = [Type::TEXT, Type::VARCHAR, Type::BPCHAR, Type::NAME, Type::JSON, Type::XML, Type::UNKNOWN];
    known.contains(of) || matches!(of.kind(), Kind::Enum(_)) || of.name() == "citext"
}

/// The type under a domain.
fn base(of: &Type) -> &Type {
    match of.kind() {
        Kind::Domain(inner) => base(inner),
        _ => of,
    }
}

fn instant(since_2000_us: i64) -> Result<jiff::Timestamp, String> {
    let beyond = || "an instant beyond the calendar".to_owned();
    let us = since_2000_us.checked_add(EPOCH_US).ok_or_else(beyond)?;
    jiff::Timestamp::from_microsecond(us).map_err(|_| beyond())
}

fn date_time(since_2000_us: i64) -> Result<jiff::civil::DateTime, String> {
    let since = jiff::SignedDuration::from_micros(since_2000_us);
    let date_time = jiff::civil::date(2000, 1, 1).at(0, 0, 0, 0).checked_add(since);
    date_time.map_err(|_| "a date and time beyond the calendar".to_owned())
}

fn date(since_2000_d: i32) -> Result<jiff::civil::Date, String> {
    let span = jiff::Span::new().try_days(since_2000_d);
    let date = span.and_then(|span| jiff::civil::date(2000, 1, 1).checked_add(span));
    date.map_err(|_| "a date beyond the calendar".to_owned())
}

/// A length of time, which the language holds as an exact one: an interval with months is none.
fn interval(raw: &[u8]) -> Result<String, Box<dyn std::error::Error + Sync + Send>> {
    let (us, rest) = raw.split_at_checked(8).ok_or("an interval is 16 bytes")?;
    let (days, months) = rest.split_at_checked(4).ok_or("an interval is 16 bytes")?;
    if i32::from_be_bytes(months.try_into()?) != 0 {
        return Err("an interval with months has no exact length".into());
    }
    let days = i64::from(i32::from_be_bytes(days.try_into()?));
    let exact = jiff::SignedDuration::from_hours(days * 24);
    let exact = exact.checked_add(jiff::SignedDuration::from_micros(i64::from_be_bytes(us.try_into()?)));
    Ok(exact.ok_or("an interval beyond what can be counted")?.to_string())
}
