//! One type with a bit of everything, as generated code has it and as a plan has it.

use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use url::Url;
use uuid::Uuid;

use crate::codec::generated::{
    BytesWire, Checked, InstantWire, IntCheck, ItemsCheck, Plain, newtype, object, text, variants,
};
use crate::codec::interpret::Types;
use crate::email::Email;
use crate::json::Json;
use crate::plan::{self, ItemsRule, RangeRule, Shape, TextRule, TypeDef};

pub(super) const ORDER: &str = "shop.Order";

#[derive(Debug)]
#[expect(clippy::option_option, reason = "absent, null and a value are told apart")]
pub(super) struct Order {
    amount: Decimal,
    body: Vec<u8>,
    by_side: BTreeMap<Side, i64>,
    contact: Option<Email>,
    day: Date,
    id: Uuid,
    level: Level,
    lines: Vec<Option<Box<Order>>>,
    link: Url,
    local: DateTime,
    meta: Json,
    next: Option<Box<Order>>,
    note: Option<Option<String>>,
    number: i64,
    open: bool,
    seen: Timestamp,
    symbol: Symbol,
    took: SignedDuration,
}

object! { Order {
    0 amount = "Amount",
    1 body as BytesWire::Hex,
    2 by_side = "bySide",
    3 contact,
    4 day,
    5 id,
    6 level,
    7 lines as Checked(Plain, ItemsCheck::new(None, Some(3))),
    8 link,
    9 local,
    10 meta,
    11 next: optional,
    12 note: optional,
    13 number as Checked(Plain, IntCheck::new(Some(-10), None)),
    14 open,
    15 seen as InstantWire::UnixMs,
    16 symbol,
    17 took,
} }

#[derive(Debug)]
struct Symbol(String);

newtype! { Symbol { String as Checked(Plain, text!(None, Some(6), Some("(?s).*"))); } }

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Sell,
    Buy,
    Other(String),
}

impl Side {
    fn as_str(&self) -> &str {
        match self {
            Self::Sell => "sell",
            Self::Buy => "BUY",
            Self::Other(text) => text,
        }
    }
}

variants! { Side { as_str: Sell, Buy; Other } }

#[derive(Clone, Copy, Debug)]
enum Level {
    Seven,
    Below,
}

impl Level {
    fn as_i64(self) -> i64 {
        match self {
            Self::Seven => 7,
            Self::Below => -1,
        }
    }
}

variants! { Level { as_i64: Seven, Below } }

/// The same types in a plan.
pub(super) fn order_types() -> Types {
    let named = |name: &str| Shape::Named(name.to_owned());
    let nullable = |shape| Shape::Nullable(Box::new(shape));
    let text = || Shape::Text(TextRule::default());
    let range = |min: &str| RangeRule { min: Some(min.to_owned()), max: None };
    let lines = ItemsRule { min_items: None, max_items: Some(3) };
    let symbol = TextRule { max_length: Some(6), pattern: Some("(?s).*".to_owned()), ..TextRule::default() };
    let field = |name: &str, wire: &str, shape| plan::Field {
        name: name.to_owned(),
        wire: wire.to_owned(),
        at: None,
        optional: false,
        shape,
    };
    let plain = |name: &str, shape| field(name, name, shape);
    let optional = |name: &str, shape| plan::Field { optional: true, ..plain(name, shape) };
    let by_side = Shape::Map(Box::new(named("shop.Side")), Box::new(Shape::Int(RangeRule::default())));
    let fields = vec![
        field("amount", "Amount", Shape::Decimal(RangeRule::default())),
        plain("body", Shape::Bytes(BytesWire::Hex)),
        field("by_side", "bySide", by_side),
        plain("contact", nullable(Shape::Email)),
        plain("day", Shape::Date),
        plain("id", Shape::Uuid),
        plain("level", named("shop.Level")),
        plain("lines", Shape::List(Box::new(nullable(named(ORDER))), lines)),
        plain("link", Shape::Url),
        plain("local", Shape::DateTime),
        plain("meta", Shape::Json),
        optional("next", named(ORDER)),
        optional("note", nullable(text())),
        plain("number", Shape::Int(range("-10"))),
        plain("open", Shape::Bool),
        plain("seen", Shape::Instant(InstantWire::UnixMs)),
        plain("symbol", named("shop.Symbol")),
        plain("took", Shape::Duration),
    ];
    let side = TypeDef::TextEnum { values: vec!["sell".to_owned(), "BUY".to_owned()], other: true };
    BTreeMap::from([
        (ORDER.to_owned(), TypeDef::Object(fields)),
        ("shop.Side".to_owned(), side),
        ("shop.Level".to_owned(), TypeDef::IntEnum { values: vec![7, -1], other: false }),
        ("shop.Symbol".to_owned(), TypeDef::Alias(Shape::Text(symbol))),
    ])
}
