//! Keys of `operation`. All mistakes in them have one code.

use super::provider::TIMEOUT;
use super::{Arg, Codes, Form, Kind, Need, Row, Table};
use crate::diagnostics::codes::package::PACKAGE_OPERATION_INVALID;

static CODES: Codes = Codes {
    key_invalid: PACKAGE_OPERATION_INVALID,
    key_duplicate: PACKAGE_OPERATION_INVALID,
    key_missing: PACKAGE_OPERATION_INVALID,
    value_invalid: PACKAGE_OPERATION_INVALID,
};

/// `operation fetch_prices { … }`
pub static OPERATION: Table = Table {
    block: "an operation",
    codes: &CODES,
    rows: &[
        Row {
            key: "method",
            kind: Kind::Words(&["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]),
            need: Need::Required("GET"),
            doc: "The method of the request.",
        },
        Row {
            key: "path",
            kind: Kind::Template { bare: false },
            need: Need::Required("\"/v1/prices\""),
            doc: "What is appended to `base_url`; it starts with `/`.",
        },
        Row {
            key: "input",
            kind: Kind::Name("an `Object` type"),
            need: Need::Optional,
            doc: "What a caller gives. Fields in no path, query or header make the body.",
        },
        Row {
            key: "query",
            kind: Kind::Open("`name: value`"),
            need: Need::Optional,
            doc: "The query, its keys written as they are sent.",
        },
        Row {
            key: "headers",
            kind: Kind::Open("`\"Name\": value`"),
            need: Need::Optional,
            doc: "Headers of this call, besides the provider's.",
        },
        Row {
            key: "output",
            kind: Kind::Type,
            need: Need::Optional,
            doc: "What the answer holds; without it the body is not read.",
        },
        Row {
            key: "at",
            kind: Kind::Text,
            need: Need::Default(""),
            doc: "The JSON Pointer where the output stands in the answer.",
        },
        Row {
            key: "decode",
            kind: Kind::Name("a function of the app's"),
            need: Need::Optional,
            doc: "The app's Rust that reads the raw answer.",
        },
        Row {
            key: "changes",
            kind: Kind::Bool,
            need: Need::Optional,
            doc: "Whether it changes the provider's data: not for GET and HEAD, unless said; else yes, unless said.",
        },
        Row {
            key: "idempotency_key",
            kind: Kind::Calls { forms: &[Form { name: "header", args: &[Arg::Text] }], words: &[] },
            need: Need::Optional,
            doc: "The header that carries one key for all attempts of a call.",
        },
        Row {
            key: "timeout",
            kind: TIMEOUT,
            need: Need::Optional,
            doc: "How long one attempt may take; the provider's where it isn't given.",
        },
    ],
};
