//! How columns become values of the language again.

use std::str::FromStr;

use super::SqlValue;

/// A value that a column can be read as.
pub trait FromSql: Sized {
    /// What is wanted, for people.
    const WANTED: &'static str;

    /// Reads it; `None` for another kind of value.
    fn from_sql(value: &SqlValue) -> Option<Self>;
}

impl FromSql for SqlValue {
    const WANTED: &'static str = "a value";

    fn from_sql(value: &SqlValue) -> Option<Self> {
        Some(value.clone())
    }
}

impl<T: FromSql> FromSql for Option<T> {
    const WANTED: &'static str = T::WANTED;

    fn from_sql(value: &SqlValue) -> Option<Self> {
        match value {
            SqlValue::Null => Some(None),
            other => T::from_sql(other).map(Some),
        }
    }
}

impl FromSql for bool {
    const WANTED: &'static str = "0 or 1";

    fn from_sql(value: &SqlValue) -> Option<Self> {
        match value {
            SqlValue::Integer(0) => Some(false),
            SqlValue::Integer(1) => Some(true),
            _ => None,
        }
    }
}

impl FromSql for f64 {
    const WANTED: &'static str = "a floating-point number";

    fn from_sql(value: &SqlValue) -> Option<Self> {
        match value {
            SqlValue::Real(number) => Some(*number),
            _ => None,
        }
    }
}

impl FromSql for String {
    const WANTED: &'static str = "text";

    fn from_sql(value: &SqlValue) -> Option<Self> {
        text(value).map(str::to_owned)
    }
}

impl FromSql for Vec<u8> {
    const WANTED: &'static str = "bytes";

    fn from_sql(value: &SqlValue) -> Option<Self> {
        match value {
            SqlValue::Blob(bytes) => Some(bytes.clone()),
            _ => None,
        }
    }
}

impl FromSql for rust_decimal::Decimal {
    const WANTED: &'static str = "a decimal number as text, or an integer";

    fn from_sql(value: &SqlValue) -> Option<Self> {
        match value {
            SqlValue::Integer(number) => Some(Self::from(*number)),
            // A floating-point column is refused: what was exact would come back changed without anybody noticing.
            other => Self::from_str_exact(text(other)?).ok(),
        }
    }
}

macro_rules! integers {
    ($($type:ty),+) => {$(
        impl FromSql for $type {
            const WANTED: &'static str = "an integer in range";

            fn from_sql(value: &SqlValue) -> Option<Self> {
                match value {
                    SqlValue::Integer(number) => Self::try_from(*number).ok(),
                    _ => None,
                }
            }
        }
    )+};
}

integers!(i8, i16, i32, i64, u8, u16, u32);

macro_rules! canonical_texts {
    ($($type:ty, $wanted:literal);+ $(;)?) => {$(
        impl FromSql for $type {
            const WANTED: &'static str = $wanted;

            fn from_sql(value: &SqlValue) -> Option<Self> {
                Self::from_str(text(value)?).ok()
            }
        }
    )+};
}

canonical_texts! {
    jiff::Timestamp, "an instant as text";
    jiff::civil::DateTime, "a date and time as text";
    jiff::civil::Date, "a date as text";
    jiff::SignedDuration, "a duration as text";
    uuid::Uuid, "a UUID as text";
    url::Url, "a URL as text";
}

fn text(value: &SqlValue) -> Option<&str> {
    match value {
        SqlValue::Text(text) => Some(text),
        _ => None,
    }
}
