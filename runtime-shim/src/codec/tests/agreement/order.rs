//! One type with a bit of everything, as generated code has it and as a plan has it.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::civil::{Date, DateTime};
use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use url::Url;
use uuid::Uuid;

use crate::codec::interpret::Types;
use crate::codec::{
    Field, IntCheck, ItemsCheck, MapKey, Mismatch, Picked, Reader, TextCheck, VariantTable, Wire, Writer,
    present, read_bytes, read_instant, write_bytes, write_instant,
};
use crate::email::Email;
use crate::json::Json;
use crate::plan::{self, BytesWire, InstantWire, ItemsRule, RangeRule, Shape, TextRule, TypeDef};

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

const FIELDS: &[Field] = &[
    Field { name: "amount", wire: "Amount", at: None, required: true },
    Field { name: "body", wire: "body", at: None, required: true },
    Field { name: "by_side", wire: "bySide", at: None, required: true },
    Field { name: "contact", wire: "contact", at: None, required: true },
    Field { name: "day", wire: "day", at: None, required: true },
    Field { name: "id", wire: "id", at: None, required: true },
    Field { name: "level", wire: "level", at: None, required: true },
    Field { name: "lines", wire: "lines", at: None, required: true },
    Field { name: "link", wire: "link", at: None, required: true },
    Field { name: "local", wire: "local", at: None, required: true },
    Field { name: "meta", wire: "meta", at: None, required: true },
    Field { name: "next", wire: "next", at: None, required: false },
    Field { name: "note", wire: "note", at: None, required: false },
    Field { name: "number", wire: "number", at: None, required: true },
    Field { name: "open", wire: "open", at: None, required: true },
    Field { name: "seen", wire: "seen", at: None, required: true },
    Field { name: "symbol", wire: "symbol", at: None, required: true },
    Field { name: "took", wire: "took", at: None, required: true },
];

static LINES: ItemsCheck = ItemsCheck::new(None, Some(3));
static NUMBER: IntCheck = IntCheck::new(Some(-10), None);
static SYMBOL: TextCheck = TextCheck::new(None, Some(6), Some("(?s).*"));
const SIDE: VariantTable = VariantTable::Text { values: &["sell", "BUY"], other: true };
const LEVEL: VariantTable = VariantTable::Int { values: &[7, -1], other: false };

#[derive(Debug)]
struct Symbol(String);

#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Side {
    Sell,
    Buy,
    Other(String),
}

#[derive(Debug)]
enum Level {
    Seven,
    Below,
}

impl Wire for Order {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        let (mut amount, mut body, mut by_side, mut contact, mut day, mut id) =
            (None, None, None, None, None, None);
        let (mut level, mut lines, mut link, mut local, mut meta, mut next) =
            (None, None, None, None, None, None);
        let (mut note, mut number, mut open, mut seen, mut symbol, mut took) =
            (None, None, None, None, None, None);
        reader.object(FIELDS, |reader, index| {
            match index {
                0 => amount = Some(Wire::read(reader)?),
                1 => body = Some(read_bytes(reader, BytesWire::Hex)?),
                2 => by_side = Some(Wire::read(reader)?),
                3 => contact = Some(Wire::read(reader)?),
                4 => day = Some(Wire::read(reader)?),
                5 => id = Some(Wire::read(reader)?),
                6 => level = Some(Wire::read(reader)?),
                7 => {
                    let read = Wire::read(reader)?;
                    lines = Some(reader.checked(read, |value: &Vec<Option<Box<Order>>>| LINES.check(value))?);
                }
                8 => link = Some(Wire::read(reader)?),
                9 => local = Some(Wire::read(reader)?),
                10 => meta = Some(Wire::read(reader)?),
                11 => next = Some(Wire::read(reader)?),
                12 => note = Some(Wire::read(reader)?),
                13 => {
                    let read = Wire::read(reader)?;
                    number = Some(reader.checked(read, |value| NUMBER.check(*value))?);
                }
                14 => open = Some(Wire::read(reader)?),
                15 => seen = Some(read_instant(reader, InstantWire::UnixMs)?),
                16 => symbol = Some(Wire::read(reader)?),
                _ => took = Some(Wire::read(reader)?),
            }
            Ok(())
        })?;
        Ok(Self {
            amount: present(amount),
            body: present(body),
            by_side: present(by_side),
            contact: present(contact),
            day: present(day),
            id: present(id),
            level: present(level),
            lines: present(lines),
            link: present(link),
            local: present(local),
            meta: present(meta),
            next,
            note,
            number: present(number),
            open: present(open),
            seen: present(seen),
            symbol: present(symbol),
            took: present(took),
        })
    }

    fn write(&self, writer: &mut Writer) {
        let mut object = writer.object(FIELDS);
        object.field(0, &self.amount);
        object.field_with(1, |writer| write_bytes(writer, &self.body, BytesWire::Hex));
        object.field(2, &self.by_side);
        object.field(3, &self.contact);
        object.field(4, &self.day);
        object.field(5, &self.id);
        object.field(6, &self.level);
        object.field(7, &self.lines);
        object.field(8, &self.link);
        object.field(9, &self.local);
        object.field(10, &self.meta);
        if let Some(next) = &self.next {
            object.field(11, next);
        }
        if let Some(note) = &self.note {
            object.field(12, note);
        }
        object.field(13, &self.number);
        object.field(14, &self.open);
        object.field_with(15, |writer| write_instant(writer, &self.seen, InstantWire::UnixMs));
        object.field(16, &self.symbol);
        object.field(17, &self.took);
        object.end();
    }
}

impl Wire for Symbol {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        let text = String::read(reader)?;
        reader.checked(text, |text| SYMBOL.check(text)).map(Self)
    }

    fn write(&self, writer: &mut Writer) {
        self.0.write(writer);
    }
}

impl Side {
    fn of(picked: Picked) -> Self {
        match picked {
            Picked::Known(0) => Self::Sell,
            Picked::OtherText(text) => Self::Other(text),
            _ => Self::Buy,
        }
    }
}

impl MapKey for Side {
    fn read_key(text: &str) -> Result<Self, String> {
        SIDE.pick_key(text).map(Self::of)
    }

    fn write_key(&self) -> Cow<'_, str> {
        Cow::Borrowed(match self {
            Self::Sell => "sell",
            Self::Buy => "BUY",
            Self::Other(text) => text,
        })
    }
}

impl Wire for Level {
    fn read(reader: &mut Reader<'_>) -> Result<Self, Mismatch> {
        reader
            .variant(&LEVEL)
            .map(|picked| if picked == Picked::Known(0) { Self::Seven } else { Self::Below })
    }

    fn write(&self, writer: &mut Writer) {
        writer.int(match self {
            Self::Seven => 7,
            Self::Below => -1,
        });
    }
}

/// The same types in a plan.
pub(super) fn order_types() -> Types {
    let named = |name: &str| Shape::Named(name.to_owned());
    let nullable = |shape| Shape::Nullable(Box::new(shape));
    let text = || Shape::Text(TextRule::default());
    let range = |min: &str| RangeRule { min: Some(min.to_owned()), max: None };
    let lines = ItemsRule { min_items: None, max_items: Some(3) };
    let symbol = TextRule { max_length: Some(6), pattern: Some("(?s).*".to_owned()), ..TextRule::default() };
    let shapes = [
        Shape::Decimal(RangeRule::default()),
        Shape::Bytes(BytesWire::Hex),
        Shape::Map(Box::new(named("shop.Side")), Box::new(Shape::Int(RangeRule::default()))),
        nullable(Shape::Email),
        Shape::Date,
        Shape::Uuid,
        named("shop.Level"),
        Shape::List(Box::new(nullable(named(ORDER))), lines),
        Shape::Url,
        Shape::DateTime,
        Shape::Json,
        named(ORDER),
        nullable(text()),
        Shape::Int(range("-10")),
        Shape::Bool,
        Shape::Instant(InstantWire::UnixMs),
        named("shop.Symbol"),
        Shape::Duration,
    ];
    let fields = FIELDS.iter().zip(shapes).map(|(field, shape)| plan::Field {
        name: field.name.to_owned(),
        wire: field.wire.to_owned(),
        at: None,
        optional: !field.required,
        shape,
    });
    let side = TypeDef::TextEnum { values: vec!["sell".to_owned(), "BUY".to_owned()], other: true };
    BTreeMap::from([
        (ORDER.to_owned(), TypeDef::Object(fields.collect())),
        ("shop.Side".to_owned(), side),
        ("shop.Level".to_owned(), TypeDef::IntEnum { values: vec![7, -1], other: false }),
        ("shop.Symbol".to_owned(), TypeDef::Alias(Shape::Text(symbol))),
    ])
}
