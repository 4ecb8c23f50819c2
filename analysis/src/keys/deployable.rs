//! Keys of `deployable`, of its `host` and of its `runner`.

use super::{Codes, DURATION_MAX_MS, Kind, Need, Row, Table};
use crate::diagnostics::codes::app;

static CODES: Codes = Codes {
    key_invalid: app::DEPLOYABLE_KEY_INVALID,
    key_duplicate: app::DEPLOYABLE_KEY_DUPLICATE,
    key_missing: app::DEPLOYABLE_KEY_MISSING,
    value_invalid: app::DEPLOYABLE_VALUE_INVALID,
};

/// A sleep of a full loop. Its rule says more of a bare number than a form could.
const SLEEP: Kind = Kind::Special("`0`, or a duration from `100ms` to `60s`");

/// `deployable server { … }`
pub static DEPLOYABLE: Table = Table {
    block: "a deployable",
    codes: &CODES,
    rows: &[
        Row {
            key: "target",
            kind: Kind::Words(&["native", "workers"]),
            need: Need::Required("native"),
            doc: "What it is built for.",
        },
        Row {
            key: "routes",
            kind: Kind::Names { what: "routes", dotted: false, alone: false, all: true },
            need: Need::Default("all"),
            doc: "The routes that it serves.",
        },
        Row {
            key: "subscribers",
            kind: Kind::Names { what: "subscribers", dotted: false, alone: false, all: true },
            need: Need::Default("all"),
            doc: "The subscribers that it runs.",
        },
        Row {
            key: "schedules",
            kind: Kind::Names { what: "schedules", dotted: false, alone: false, all: true },
            need: Need::Default("all"),
            doc: "The schedules that it runs.",
        },
        Row {
            key: "polls",
            kind: Kind::Names { what: "polls, as `feed.prices`", dotted: true, alone: false, all: true },
            need: Need::Default("all"),
            doc: "The polls that it runs.",
        },
        Row {
            key: "batches",
            kind: Kind::Names { what: "batches and backfills", dotted: false, alone: false, all: true },
            need: Need::Default("all"),
            doc: "The batches and backfills that it runs.",
        },
        Row { key: "host", kind: Kind::Block(&HOST), need: Need::Optional, doc: "Its listeners, natively." },
        Row {
            key: "runner",
            kind: Kind::Block(&RUNNER),
            need: Need::Optional,
            doc: "The loop that finds work, and when it sleeps, natively.",
        },
    ],
};

/// `host: { … }`
pub static HOST: Table = Table {
    block: "a `host`",
    codes: &CODES,
    rows: &[
        Row {
            key: "max_connections",
            kind: Kind::Whole { min: 1, max: u16::MAX as i64 },
            need: Need::Default("64"),
            doc: "How many connections live at once on each listener.",
        },
        Row {
            key: "drain",
            kind: Kind::Duration { min_ms: 0, max_ms: 10_000, why: "" },
            need: Need::Default("10s"),
            doc: "How long a stop waits for what is under way.",
        },
        Row {
            key: "listen",
            kind: Kind::Special("an address with its port, as \"127.0.0.1:8080\", or `env(\"NAME\")`"),
            need: Need::Default("127.0.0.1:8080"),
            doc: "Where its server listens.",
        },
        Row {
            key: "control",
            kind: Kind::Text,
            need: Need::Optional,
            doc: "Where its control port listens, an address of this machine; there is none where it isn't said.",
        },
    ],
};

/// `runner: { … }`
pub static RUNNER: Table = Table {
    block: "a `runner`",
    codes: &CODES,
    rows: &[
        Row {
            key: "workers",
            kind: Kind::Whole { min: 1, max: u32::MAX as i64 },
            need: Need::Default("8"),
            doc: "How many deliveries run at once.",
        },
        Row {
            key: "at_capacity",
            kind: Kind::Block(&AT_CAPACITY),
            need: Need::Optional,
            doc: "The two ways in which a loop that is full sleeps.",
        },
        Row {
            key: "backoff",
            kind: Kind::Block(&BACKOFF),
            need: Need::Optional,
            doc: "How long it sleeps after errors.",
        },
        Row {
            key: "sleep_detection",
            kind: Kind::Duration { min_ms: 1, max_ms: DURATION_MAX_MS, why: "" },
            need: Need::Default("3m"),
            doc: "Waking later than asked by more than this means that the machine slept.",
        },
    ],
};

/// `at_capacity: { … }`
pub static AT_CAPACITY: Table = Table {
    block: "`at_capacity`",
    codes: &CODES,
    rows: &[
        Row {
            key: "poll_interval",
            kind: SLEEP,
            need: Need::Default("1s"),
            doc: "How long it sleeps before it looks for a free worker again; `0` turns it off.",
        },
        Row {
            key: "heartbeat",
            kind: SLEEP,
            need: Need::Default("10s"),
            doc: "How long it sleeps before it looks for a stop and shows that it lives; `0` turns it off.",
        },
    ],
};

/// How long the loop sleeps after errors.
const WAIT: Kind = Kind::Special("a duration of at least `100ms`");

/// `backoff: { … }`
pub static BACKOFF: Table = Table {
    block: "`backoff`",
    codes: &CODES,
    rows: &[
        Row { key: "initial", kind: WAIT, need: Need::Default("1s"), doc: "The first sleep after an error." },
        Row { key: "max", kind: WAIT, need: Need::Default("60s"), doc: "The longest sleep after errors." },
    ],
};
