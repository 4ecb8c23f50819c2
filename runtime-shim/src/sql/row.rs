//! One row that a query gave.

use std::sync::Arc;

use super::{ColumnError, FromSql, SqlValue};

/// A row, its columns found by name or by position from 0.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    names: Arc<[String]>,
    values: Vec<SqlValue>,
}

impl Row {
    /// A row of a query; names and values in the order of its columns.
    pub fn new(names: Arc<[String]>, values: Vec<SqlValue>) -> Row {
        debug_assert_eq!(names.len(), values.len(), "every column has a name");
        Row { names, values }
    }

    /// The column's value, or what stands there instead.
    #[expect(clippy::needless_pass_by_value, reason = "a name or a number is given as it stands")]
    pub fn get<T: FromSql>(&self, column: impl Column) -> Result<T, ColumnError> {
        let missing =
            || ColumnError { column: column.shown(), wanted: T::WANTED, got: "no such column".to_owned() };
        let value = column.find(&self.names).and_then(|at| self.values.get(at)).ok_or_else(missing)?;
        T::from_sql(value).ok_or_else(|| ColumnError {
            column: column.shown(),
            wanted: T::WANTED,
            got: value.kind().to_owned(),
        })
    }

    /// The names of its columns.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The values of its columns.
    pub fn values(&self) -> &[SqlValue] {
        &self.values
    }
}

/// A column's name or its position from 0.
pub trait Column {
    /// Its position among these.
    fn find(&self, names: &[String]) -> Option<usize>;

    /// It, for people.
    fn shown(&self) -> String;
}

impl Column for usize {
    fn find(&self, _names: &[String]) -> Option<usize> {
        Some(*self)
    }

    fn shown(&self) -> String {
        self.to_string()
    }
}

impl Column for &str {
    fn find(&self, names: &[String]) -> Option<usize> {
        names.iter().position(|name| name == self)
    }

    fn shown(&self) -> String {
        format!("{self:?}")
    }
}
