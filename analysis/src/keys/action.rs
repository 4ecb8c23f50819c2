//! Keys of `action`.

use super::subscriber::{CONNECTIONS, EVENTS_OF_APP};
use super::{Codes, Kind, Need, Row, Table};
use crate::diagnostics::codes::deferred;

/// No key of an action is required by its form, so a missing one has no code of its own.
static CODES: Codes = Codes {
    key_invalid: deferred::ACTION_KEY_INVALID,
    key_duplicate: deferred::ACTION_KEY_DUPLICATE,
    key_missing: deferred::ACTION_VALUE_INVALID,
    value_invalid: deferred::ACTION_VALUE_INVALID,
};

/// `action open_ticket { … }`
pub static ACTION: Table = Table {
    block: "an action",
    codes: &CODES,
    rows: &[
        Row {
            key: "input",
            kind: Kind::Type,
            need: Need::Optional,
            doc: "The Object that a caller gives, of the app or of a package.",
        },
        Row { key: "output", kind: Kind::Type, need: Need::Optional, doc: "What it answers." },
        Row {
            key: "store",
            kind: Kind::Name("a store"),
            need: Need::Optional,
            doc: "Where it writes: the only store of the app, where it isn't said.",
        },
        Row {
            key: "uses",
            kind: CONNECTIONS,
            need: Need::Optional,
            doc: "The connections that its code may call.",
        },
        Row {
            key: "emits",
            kind: EVENTS_OF_APP,
            need: Need::Optional,
            doc: "The app's events that its code may emit.",
        },
        Row {
            key: "starts",
            kind: Kind::Names { what: "batches and backfills", dotted: false, alone: false, all: false },
            need: Need::Optional,
            doc: "The batches and backfills that its code may start.",
        },
    ],
};
