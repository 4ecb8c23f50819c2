//! Keys of `batch`.

use super::{Codes, Kind, Need, Row, Table};
use crate::diagnostics::codes::deferred;

static CODES: Codes = Codes {
    key_invalid: deferred::BATCH_KEY_INVALID,
    key_duplicate: deferred::BATCH_KEY_DUPLICATE,
    key_missing: deferred::BATCH_KEY_MISSING,
    value_invalid: deferred::BATCH_VALUE_INVALID,
};

/// How many records a step is for, in a batch and in a backfill.
pub(super) const SIZE: Row = Row {
    key: "size",
    kind: Kind::Whole { min: 1, max: 1000 },
    need: Need::Default("100"),
    doc: "How many records a step is for.",
};

/// `batch close_all { … }`
pub static BATCH: Table = Table {
    block: "a batch",
    codes: &CODES,
    rows: &[
        Row {
            key: "store",
            kind: Kind::Name("a store"),
            need: Need::Optional,
            doc: "Where it writes and keeps its runs: the only store of the app, where it isn't said.",
        },
        Row {
            key: "input",
            kind: Kind::Type,
            need: Need::Optional,
            doc: "The Object that starts a run, of the app or of a package.",
        },
        SIZE,
    ],
};
