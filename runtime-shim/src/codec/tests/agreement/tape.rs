//! Types, values and spoilt texts made from a tape of choices, which shrinks as a whole.

use std::collections::BTreeMap;

use jiff::{SignedDuration, Timestamp};
use rust_decimal::Decimal;
use uuid::Uuid;

use crate::codec::interpret::{Types, Value};
use crate::email::Email;
use crate::json::Json;
use crate::plan::{BytesWire, Field, InstantWire, ItemsRule, RangeRule, Shape, TextRule, TypeDef};

/// Choices; past its end every choice is the first.
pub(super) struct Tape<'c> {
    choices: &'c [u8],
}

impl<'c> Tape<'c> {
    pub(super) fn new(choices: &'c [u8]) -> Self {
        Self { choices }
    }

    /// A number below `count`, at most 256.
    pub(super) fn pick(&mut self, count: usize) -> usize {
        let Some((first, rest)) = self.choices.split_first() else { return 0 };
        self.choices = rest;
        usize::from(*first) % count
    }

    fn word(&mut self) -> i64 {
        let length = self.pick(9);
        (0..length).fold(0_i64, |word, _| (word << 8) | i64::try_from(self.pick(256)).unwrap())
    }

    fn text(&mut self) -> String {
        const CHARS: [char; 14] =
            ['a', 'b', '"', '\\', '\n', '\u{1}', 'é', '🪙', '\u{ffff}', '/', '~', ' ', '\u{7f}', '\u{2028}'];
        (0..self.pick(12)).map(|_| CHARS[self.pick(CHARS.len())]).collect()
    }
}

/// A type in a plan of up to three declared types.
pub(super) fn any_types(tape: &mut Tape<'_>) -> (Types, Shape) {
    let mut types = Types::new();
    for index in 0..tape.pick(4) {
        let def = any_def(tape, &types, index);
        types.insert(format!("T{index}"), def);
    }
    let shape = any_shape(tape, types.len(), 3);
    (types, shape)
}

fn any_def(tape: &mut Tape<'_>, types: &Types, index: usize) -> TypeDef {
    let other = tape.pick(2) == 1;
    match tape.pick(5) {
        0 => {
            TypeDef::TextEnum { values: vec!["open".to_owned(), "\u{e9}\"".to_owned(), String::new()], other }
        }
        1 => TypeDef::IntEnum { values: vec![3, -1, 20], other },
        2 => TypeDef::Alias(any_shape(tape, types.len(), 2)),
        _ => TypeDef::Object(
            (0..tape.pick(5)).map(|field| any_field(tape, types.len(), index, field)).collect(),
        ),
    }
}

fn any_field(tape: &mut Tape<'_>, declared: usize, own: usize, index: usize) -> Field {
    let name = format!("f{index}");
    let wire = if tape.pick(3) == 0 { format!("w\"{index}") } else { name.clone() };
    let optional = tape.pick(3) == 0;
    let recursive = optional && tape.pick(2) == 1;
    let shape = if recursive { Shape::Named(format!("T{own}")) } else { any_shape(tape, declared, 2) };
    Field { name, wire, at: None, optional, shape }
}

fn any_shape(tape: &mut Tape<'_>, declared: usize, depth: usize) -> Shape {
    let inner = |tape: &mut Tape<'_>| Box::new(any_shape(tape, declared, depth.saturating_sub(1)));
    match tape.pick(if depth == 0 { 14 } else { 18 }) {
        0 => Shape::Bool,
        1 => Shape::Text(TextRule::default()),
        2 => Shape::Int(RangeRule { min: Some("-1000000000000".to_owned()), max: None }),
        3 => Shape::Decimal(RangeRule::default()),
        4 => Shape::Instant(
            [InstantWire::Rfc3339, InstantWire::UnixS, InstantWire::UnixMs, InstantWire::Rfc2822]
                [tape.pick(4)],
        ),
        5 => Shape::DateTime,
        6 => Shape::Date,
        7 => Shape::Duration,
        8 => Shape::Uuid,
        9 => Shape::Url,
        10 => Shape::Email,
        11 => Shape::Bytes([BytesWire::Base64, BytesWire::Base64url, BytesWire::Hex][tape.pick(3)]),
        12 => Shape::Json,
        13 if declared > 0 => Shape::Named(format!("T{}", tape.pick(declared))),
        13 => Shape::Int(RangeRule::default()),
        14 => Shape::List(inner(tape), ItemsRule { min_items: None, max_items: Some(8) }),
        15 => Shape::Map(Box::new([text(), Shape::Date, Shape::Uuid][tape.pick(3)].clone()), inner(tape)),
        16 => Shape::Map(Box::new(text()), inner(tape)),
        _ => Shape::Nullable(inner(tape)),
    }
}

fn text() -> Shape {
    Shape::Text(TextRule::default())
}

/// A value of a type.
pub(super) fn any_value(tape: &mut Tape<'_>, types: &Types, shape: &Shape, depth: usize) -> Value {
    match shape {
        Shape::Text(rule) => {
            let most = rule.max_length.and_then(|most| most.try_into().ok()).unwrap_or(usize::MAX);
            Value::Text(tape.text().chars().take(most).collect())
        }
        Shape::Int(rule) => Value::Int(if rule.min.is_some() { tape.word() & i64::MAX } else { tape.word() }),
        Shape::Decimal(_) => {
            let scale = u32::try_from(tape.pick(29)).unwrap();
            Value::Decimal(Decimal::from_i128_with_scale(i128::from(tape.word()), scale).normalize())
        }
        Shape::Bool => Value::Bool(tape.pick(2) == 1),
        Shape::Instant(wire) => Value::Instant(any_instant(tape, *wire == InstantWire::Rfc2822)),
        Shape::DateTime => Value::DateTime(any_datetime(tape)),
        Shape::Date => Value::Date(any_datetime(tape).date()),
        Shape::Duration => Value::Duration(SignedDuration::from_nanos(tape.word())),
        Shape::Uuid => Value::Uuid(any_uuid(tape)),
        Shape::Url => Value::Url(format!("https://example.test/{}", tape.pick(100)).parse().unwrap()),
        Shape::Email => Value::Email(Email::new(format!("u{}@example.test", tape.pick(100))).unwrap()),
        Shape::Bytes(_) => Value::Bytes(tape.text().into_bytes()),
        Shape::Json => Value::Json(any_json(tape, depth)),
        Shape::Secret => unreachable!("no type here has a secret"),
        Shape::List(inner, _) => {
            Value::List(many(tape, depth, |tape| any_value(tape, types, inner, depth - 1)))
        }
        Shape::Map(key, inner) => {
            let entries = many(tape, depth, |tape| {
                (any_key(tape, types, key), any_value(tape, types, inner, depth - 1))
            });
            Value::Map(entries.into_iter().collect())
        }
        Shape::Nullable(inner) => match any_value(tape, types, inner, depth) {
            // `Json?` has one `null`, which is none.
            Value::Json(Json::Null) => Value::None,
            _ if tape.pick(3) == 0 => Value::None,
            value => value,
        },
        Shape::Named(name) => any_named(tape, types, &types[name], depth),
    }
}

fn any_named(tape: &mut Tape<'_>, types: &Types, def: &TypeDef, depth: usize) -> Value {
    match def {
        TypeDef::Alias(shape) => any_value(tape, types, shape, depth),
        TypeDef::TextEnum { other: true, .. } if tape.pick(2) == 1 => Value::Text(tape.text()),
        TypeDef::TextEnum { values, .. } => Value::Text(values[tape.pick(values.len())].clone()),
        TypeDef::IntEnum { other: true, .. } if tape.pick(2) == 1 => Value::Int(tape.word()),
        TypeDef::IntEnum { values, .. } => Value::Int(values[tape.pick(values.len())]),
        TypeDef::Object(fields) => {
            let mut found = BTreeMap::new();
            for field in fields {
                if field.optional && (depth == 0 || tape.pick(2) == 0) {
                    continue;
                }
                let value = any_value(tape, types, &field.shape, depth.saturating_sub(1));
                found.insert(field.name.clone(), value);
            }
            Value::Object(found)
        }
    }
}

fn many<T>(tape: &mut Tape<'_>, depth: usize, mut each: impl FnMut(&mut Tape<'_>) -> T) -> Vec<T> {
    if depth == 0 { Vec::new() } else { (0..tape.pick(4)).map(|_| each(tape)).collect() }
}

fn any_key(tape: &mut Tape<'_>, types: &Types, shape: &Shape) -> String {
    any_value(tape, types, shape, 0).to_text().unwrap()
}

/// An instant that RFC 3339, or RFC 2822 to the second, can write.
fn any_instant(tape: &mut Tape<'_>, whole: bool) -> Timestamp {
    let second = tape.word().rem_euclid(200_000_000_000) - 50_000_000_000;
    let nanosecond = if whole { 0 } else { tape.word().rem_euclid(1_000_000_000) };
    Timestamp::new(second, 0).unwrap() + SignedDuration::from_nanos(nanosecond)
}

fn any_datetime(tape: &mut Tape<'_>) -> jiff::civil::DateTime {
    jiff::tz::Offset::UTC.to_datetime(any_instant(tape, false))
}

fn any_uuid(tape: &mut Tape<'_>) -> Uuid {
    Uuid::from_u64_pair(tape.word().unsigned_abs(), tape.word().unsigned_abs())
}

/// Any JSON.
pub(super) fn any_json(tape: &mut Tape<'_>, depth: usize) -> Json {
    match tape.pick(if depth == 0 { 5 } else { 7 }) {
        0 => Json::Null,
        1 => Json::Bool(tape.pick(2) == 1),
        2 => Json::from(tape.word()),
        3 => Json::parse(&format!("{}e{}", tape.word(), tape.word() % 10_000_000)).unwrap(),
        4 => Json::Text(tape.text()),
        5 => Json::List(many(tape, depth, |tape| any_json(tape, depth - 1))),
        _ => Json::Object(
            many(tape, depth, |tape| (tape.text(), any_json(tape, depth - 1))).into_iter().collect(),
        ),
    }
}

/// A text with up to three things done to it that networks and providers do.
pub(super) fn mutated(tape: &mut Tape<'_>, text: &str) -> String {
    const PIECES: [&str; 24] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u0061",
        "\\ud83e",
        "null",
        "true",
        "0",
        "-",
        ".",
        "e9",
        "1.0",
        "99999999999999999999",
        "\"x\"",
        " ",
        "\u{1}",
        "é",
        "\"a\":1,",
        "T",
    ];
    let mut chars: Vec<char> = text.chars().collect();
    for _ in 0..=tape.pick(3) {
        let at = (tape.pick(256) * 256 + tape.pick(256)) % (chars.len() + 1);
        let end = (at + tape.pick(12)).min(chars.len());
        match tape.pick(4) {
            0 => _ = chars.drain(at..end),
            1 => _ = chars.splice(at..at, PIECES[tape.pick(PIECES.len())].chars()),
            2 => _ = chars.splice(at..end, PIECES[tape.pick(PIECES.len())].chars()),
            _ => {
                let copied = chars[at..end].to_vec();
                chars.splice(at..at, copied);
            }
        }
    }
    chars.into_iter().collect()
}
