//! Keys of `backfill`.

use super::batch::SIZE;
use super::{Codes, Kind, Need, Row, Table};
use crate::diagnostics::codes::deferred;

static CODES: Codes = Codes {
    key_invalid: deferred::BACKFILL_KEY_INVALID,
    key_duplicate: deferred::BACKFILL_KEY_DUPLICATE,
    key_missing: deferred::BACKFILL_KEY_MISSING,
    value_invalid: deferred::BACKFILL_VALUE_INVALID,
};

/// `backfill rate_tickets { … }`
pub static BACKFILL: Table = Table {
    block: "a backfill",
    codes: &CODES,
    rows: &[
        Row {
            key: "store",
            kind: Kind::Name("a store"),
            need: Need::Optional,
            doc: "Where it writes and keeps its runs: the only store of the app, where it isn't said.",
        },
        Row {
            key: "record",
            kind: Kind::Type,
            need: Need::Required("Ticket"),
            doc: "The Object whose field is worked out, of the app or of a package.",
        },
        Row {
            key: "field",
            kind: Kind::Name("a field of `record`"),
            need: Need::Required("priority"),
            doc: "The field that is worked out; each value is checked by its rules.",
        },
        SIZE,
    ],
};
