//! Keys of `store`.

use super::{Arg, Codes, DURATION_MAX_MS, Form, Kind, MINUTE_MS, Need, Row, Table};
use crate::diagnostics::codes::base;

/// Codes of `store`.
static CODES: Codes = Codes {
    key_invalid: base::STORE_KEY_INVALID,
    key_duplicate: base::STORE_KEY_DUPLICATE,
    key_missing: base::STORE_KEY_MISSING,
    value_invalid: base::STORE_VALUE_INVALID,
};

/// `store main { … }`
pub static STORE: Table = Table {
    block: "a store",
    codes: &CODES,
    rows: &[
        Row {
            key: "engine",
            kind: Kind::Calls { forms: &[Form { name: "sqlite", args: &[Arg::Text] }], words: &[] },
            need: Need::Required("sqlite(\"data/app.db\")"),
            doc: "The database that keeps the app's events and records.",
        },
        Row {
            key: "keep",
            kind: Kind::Duration { min_ms: MINUTE_MS, max_ms: DURATION_MAX_MS, why: "" },
            need: Need::Default("30d"),
            doc: "How long an event is kept after its last delivery has ended.",
        },
    ],
};
