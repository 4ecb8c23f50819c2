//! Keys of `connection` and of its blocks.

use super::{Codes, DURATION_MAX_MS, Kind, MINUTE_MS, Need, Row, Table};
use crate::diagnostics::codes::app;

static CODES: Codes = Codes {
    key_invalid: app::CONNECTION_KEY_INVALID,
    key_duplicate: app::CONNECTION_KEY_DUPLICATE,
    key_missing: app::CONNECTION_KEY_MISSING,
    value_invalid: app::CONNECTION_VALUE_INVALID,
};

/// `connection feed { … }`
pub static CONNECTION: Table = Table {
    block: "a connection",
    codes: &CODES,
    rows: &[
        Row {
            key: "package",
            kind: Kind::Name("a package"),
            need: Need::Required("coinfeed"),
            doc: "The package that it uses.",
        },
        Row {
            key: "settings",
            kind: Kind::Open("`name: value`"),
            need: Need::Optional,
            doc: "The package's settings; `env(\"NAME\")` for what is given at start-up.",
        },
        Row {
            key: "max_concurrent",
            kind: Kind::Whole { min: 1, max: i64::MAX },
            need: Need::Optional,
            doc: "How many of its calls may be under way at once; it may only lower the package's.",
        },
        Row {
            key: "polls",
            kind: Kind::Open("`poll: interval`"),
            need: Need::Optional,
            doc: "Other intervals for the package's polls.",
        },
        Row {
            key: "events",
            kind: Kind::Block(&EVENTS),
            need: Need::Optional,
            doc: "Where its events are kept: the only store of the app where it isn't said.",
        },
        Row {
            key: "plain_http",
            kind: Kind::Bool,
            need: Need::Default("false"),
            doc: "Allows `http` to a host that a setting gives.",
        },
    ],
};

static EVENTS: Table = Table {
    block: "a connection's `events`",
    codes: &CODES,
    rows: &[
        Row {
            key: "store",
            kind: Kind::Name("a store"),
            need: Need::Optional,
            doc: "The store that keeps them.",
        },
        Row {
            key: "keep",
            kind: Kind::Duration { min_ms: MINUTE_MS, max_ms: DURATION_MAX_MS, why: "" },
            need: Need::Optional,
            doc: "How long they are kept: as the store says, where it isn't said here.",
        },
    ],
};
