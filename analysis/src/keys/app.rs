//! Keys of `app`.

use super::{Codes, Kind, Need, Row, Table};
use crate::diagnostics::codes::base;

/// Codes of `app`. No key of it is required, so a missing one has no code of its own.
static CODES: Codes = Codes {
    key_invalid: base::APP_KEY_INVALID,
    key_duplicate: base::APP_KEY_DUPLICATE,
    key_missing: base::APP_VALUE_INVALID,
    value_invalid: base::APP_VALUE_INVALID,
};

/// `app trading { … }`
pub static APP: Table = Table {
    block: "an app",
    codes: &CODES,
    rows: &[Row {
        key: "packages",
        kind: Kind::Texts,
        need: Need::Optional,
        doc: "Directories of packages that do not stand beneath the app's own.",
    }],
};
