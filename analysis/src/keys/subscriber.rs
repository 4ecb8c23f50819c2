//! Keys of `subscriber` and of its `retry`.

use super::{Codes, DURATION_MAX_MS, Kind, Need, Row, Table};
use crate::diagnostics::codes::app;

static CODES: Codes = Codes {
    key_invalid: app::SUBSCRIBER_KEY_INVALID,
    key_duplicate: app::SUBSCRIBER_KEY_DUPLICATE,
    key_missing: app::SUBSCRIBER_KEY_MISSING,
    value_invalid: app::SUBSCRIBER_VALUE_INVALID,
};

/// A list of connections.
pub(super) const CONNECTIONS: Kind =
    Kind::Names { what: "connections", dotted: false, alone: false, all: false };

/// A list of the app's events.
pub(super) const EVENTS_OF_APP: Kind =
    Kind::Names { what: "events of the app", dotted: false, alone: false, all: false };

/// `subscriber update_quotes { … }`
pub static SUBSCRIBER: Table = Table {
    block: "a subscriber",
    codes: &CODES,
    rows: &[
        Row {
            key: "on",
            kind: Kind::Names { what: "events", dotted: true, alone: true, all: false },
            need: Need::Required("coinfeed.PricesChanged"),
            doc: "The events that it hears.",
        },
        Row {
            key: "from",
            kind: CONNECTIONS,
            need: Need::Optional,
            doc: "The connections whose events it hears: all to the packages of `on`, where it isn't said.",
        },
        Row {
            key: "uses",
            kind: CONNECTIONS,
            need: Need::Optional,
            doc: "The connections that its code may call; `origin` is the one that the event came through.",
        },
        Row {
            key: "emits",
            kind: EVENTS_OF_APP,
            need: Need::Optional,
            doc: "The app's events that its code may emit.",
        },
        Row {
            key: "store",
            kind: Kind::Name("a store"),
            need: Need::Optional,
            doc: "Where it writes: the only store of the app, where it isn't said.",
        },
        Row {
            key: "within",
            kind: Kind::Duration { min_ms: 1000, max_ms: DURATION_MAX_MS, why: "" },
            need: Need::Default("24h"),
            doc: "How long after an event was kept its delivery is given up.",
        },
        Row {
            key: "retry",
            kind: Kind::Block(&RETRY),
            need: Need::Optional,
            doc: "How deliveries are tried again.",
        },
    ],
};

/// `retry: { … }` of a subscriber.
pub static RETRY: Table = Table {
    block: "a subscriber's `retry`",
    codes: &CODES,
    rows: &[
        Row {
            key: "attempts",
            kind: Kind::Whole { min: 1, max: 50 },
            need: Need::Default("8"),
            doc: "How often a delivery is tried at most, the first time included.",
        },
        Row {
            key: "initial",
            kind: Kind::Duration { min_ms: 100, max_ms: DURATION_MAX_MS, why: "" },
            need: Need::Default("5s"),
            doc: "The longest first wait; each further one is up to twice as long.",
        },
        Row {
            key: "max",
            kind: Kind::Duration { min_ms: 100, max_ms: DURATION_MAX_MS, why: "" },
            need: Need::Default("1h"),
            doc: "The longest wait.",
        },
    ],
};
