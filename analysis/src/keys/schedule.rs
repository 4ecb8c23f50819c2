//! Keys of `schedule`.

use super::{Codes, DURATION_MAX_MS, Kind, MINUTE_MS, Need, Row, Table};
use crate::diagnostics::codes::deferred;

static CODES: Codes = Codes {
    key_invalid: deferred::SCHEDULE_KEY_INVALID,
    key_duplicate: deferred::SCHEDULE_KEY_DUPLICATE,
    key_missing: deferred::SCHEDULE_KEY_MISSING,
    value_invalid: deferred::SCHEDULE_VALUE_INVALID,
};

/// `schedule close_stale_daily { … }`
pub static SCHEDULE: Table = Table {
    block: "a schedule",
    codes: &CODES,
    rows: &[
        Row {
            key: "every",
            kind: Kind::Duration {
                min_ms: MINUTE_MS,
                max_ms: DURATION_MAX_MS,
                why: ", and the tick runs once a minute",
            },
            need: Need::Optional,
            doc: "The interval, counted from the tick that first saw it.",
        },
        Row {
            key: "daily_at",
            kind: Kind::Text,
            need: Need::Optional,
            doc: "The local time of each day, as \"03:00\"; needs `zone`.",
        },
        Row {
            key: "zone",
            kind: Kind::Text,
            need: Need::Optional,
            doc: "The time zone of `daily_at`, as \"Europe/London\".",
        },
        Row {
            key: "run",
            kind: Kind::Name("an action"),
            need: Need::Required("close_stale"),
            doc: "The action that it runs, which has no `input:`.",
        },
    ],
};
