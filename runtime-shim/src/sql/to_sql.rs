//! How values of the language become SQL values: exact numbers and times as their canonical text.

use super::SqlValue;

/// A value that a statement can be given.
pub trait ToSql {
    /// The value as a column holds it.
    fn to_sql(&self) -> SqlValue;
}

impl ToSql for SqlValue {
    fn to_sql(&self) -> SqlValue {
        self.clone()
    }
}

impl<T: ToSql + ?Sized> ToSql for &T {
    fn to_sql(&self) -> SqlValue {
        (**self).to_sql()
    }
}

impl<T: ToSql> ToSql for Option<T> {
    fn to_sql(&self) -> SqlValue {
        self.as_ref().map_or(SqlValue::Null, ToSql::to_sql)
    }
}

impl<T: ToSql> ToSql for Box<T> {
    fn to_sql(&self) -> SqlValue {
        (**self).to_sql()
    }
}

impl ToSql for bool {
    fn to_sql(&self) -> SqlValue {
        SqlValue::Integer(i64::from(*self))
    }
}

impl ToSql for f64 {
    fn to_sql(&self) -> SqlValue {
        SqlValue::Real(*self)
    }
}

impl ToSql for str {
    fn to_sql(&self) -> SqlValue {
        SqlValue::Text(self.to_owned())
    }
}

impl ToSql for String {
    fn to_sql(&self) -> SqlValue {
        SqlValue::Text(self.clone())
    }
}

impl ToSql for [u8] {
    fn to_sql(&self) -> SqlValue {
        SqlValue::Blob(self.to_vec())
    }
}

impl ToSql for Vec<u8> {
    fn to_sql(&self) -> SqlValue {
        SqlValue::Blob(self.clone())
    }
}

impl ToSql for rust_decimal::Decimal {
    fn to_sql(&self) -> SqlValue {
        SqlValue::Text(self.normalize().to_string())
    }
}

macro_rules! integers {
    ($($type:ty),+) => {$(
        impl ToSql for $type {
            fn to_sql(&self) -> SqlValue {
                SqlValue::Integer(i64::from(*self))
            }
        }
    )+};
}

integers!(i8, i16, i32, i64, u8, u16, u32);

macro_rules! canonical_texts {
    ($($type:ty),+) => {$(
        impl ToSql for $type {
            fn to_sql(&self) -> SqlValue {
                SqlValue::Text(self.to_string())
            }
        }
    )+};
}

canonical_texts!(
    jiff::Timestamp,
    jiff::civil::DateTime,
    jiff::civil::Date,
    jiff::SignedDuration,
    uuid::Uuid,
    url::Url
);
