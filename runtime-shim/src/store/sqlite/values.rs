//! The app's values as the engine takes and gives them.

use rusqlite::types::{ToSqlOutput, Value, ValueRef};

use crate::sql::SqlValue;

impl rusqlite::ToSql for SqlValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            SqlValue::Null => ToSqlOutput::Owned(Value::Null),
            SqlValue::Integer(number) => ToSqlOutput::Owned(Value::Integer(*number)),
            SqlValue::Real(number) => ToSqlOutput::Owned(Value::Real(*number)),
            SqlValue::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            SqlValue::Blob(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
        })
    }
}

/// A column's value.
pub fn value(column: ValueRef<'_>) -> SqlValue {
    match column {
        ValueRef::Null => SqlValue::Null,
        ValueRef::Integer(number) => SqlValue::Integer(number),
        ValueRef::Real(number) => SqlValue::Real(number),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => SqlValue::Text(text.to_owned()),
            // The engine lets any bytes stand as text; they are handed on as what they are.
            Err(_) => SqlValue::Blob(bytes.to_vec()),
        },
        ValueRef::Blob(bytes) => SqlValue::Blob(bytes.to_vec()),
    }
}
