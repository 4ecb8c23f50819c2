//! A type in a surface: resolved as far as apps can't tell, and written as in a manifest.

use std::fmt;
use std::iter::Peekable;
use std::str::Chars;

use serde::{Deserialize, Serialize};

use crate::decimal::Decimal;
use crate::json;

/// A type where it is used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Shape {
    /// A built-in scalar with its constraints, or a public type without any.
    Name(String, Rules),
    /// `List<T>`
    List(Box<Shape>, Rules),
    /// `Map<K, V>`
    Map(Box<Shape>, Box<Shape>),
    /// `T?`
    Nullable(Box<Shape>),
}

/// Constraints, in the order of their keys. How a value is sent is none.
pub type Rules = Vec<Rule>;

/// A constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// Its key.
    pub key: Key,
    /// Canonical decimal text, or the pattern.
    pub value: String,
}

/// The key of a constraint, in the order in which constraints are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    MinLength,
    MaxLength,
    Pattern,
    Min,
    Max,
    MinItems,
    MaxItems,
}

impl Key {
    /// All of them, in order.
    pub const ALL: [Self; 7] = [
        Self::MinLength,
        Self::MaxLength,
        Self::Pattern,
        Self::Min,
        Self::Max,
        Self::MinItems,
        Self::MaxItems,
    ];

    /// As it is written.
    pub fn text(self) -> &'static str {
        match self {
            Self::MinLength => "min_length",
            Self::MaxLength => "max_length",
            Self::Pattern => "pattern",
            Self::Min => "min",
            Self::Max => "max",
            Self::MinItems => "min_items",
            Self::MaxItems => "max_items",
        }
    }
}

impl Shape {
    /// A type without constraints.
    pub fn name(name: impl Into<String>) -> Self {
        Self::Name(name.into(), Rules::new())
    }

    /// The type of this text.
    ///
    /// # Errors
    /// With what is wrong, for a text that no type has.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { chars: text.chars().peekable() };
        let read = reader.shape(0).filter(|_| reader.chars.peek().is_none());
        read.ok_or_else(|| format!("`{text}` is no type"))
    }

    /// It with another name in place of one.
    pub fn renamed(&self, from: &str, to: &str) -> Self {
        let inner = |shape: &Self| Box::new(shape.renamed(from, to));
        match self {
            Self::Name(name, rules) => {
                Self::Name(if name == from { to } else { name }.to_owned(), rules.clone())
            }
            Self::List(item, rules) => Self::List(inner(item), rules.clone()),
            Self::Map(key, value) => Self::Map(inner(key), inner(value)),
            Self::Nullable(of) => Self::Nullable(inner(of)),
        }
    }

    /// The public types that it names.
    pub fn names<'a>(&'a self, found: &mut Vec<&'a str>) {
        match self {
            Self::Name(name, _) => found.push(name),
            Self::List(inner, _) | Self::Nullable(inner) => inner.names(found),
            Self::Map(key, value) => {
                key.names(found);
                value.names(found);
            }
        }
    }
}

impl TryFrom<String> for Shape {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        Self::parse(&text)
    }
}

impl From<Shape> for String {
    fn from(shape: Shape) -> Self {
        shape.to_string()
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bare, mark) = match self {
            Self::Nullable(inner) => (&**inner, "?"),
            bare => (bare, ""),
        };
        let rules = match bare {
            Self::Name(name, rules) => {
                write!(f, "{name}{mark}")?;
                rules
            }
            Self::List(item, rules) => {
                write!(f, "List<{item}>{mark}")?;
                rules
            }
            Self::Map(key, value) => return write!(f, "Map<{key}, {value}>{mark}"),
            // No type is none in two ways; this is how one would be read again all the same.
            Self::Nullable(_) => return write!(f, "{bare}{mark}"),
        };
        if rules.is_empty() {
            return Ok(());
        }
        f.write_str(" {")?;
        for rule in rules {
            write!(f, " {rule}")?;
        }
        f.write_str(" }")
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.key {
            Key::Pattern => write!(f, "pattern: {}", json::text(&self.value)),
            key => write!(f, "{}: {}", key.text(), self.value),
        }
    }
}

/// Types nest no deeper in a manifest.
const DEPTH_MAX: usize = 128;

struct Reader<'a> {
    chars: Peekable<Chars<'a>>,
}

impl Reader<'_> {
    fn shape(&mut self, depth: usize) -> Option<Shape> {
        if depth > DEPTH_MAX {
            return None;
        }
        let name = self.word();
        let bare = match &*name {
            "" => return None,
            "List" => {
                self.one('<')?;
                let item = self.shape(depth + 1)?;
                self.one('>')?;
                Shape::List(Box::new(item), Rules::new())
            }
            "Map" => {
                self.one('<')?;
                let key = self.shape(depth + 1)?;
                self.one(',')?;
                self.spaces();
                let value = self.shape(depth + 1)?;
                self.one('>')?;
                Shape::Map(Box::new(key), Box::new(value))
            }
            _ => Shape::name(name),
        };
        let nullable = self.chars.next_if_eq(&'?').is_some();
        let mut ahead = self.chars.clone();
        let bare = if ahead.next() == Some(' ') && ahead.next() == Some('{') {
            let rules = self.rules()?;
            match bare {
                Shape::Name(name, _) => Shape::Name(name, rules),
                Shape::List(item, _) => Shape::List(item, rules),
                Shape::Map(..) | Shape::Nullable(_) => return None,
            }
        } else {
            bare
        };
        Some(if nullable { Shape::Nullable(Box::new(bare)) } else { bare })
    }

    fn rules(&mut self) -> Option<Rules> {
        self.spaces();
        self.one('{')?;
        let mut rules = Rules::new();
        loop {
            self.spaces();
            if self.chars.next_if_eq(&'}').is_some() {
                let ordered = rules.windows(2).all(|pair: &[Rule]| pair[0].key < pair[1].key);
                return (ordered && !rules.is_empty()).then_some(rules);
            }
            let word = self.word();
            let key = Key::ALL.into_iter().find(|key| key.text() == word)?;
            self.one(':')?;
            self.spaces();
            let value = if key == Key::Pattern { self.string()? } else { self.number()? };
            rules.push(Rule { key, value });
        }
    }

    fn word(&mut self) -> String {
        let mut word = String::new();
        while let Some(c) = self.chars.next_if(|c| c.is_ascii_alphanumeric() || *c == '_') {
            word.push(c);
        }
        word
    }

    fn number(&mut self) -> Option<String> {
        let mut text = String::new();
        while let Some(c) = self.chars.next_if(|c| c.is_ascii_digit() || matches!(c, '-' | '.')) {
            text.push(c);
        }
        Decimal::parse(&text).map(|_| text)
    }

    /// A string of JSON.
    fn string(&mut self) -> Option<String> {
        self.one('"')?;
        let mut text = String::from("\"");
        loop {
            let c = self.chars.next()?;
            text.push(c);
            match c {
                '"' => return serde_json::from_str(&text).ok(),
                '\\' => text.push(self.chars.next()?),
                _ => {}
            }
        }
    }

    fn one(&mut self, wanted: char) -> Option<()> {
        self.chars.next_if_eq(&wanted).map(|_| ())
    }

    fn spaces(&mut self) {
        while self.chars.next_if_eq(&' ').is_some() {}
    }
}

#[cfg(test)]
mod tests {
    use super::Shape;

    #[test]
    fn a_type_is_read_as_it_is_written() {
        for text in [
            "Text",
            "Prices?",
            "List<Text?>",
            "Map<Text, List<Prices?>>?",
            "Text? { min_length: 1 max_length: 12 pattern: \"[A-Z]\\n\\\"}+\" }",
            "Int { min: -5 max: 100000000 }",
            "Decimal { max: 0.25 }",
            "List<List<Int>> { min_items: 1 }",
        ] {
            assert_eq!(Shape::parse(text).map(|shape| shape.to_string()).as_deref(), Ok(text));
        }
    }

    #[test]
    fn what_is_no_type_is_refused() {
        let deep = format!("{}Int{}", "List<".repeat(500), ">".repeat(500));
        for text in [
            "",
            "?",
            "List",
            "List<>",
            "List<Int",
            "Map<Text>",
            "Text {}",
            "Text { }",
            "Text { max: }",
            "Int??",
            "Text { max_length: 1 min_length: 1 }",
            "Map<Text, Int> { min: 1 }",
            "Text { pattern: \"a }",
            " Text",
            "Text ",
            "Int { min: 1x }",
            &deep,
        ] {
            assert!(Shape::parse(text).is_err(), "{text}");
        }
    }
}
