//! Random trees.

use jadpo_syntax::Span;
use jadpo_syntax::tree::{
    Block, Body, Declaration, Entry, Field, Key, Keyword, Modifier, ModifierKind, Name, Number, NumberLit,
    StringLit, TypeBody, TypeExpr, Value, ValueKind, Variant, VariantWire, WireName,
};

/// A source of choices that a seed decides.
pub struct Dice(u64);

const NAMES: [&str; 20] = [
    "a",
    "b",
    "Text",
    "Int",
    "optional",
    "as",
    "at",
    "other",
    "wire_name",
    "type",
    "operation",
    "store",
    "public",
    "provider",
    "fetch_prices",
    "_x",
    "List",
    "Map",
    "T1",
    "settings",
];
const STRINGS: [&str; 6] = ["", "x", "https://x.example/{input.id}", "a\\b", "\"hi\"\n", "🪙é"];
const NUMBERS: [&str; 8] = ["0", "9_000", "-5", "0.25", "500ms", "30d", "8MiB", "1GiB"];
const NONE: Span = Span { start: 0, end: 0 };

impl Dice {
    /// The choices of `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// One of `sides` numbers from 0.
    pub fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % sides
    }

    fn chance(&mut self, of: usize) -> bool {
        self.roll(of) == 0
    }

    fn some<T>(&mut self, most: usize, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.roll(most + 1)).map(|_| make(self)).collect()
    }

    fn maybe<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.chance(2) { Some(make(self)) } else { None }
    }

    /// A declaration that nothing is wrong with.
    pub fn declaration(&mut self) -> Declaration {
        let keyword = if self.chance(2) { Keyword::Type } else { Keyword::ALL[self.roll(13)] };
        let may_be_public = matches!(keyword, Keyword::Type | Keyword::Operation | Keyword::Action);
        Declaration {
            docs: self.docs(),
            public: self.maybe(|_| NONE).filter(|_| may_be_public),
            keyword,
            keyword_span: NONE,
            name: Some(self.name()),
            body: if keyword == Keyword::Type {
                Body::Type(self.type_body())
            } else {
                Body::Block(self.block(3))
            },
            span: NONE,
        }
    }

    fn type_body(&mut self) -> TypeBody {
        match self.roll(4) {
            0 => TypeBody::Object(self.some(4, Self::field)),
            1 => TypeBody::Event {
                wire_names: self.some(2, Self::wire_name),
                fields: self.some(4, Self::field),
            },
            2 => TypeBody::Enum(self.some(5, Self::variant)),
            _ => TypeBody::Alias(self.ty(2), self.maybe(|dice| dice.block(2))),
        }
    }

    fn docs(&mut self) -> Vec<String> {
        if self.chance(4) {
            self.some(2, |dice| ["Spot prices.", "", "/ odd"][dice.roll(3)].to_owned())
        } else {
            Vec::new()
        }
    }

    fn name(&mut self) -> Name {
        Name { text: NAMES[self.roll(NAMES.len())].into(), span: NONE }
    }

    fn string(&mut self) -> StringLit {
        StringLit { value: STRINGS[self.roll(STRINGS.len())].into(), span: NONE }
    }

    fn number(&mut self) -> NumberLit {
        let place = self.roll(NUMBERS.len());
        let number = match place {
            0 => Number::Int(0),
            1 => Number::Int(9_000),
            2 => Number::Int(-5),
            3 => Number::Decimal("0.25".into()),
            4 => Number::Duration(Some(500)),
            5 => Number::Duration(Some(30 * 86_400_000)),
            6 => Number::Size(Some(8 << 20)),
            _ => Number::Size(Some(1 << 30)),
        };
        NumberLit { text: NUMBERS[place].into(), number, span: NONE }
    }

    fn ty(&mut self, depth: usize) -> TypeExpr {
        let mut path = vec![self.name()];
        if self.chance(4) {
            path.push(self.name());
        }
        let args = if depth > 0 && self.chance(4) { 1 + self.roll(2) } else { 0 };
        let args = (0..args).map(|_| self.ty(depth - 1)).collect();
        TypeExpr { path, args, nullable: if self.chance(5) { Some(NONE) } else { None }, span: NONE }
    }

    fn field_type(&mut self) -> TypeExpr {
        loop {
            let ty = self.ty(2);
            if !matches!(&*ty.path[0].text, "optional" | "as" | "at") {
                return ty;
            }
        }
    }

    fn wire_name(&mut self) -> WireName {
        WireName { docs: self.docs(), value: self.string(), span: NONE }
    }

    fn field(&mut self) -> Field {
        let modifiers = self.some(2, |dice| {
            let kind = match dice.roll(3) {
                0 => ModifierKind::Optional,
                1 => ModifierKind::As(dice.string()),
                _ => ModifierKind::At(dice.string()),
            };
            Modifier { kind, span: NONE }
        });
        Field {
            docs: self.docs(),
            name: self.name(),
            ty: Some(self.field_type()),
            constraints: if self.chance(4) { Some(self.block(1)) } else { None },
            modifiers,
            span: NONE,
        }
    }

    fn variant(&mut self) -> Variant {
        let wire = self.maybe(|dice| match dice.roll(3) {
            0 => VariantWire::Text(dice.string()),
            1 => VariantWire::Number(dice.number()),
            _ => VariantWire::Other(NONE),
        });
        Variant { docs: self.docs(), name: self.name(), wire, span: NONE }
    }

    fn block(&mut self, depth: usize) -> Block {
        let entries = self.some(4, |dice| Entry {
            docs: dice.docs(),
            key: dice.key(),
            value: if dice.chance(10) { None } else { Some(dice.value(depth.saturating_sub(1))) },
            span: NONE,
        });
        Block { entries, span: NONE }
    }

    fn key(&mut self) -> Key {
        if self.chance(4) {
            return Key { text: self.string().value, quoted: true, span: NONE };
        }
        Key { text: self.name().text, quoted: false, span: NONE }
    }

    fn value(&mut self, depth: usize) -> Value {
        let kind = match self.roll(if depth > 0 { 6 } else { 3 }) {
            0 => ValueKind::String(self.string()),
            1 => ValueKind::Number(self.number()),
            2 => ValueKind::Type(self.ty(depth), None),
            3 => ValueKind::Type(self.ty(depth), Some(self.block(depth - 1))),
            4 => {
                let values = self.some(3, |dice| dice.value(depth - 1));
                if self.chance(2) { ValueKind::Call(self.name(), values) } else { ValueKind::List(values) }
            }
            _ => ValueKind::Block(self.block(depth - 1)),
        };
        Value { kind, span: NONE }
    }
}
