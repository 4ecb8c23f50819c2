//! Keys of the block after a type: what may constrain a value of it, and, in `settings:`, its default.

use super::{Codes, Kind, Need, Row, Table};
use crate::diagnostics::codes::package::TYPE_CONSTRAINT_INVALID;

static CODES: Codes = Codes {
    key_invalid: TYPE_CONSTRAINT_INVALID,
    key_duplicate: TYPE_CONSTRAINT_INVALID,
    key_missing: TYPE_CONSTRAINT_INVALID,
    value_invalid: TYPE_CONSTRAINT_INVALID,
};

/// The constraints of a built-in type; with `default` where the type is a setting's. Types that the table doesn't
/// name, declared ones among them, take none.
pub fn constraints(builtin: &str, of_setting: bool) -> &'static Table {
    let (plain, setting) = match builtin {
        "Text" => (&TEXT, &TEXT_SETTING),
        "Int" => (&INT, &INT_SETTING),
        "Decimal" => (&DECIMAL, &DECIMAL_SETTING),
        "Instant" => (&INSTANT, &INSTANT_SETTING),
        "Bytes" => (&BYTES, &BYTES_SETTING),
        "List" => (&LIST, &LIST),
        _ => (&OTHER, &OTHER_SETTING),
    };
    if of_setting { setting } else { plain }
}

const fn optional(key: &'static str, kind: Kind, doc: &'static str) -> Row {
    Row { key, kind, need: Need::Optional, doc }
}

const COUNT: Kind = Kind::Whole { min: 0, max: i64::MAX };
const WHOLE: Kind = Kind::Whole { min: i64::MIN, max: i64::MAX };
const NUMBER: Kind = Kind::Special("a number");
const INSTANT_WIRES: Kind = Kind::Words(&["unix_s", "unix_ms", "rfc2822"]);
const BYTES_WIRES: Kind = Kind::Words(&["base64url", "hex"]);

const DEFAULT: Row =
    optional("default", Kind::Special("a value of the setting's type"), "What holds where none is given.");
const INT_MIN: Row = optional("min", WHOLE, "The least value, itself included.");
const INT_MAX: Row = optional("max", WHOLE, "The greatest value, itself included.");
const DECIMAL_MIN: Row = optional("min", NUMBER, "The least value, itself included.");
const DECIMAL_MAX: Row = optional("max", NUMBER, "The greatest value, itself included.");
const MIN_LENGTH: Row = optional("min_length", COUNT, "The least number of Unicode scalar values.");
const MAX_LENGTH: Row = optional("max_length", COUNT, "The greatest number of Unicode scalar values.");
const PATTERN: Row = optional("pattern", Kind::Text, "A regular expression that the whole text matches.");
const MIN_ITEMS: Row = optional("min_items", COUNT, "The least number of items.");
const MAX_ITEMS: Row = optional("max_items", COUNT, "The greatest number of items.");
const INSTANT_WIRE: Row = optional("wire", INSTANT_WIRES, "How it is sent, if not by RFC 3339.");
const BYTES_WIRE: Row = optional("wire", BYTES_WIRES, "How they are sent, if not in base64.");

const fn table(block: &'static str, rows: &'static [Row]) -> Table {
    Table { block, codes: &CODES, rows }
}

static TEXT: Table = table("`Text`", &[MIN_LENGTH, MAX_LENGTH, PATTERN]);
static TEXT_SETTING: Table = table("a setting of `Text`", &[MIN_LENGTH, MAX_LENGTH, PATTERN, DEFAULT]);
static INT: Table = table("`Int`", &[INT_MIN, INT_MAX]);
static INT_SETTING: Table = table("a setting of `Int`", &[INT_MIN, INT_MAX, DEFAULT]);
static DECIMAL: Table = table("`Decimal`", &[DECIMAL_MIN, DECIMAL_MAX]);
static DECIMAL_SETTING: Table = table("a setting of `Decimal`", &[DECIMAL_MIN, DECIMAL_MAX, DEFAULT]);
static INSTANT: Table = table("`Instant`", &[INSTANT_WIRE]);
static INSTANT_SETTING: Table = table("a setting of `Instant`", &[INSTANT_WIRE, DEFAULT]);
static BYTES: Table = table("`Bytes`", &[BYTES_WIRE]);
static BYTES_SETTING: Table = table("a setting of `Bytes`", &[BYTES_WIRE, DEFAULT]);
static LIST: Table = table("`List`", &[MIN_ITEMS, MAX_ITEMS]);
static OTHER: Table = table("this type", &[]);
static OTHER_SETTING: Table = table("a setting of this type", &[DEFAULT]);
