//! Keys of `provider` and of its blocks. All mistakes in them have one code.

use super::{Arg, Codes, DURATION_MAX_MS, Form, Kind, MINUTE_MS, Need, Row, Table};
use crate::diagnostics::codes::package::PACKAGE_PROVIDER_INVALID;

static CODES: Codes = Codes {
    key_invalid: PACKAGE_PROVIDER_INVALID,
    key_duplicate: PACKAGE_PROVIDER_INVALID,
    key_missing: PACKAGE_PROVIDER_INVALID,
    value_invalid: PACKAGE_PROVIDER_INVALID,
};

/// How long one attempt may take.
pub(super) const TIMEOUT: Kind = Kind::Duration { min_ms: 100, max_ms: 60_000, why: "" };

/// `provider coinfeed { … }`
pub static PROVIDER: Table = Table {
    block: "a provider",
    codes: &CODES,
    rows: &[
        Row {
            key: "version",
            kind: Kind::Text,
            need: Need::Default("0.1.0"),
            doc: "The package's version, by Semantic Versioning.",
        },
        Row {
            key: "base_url",
            kind: Kind::Template { bare: true },
            need: Need::Required("\"https://api.example.com\""),
            doc: "What the path of every operation is appended to.",
        },
        Row {
            key: "settings",
            kind: Kind::Open("`name: Type`"),
            need: Need::Optional,
            doc: "What a connection must give: keys, regions, names of accounts.",
        },
        Row {
            key: "auth",
            kind: Kind::Calls { forms: AUTH, words: &["none"] },
            need: Need::Default("none"),
            doc: "How calls are authorised. It is added last and cut from everything that is logged.",
        },
        Row {
            key: "headers",
            kind: Kind::Open("`\"Name\": value`"),
            need: Need::Optional,
            doc: "Headers of every call.",
        },
        Row {
            key: "field_case",
            kind: Kind::Words(&["snake", "camel", "pascal", "kebab"]),
            need: Need::Default("snake"),
            doc: "How the provider spells the names of fields.",
        },
        Row {
            key: "enum_case",
            kind: Kind::Words(&["snake", "camel", "pascal", "kebab", "screaming"]),
            need: Need::Default("snake"),
            doc: "How the provider spells the names of variants.",
        },
        Row {
            key: "timeout",
            kind: TIMEOUT,
            need: Need::Default("10s"),
            doc: "How long one attempt may take, the whole answer included.",
        },
        Row {
            key: "retry",
            kind: Kind::Block(&RETRY),
            need: Need::Optional,
            doc: "How calls are tried again.",
        },
        Row {
            key: "max_response",
            kind: Kind::Size { max: 64 << 20 },
            need: Need::Default("8MiB"),
            doc: "The longest answer that is read, counted after decompression.",
        },
        Row {
            key: "max_concurrent",
            kind: Kind::Whole { min: 1, max: i64::MAX },
            need: Need::Optional,
            doc: "How many calls may be under way at once; no cap where it isn't given.",
        },
        Row {
            key: "polls",
            kind: Kind::Each(&POLL),
            need: Need::Optional,
            doc: "What is asked again and again, and the event that a change of the answer emits.",
        },
    ],
};

static AUTH: &[Form] = &[
    Form { name: "bearer", args: &[Arg::Template] },
    Form { name: "basic", args: &[Arg::Template, Arg::Template] },
    Form { name: "header", args: &[Arg::Text, Arg::Template] },
    Form { name: "query", args: &[Arg::Text, Arg::Template] },
];

/// `retry: { … }` of a provider.
pub static RETRY: Table = Table {
    block: "a provider's `retry`",
    codes: &CODES,
    rows: &[
        Row {
            key: "attempts",
            kind: Kind::Whole { min: 1, max: 10 },
            need: Need::Default("3"),
            doc: "How often a call is tried at most, the first time included.",
        },
        Row {
            key: "initial",
            kind: Kind::Duration { min_ms: 100, max_ms: DURATION_MAX_MS, why: "" },
            need: Need::Default("200ms"),
            doc: "The longest first wait; each further one is up to twice as long.",
        },
        Row {
            key: "max",
            kind: Kind::Duration { min_ms: 100, max_ms: DURATION_MAX_MS, why: "" },
            need: Need::Default("5s"),
            doc: "The longest wait.",
        },
    ],
};

/// One of a provider's `polls:`.
pub static POLL: Table = Table {
    block: "a poll",
    codes: &CODES,
    rows: &[
        Row {
            key: "call",
            kind: Kind::Name("an operation"),
            need: Need::Required("fetch_prices"),
            doc: "The operation that is called.",
        },
        Row {
            key: "every",
            kind: Kind::Duration {
                min_ms: MINUTE_MS,
                max_ms: DURATION_MAX_MS,
                why: ", and the tick runs once a minute",
            },
            need: Need::Required("5m"),
            doc: "How often it is called.",
        },
        Row {
            key: "emits",
            kind: Kind::Name("an event"),
            need: Need::Required("PricesChanged"),
            doc: "The event that a changed answer emits.",
        },
    ],
};
