//! Keys of `route`.

use super::{Arg, Codes, Form, Kind, Need, Row, Table};
use crate::diagnostics::codes::deferred;

static CODES: Codes = Codes {
    key_invalid: deferred::ROUTE_KEY_INVALID,
    key_duplicate: deferred::ROUTE_KEY_DUPLICATE,
    key_missing: deferred::ROUTE_KEY_MISSING,
    value_invalid: deferred::ROUTE_VALUE_INVALID,
};

/// `route open_ticket_route { … }`
pub static ROUTE: Table = Table {
    block: "a route",
    codes: &CODES,
    rows: &[
        Row {
            key: "method",
            kind: Kind::Words(&["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),
            need: Need::Required("POST"),
            doc: "The method of the requests that it answers.",
        },
        Row {
            key: "path",
            kind: Kind::Template { bare: false },
            need: Need::Required("\"/tickets\""),
            doc: "The path of the requests that it answers; `{input.id}` stands for any one segment.",
        },
        Row {
            key: "run",
            kind: Kind::Name("an action"),
            need: Need::Required("open_ticket"),
            doc: "The action that it runs.",
        },
        Row {
            key: "auth",
            kind: Kind::Calls { forms: &[Form { name: "bearer", args: &[Arg::Env] }], words: &["none"] },
            need: Need::Required("bearer(env(\"API_TOKEN\"))"),
            doc: "Who may call it: whoever has the token, or with `none` anybody.",
        },
        Row {
            key: "settle",
            kind: Kind::Bool,
            need: Need::Default("false"),
            doc: "Whether the answer waits for what the action sets off.",
        },
        Row {
            key: "within",
            kind: Kind::Duration { min_ms: 100, max_ms: 60_000, why: "" },
            need: Need::Default("30s"),
            doc: "The longest that it waits, the action's deadline too.",
        },
    ],
};
