//! In which order the keys of objects come: one that was learned from an object finds the fields of the next at once.

/// Up to this many fields are gone through sooner than an order of theirs is looked up.
const FEW_FIELDS: usize = 4;

/// Of how many tables of fields an order is kept, so that looking one up takes no longer than going through fields.
const MAX_TABLES: usize = 16;

/// The order of each table of fields whose objects were read. An order only says where to look first.
#[derive(Default)]
pub(super) struct Orders {
    orders: Vec<Order>,
}

struct Order {
    /// The table's address.
    table: usize,
    /// The field that came after each, and first the one with which the object began.
    after: Vec<usize>,
}

/// Where the order of a table is kept, if it is.
#[derive(Clone, Copy)]
pub(super) struct Kept(Option<usize>);

impl Orders {
    /// Where the order of this table is kept. Before anything is known of it, its fields come as they stand there.
    #[inline]
    pub(super) fn of<F>(&mut self, fields: &[F]) -> Kept {
        if fields.len() <= FEW_FIELDS {
            return Kept(None);
        }
        let table = fields.as_ptr().addr();
        let known =
            self.orders.iter().position(|order| order.table == table && order.after.len() > fields.len());
        Kept(known.or_else(|| self.begin(table, fields.len())))
    }

    /// The field that came after this many, or after the field before this one.
    #[inline]
    pub(super) fn guess(&self, kept: Kept, after: usize) -> usize {
        kept.0.map_or(after, |at| self.orders[at].after[after])
    }

    /// Another came this time.
    #[inline]
    pub(super) fn learn(&mut self, kept: Kept, after: usize, index: usize) {
        if let Some(at) = kept.0 {
            self.orders[at].after[after] = index;
        }
    }

    #[cold]
    fn begin(&mut self, table: usize, fields: usize) -> Option<usize> {
        let at = self.orders.len();
        if at == MAX_TABLES {
            return None;
        }
        self.orders.push(Order { table, after: (0..=fields).collect() });
        Some(at)
    }
}
