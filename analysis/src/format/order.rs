//! The order of a block's entries, from the key catalogue.

use jadpo_syntax::tree::{Entry, Keyword, TypeExpr, ValueKind};

use crate::keys::{self, Kind, Table};

/// How the entries of a block are ordered, and those of the blocks inside it.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// As the author has written them, down to the innermost block.
    AsWritten,
    /// As the table has its keys.
    Table(&'static Table),
    /// As written, since the keys are the author's; each has a block that the table orders.
    Each(&'static Table),
    /// As written, since the keys are the author's; the values may be types with constraints.
    Open,
}

impl Order {
    /// The order of a declaration's block.
    pub fn of_keyword(keyword: Keyword) -> Self {
        keys::table(keyword).map_or(Self::AsWritten, Self::Table)
    }

    /// Where an entry goes, given where the one written before it goes. A key that the table doesn't know stays behind
    /// the entry that it was written behind.
    pub fn rank(self, before: usize, entry: &Entry) -> usize {
        let Self::Table(table) = self else { return 0 };
        let known = table.rows.iter().position(|row| !entry.key.quoted && row.key == &*entry.key.text);
        known.map_or(before, |at| at + 1)
    }

    /// The order of the block in an entry's value.
    pub fn inside(self, entry: &Entry) -> Self {
        match self {
            Self::AsWritten => Self::AsWritten,
            Self::Each(table) => Self::Table(table),
            Self::Open => of_constraints(entry, true),
            Self::Table(table) => {
                let row = table.row(&entry.key.text).filter(|_| !entry.key.quoted);
                match row.map(|row| row.kind) {
                    Some(Kind::Block(table) | Kind::CallsOrBlock { table, .. }) => Self::Table(table),
                    Some(Kind::Each(table)) => Self::Each(table),
                    Some(Kind::Open(_)) => Self::Open,
                    Some(Kind::Type) => of_constraints(entry, false),
                    _ => Self::AsWritten,
                }
            }
        }
    }

    /// The order of the constraints behind a type.
    pub fn of_type(ty: &TypeExpr, of_setting: bool) -> Self {
        match &ty.path[..] {
            [name] => Self::Table(keys::constraints(&name.text, of_setting)),
            _ => Self::AsWritten,
        }
    }
}

fn of_constraints(entry: &Entry, of_setting: bool) -> Order {
    match entry.value.as_ref().map(|value| &value.kind) {
        Some(ValueKind::Type(ty, _)) => Order::of_type(ty, of_setting),
        _ => Order::AsWritten,
    }
}
