//! Keys of `store` and of its `engine`.

use super::{Arg, Codes, DURATION_MAX_MS, Form, Kind, MINUTE_MS, Need, Row, Table};
use crate::diagnostics::codes::base;

/// `store`.
static CODES: Codes = Codes {
    key_invalid: base::STORE_KEY_INVALID,
    key_duplicate: base::STORE_KEY_DUPLICATE,
    key_missing: base::STORE_KEY_MISSING,
    value_invalid: base::STORE_VALUE_INVALID,
};

const SQLITE: Form = Form { name: "sqlite", args: &[Arg::Text] };
const POSTGRES: Form = Form { name: "postgres", args: &[Arg::Env] };
const D1: Form = Form { name: "d1", args: &[Arg::Text] };

/// `store main { … }`
pub static STORE: Table = Table {
    block: "a store",
    codes: &CODES,
    rows: &[
        Row {
            key: "engine",
            kind: Kind::CallsOrBlock { forms: &[SQLITE, POSTGRES, D1], table: &ENGINE },
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

/// `engine: { … }`
pub static ENGINE: Table = Table {
    block: "an `engine`",
    codes: &CODES,
    rows: &[
        Row {
            key: "native",
            kind: Kind::Calls { forms: &[SQLITE, POSTGRES], words: &[] },
            need: Need::Optional,
            doc: "The database of programs that are built for `native`.",
        },
        Row {
            key: "workers",
            kind: Kind::Calls { forms: &[D1], words: &[] },
            need: Need::Optional,
            doc: "The database of programs that are built for `workers`.",
        },
    ],
};
