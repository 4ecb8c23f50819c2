//! Values, parameters and rows of the app's own SQL, the same for every engine.

mod from_sql;
mod params;
mod row;
#[cfg(test)]
mod tests;
mod to_sql;

pub use from_sql::FromSql;
pub use params::Params;
pub use row::{Column, Row};
pub use to_sql::ToSql;

/// A value that a column holds or a statement is given.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlValue {
    /// No value.
    Null,
    /// A whole number; a `bool` is 0 or 1.
    Integer(i64),
    /// A floating-point number; no type of the language is written as one.
    Real(f64),
    /// Text; what is exact or a time is written as its canonical text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

impl SqlValue {
    /// What kind of value it is, for people.
    pub fn kind(&self) -> &'static str {
        match self {
            SqlValue::Null => "NULL",
            SqlValue::Integer(_) => "an integer",
            SqlValue::Real(_) => "a floating-point number",
            SqlValue::Text(_) => "text",
            SqlValue::Blob(_) => "bytes",
        }
    }
}

/// A column that is missing, or holds another kind of value than was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnError {
    /// The column, by name or position.
    pub column: String,
    /// What was asked for.
    pub wanted: &'static str,
    /// What there is.
    pub got: String,
}

impl std::fmt::Display for ColumnError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "column {}: wanted {}, got {}", self.column, self.wanted, self.got)
    }
}

impl std::error::Error for ColumnError {}
