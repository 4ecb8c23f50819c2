//! What runs at times of its own: schedules, batches and backfills.

use super::TypeRef;

/// A `schedule` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// When it runs.
    pub when: When,
    /// The action that it runs, which has no input.
    pub action: String,
}

/// When a schedule runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// `every:`, counted from the tick that first saw it.
    Every {
        /// The interval.
        ms: u64,
    },
    /// `daily_at:` with `zone:`.
    Daily {
        /// From 0 to 23.
        hour: u8,
        /// From 0 to 59.
        minute: u8,
        /// A name of the IANA time zone database, as it writes it.
        zone: String,
    },
}

/// A `batch` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Batch {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The store that it writes, where its runs are kept.
    pub store: String,
    /// The object that starts a run of it.
    pub input: Option<TypeRef>,
    /// How many records a step is for.
    pub size: u32,
}

/// A `backfill` block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Backfill {
    /// Its name.
    pub name: String,
    /// Its documentation.
    pub doc: String,
    /// The store that it writes, where its runs are kept.
    pub store: String,
    /// The object whose field is worked out.
    pub record: TypeRef,
    /// The field's declared name.
    pub field: String,
    /// How many records a step is for.
    pub size: u32,
}
