//! Parameters of one statement: a tuple of up to twelve, or a list.

use super::{SqlValue, ToSql};

/// What stands for `?1`, `?2`, … in a statement.
pub trait Params {
    /// The values, in order.
    fn into_values(self) -> Vec<SqlValue>;
}

impl Params for () {
    fn into_values(self) -> Vec<SqlValue> {
        Vec::new()
    }
}

impl Params for Vec<SqlValue> {
    fn into_values(self) -> Vec<SqlValue> {
        self
    }
}

impl<T: ToSql, const N: usize> Params for [T; N] {
    fn into_values(self) -> Vec<SqlValue> {
        self.iter().map(ToSql::to_sql).collect()
    }
}

macro_rules! tuples {
    ($(($($name:ident $index:tt),+))+) => {$(
        impl<$($name: ToSql),+> Params for ($($name,)+) {
            fn into_values(self) -> Vec<SqlValue> {
                vec![$(self.$index.to_sql()),+]
            }
        }
    )+};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}
