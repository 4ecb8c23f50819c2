//! Reading values by their shapes.

use std::collections::BTreeMap;

use jiff::civil::Date;
use regex_lite::Regex;
use uuid::Uuid;

use super::{NotRequired, Types, Value};
use crate::codec::bytes::read_bytes;
use crate::codec::check::{
    check_decimal, check_int, check_items, check_length, check_pattern, whole_pattern,
};
use crate::codec::instant::read_instant;
use crate::codec::variant::{Picked, pick_int_key, pick_text};
use crate::codec::{ConstraintError, MapKey, Mismatch, Reader, Wire};
use crate::plan::{Field, Shape, TextRule, TypeDef};

/// Reads values of one plan's types; patterns are compiled once.
pub(super) struct Interpreter<'p> {
    types: &'p Types,
    patterns: BTreeMap<&'p str, Option<Regex>>,
}

/// The shape that stands behind names and `?`; none where that is an object, an enum, or not declared.
pub(super) fn resolve<'p>(types: &'p Types, shape: &'p Shape) -> Option<&'p Shape> {
    let mut shape = shape;
    // Names that lead to one another end after every type was passed once, each at most with its `?`.
    for _ in 0..2 * types.len() + 2 {
        shape = match shape {
            Shape::Nullable(inner) => inner,
            Shape::Named(name) => match types.get(name)? {
                TypeDef::Alias(inner) => inner,
                _ => return None,
            },
            found => return Some(found),
        };
    }
    None
}

impl<'p> Interpreter<'p> {
    pub(super) fn new(types: &'p Types) -> Self {
        Self { types, patterns: BTreeMap::new() }
    }

    /// Reads a value of this shape.
    pub(super) fn value(&mut self, reader: &mut Reader<'_>, shape: &'p Shape) -> Result<Value, Mismatch> {
        match shape {
            Shape::Text(rule) => {
                let text = String::read(reader)?;
                reader.checked(text, |text| self.text(rule, text)).map(Value::Text)
            }
            Shape::Int(rule) => {
                let value = i64::read(reader)?;
                let check = |value: &i64| check_int(rule.min.as_deref(), rule.max.as_deref(), *value);
                reader.checked(value, check).map(Value::Int)
            }
            Shape::Decimal(rule) => {
                let value = Wire::read(reader)?;
                let check = |value: &_| check_decimal(rule.min.as_deref(), rule.max.as_deref(), value);
                reader.checked(value, check).map(Value::Decimal)
            }
            Shape::Bool => Wire::read(reader).map(Value::Bool),
            Shape::Instant(wire) => read_instant(reader, *wire).map(Value::Instant),
            Shape::DateTime => Wire::read(reader).map(Value::DateTime),
            Shape::Date => Wire::read(reader).map(Value::Date),
            Shape::Duration => Wire::read(reader).map(Value::Duration),
            Shape::Uuid => Wire::read(reader).map(Value::Uuid),
            Shape::Url => Wire::read(reader).map(Value::Url),
            Shape::Email => Wire::read(reader).map(Value::Email),
            Shape::Bytes(wire) => read_bytes(reader, *wire).map(Value::Bytes),
            Shape::Json => Wire::read(reader).map(Value::Json),
            Shape::Secret => Err(reader.refuse("nothing, since a secret is never sent")),
            Shape::List(item, rule) => {
                let items = self.list(reader, item)?;
                let check = |items: &Vec<Value>| check_items(rule.min_items, rule.max_items, items.len());
                reader.checked(items, check).map(Value::List)
            }
            Shape::Map(key, value) => self.map(reader, key, value),
            Shape::Nullable(inner) if reader.null()? => {
                let _ = inner;
                Ok(Value::None)
            }
            Shape::Nullable(inner) => self.value(reader, inner),
            Shape::Named(name) => self.named(reader, name),
        }
    }

    fn named(&mut self, reader: &mut Reader<'_>, name: &'p str) -> Result<Value, Mismatch> {
        match self.types.get(name) {
            Some(TypeDef::Object(fields)) => self.object(reader, fields),
            Some(TypeDef::TextEnum { values, other }) => {
                let picked = reader.text_variant(values, String::as_str, *other)?;
                Ok(Value::Text(picked_value(picked, values)))
            }
            Some(TypeDef::IntEnum { values, other }) => {
                let picked = reader.int_variant(values, |value| *value, *other)?;
                Ok(Value::Int(picked_value(picked, values)))
            }
            Some(TypeDef::Alias(shape)) => match self.behind(shape) {
                Some(shape) => self.value(reader, shape),
                None => Err(reader.refuse(&undeclared(name))),
            },
            None => Err(reader.refuse(&undeclared(name))),
        }
    }

    /// The first shape behind aliases that is no alias; none where they lead to themselves.
    fn behind(&self, shape: &'p Shape) -> Option<&'p Shape> {
        let mut shape = shape;
        for _ in 0..=self.types.len() {
            match shape {
                Shape::Named(name) => match self.types.get(name) {
                    Some(TypeDef::Alias(inner)) => shape = inner,
                    _ => return Some(shape),
                },
                found => return Some(found),
            }
        }
        None
    }

    fn object(&mut self, reader: &mut Reader<'_>, fields: &'p [Field]) -> Result<Value, Mismatch> {
        let mut found = BTreeMap::new();
        reader.object_of(fields, |reader, index| {
            let field = &fields[index];
            let value = self.value(reader, &field.shape)?;
            found.insert(field.name.clone(), value);
            Ok(())
        })?;
        Ok(Value::Object(found))
    }

    /// Reads the fields that an object has, whichever they are.
    pub(super) fn fields(
        &mut self,
        reader: &mut Reader<'_>,
        fields: &'p [Field],
        found: &mut BTreeMap<String, Option<Value>>,
    ) -> Result<(), Mismatch> {
        let optional: Vec<NotRequired<'_>> = fields.iter().map(NotRequired).collect();
        reader.object_of(&optional, |reader, index| {
            let field = &fields[index];
            let value = self.value(reader, &field.shape);
            found.insert(field.name.clone(), value.as_ref().ok().cloned());
            value.map(|_| ())
        })
    }

    fn list(&mut self, reader: &mut Reader<'_>, item: &'p Shape) -> Result<Vec<Value>, Mismatch> {
        let mut items = Vec::new();
        reader.list(|reader| {
            items.push(self.value(reader, item)?);
            Ok(())
        })?;
        Ok(items)
    }

    fn map(&mut self, reader: &mut Reader<'_>, key: &'p Shape, value: &'p Shape) -> Result<Value, Mismatch> {
        let read_key = |this: &mut Self, text: &str| this.key(key, text);
        let read = |this: &mut Self, reader: &mut Reader<'_>| this.value(reader, value);
        reader.map_with(self, read_key, read).map(Value::Map)
    }

    /// The canonical text of a map's key, or what is wanted there.
    fn key(&mut self, shape: &'p Shape, text: &str) -> Result<String, String> {
        let written = match self.behind(shape) {
            Some(Shape::Text(rule)) => {
                self.text(rule, text).map_err(|error| error.wanted().to_owned())?;
                text.to_owned()
            }
            Some(Shape::Date) => Date::read_key(text)?.write_key().into_owned(),
            Some(Shape::Uuid) => Uuid::read_key(text)?.write_key().into_owned(),
            Some(Shape::Named(name)) => match self.types.get(name) {
                Some(TypeDef::TextEnum { values, other }) => {
                    pick_text(values, String::as_str, *other, text).map(|_| text.to_owned())?
                }
                Some(TypeDef::IntEnum { values, other }) => {
                    pick_int_key(values, |value| *value, *other, text).map(|_| text.to_owned())?
                }
                _ => return Err("of a type for keys".to_owned()),
            },
            _ => return Err("of a type for keys".to_owned()),
        };
        Ok(written)
    }

    fn text(&mut self, rule: &'p TextRule, text: &str) -> Result<(), ConstraintError> {
        check_length(rule.min_length, rule.max_length, text)?;
        let Some(pattern) = rule.pattern.as_deref() else { return Ok(()) };
        let compiled = self.patterns.entry(pattern).or_insert_with(|| whole_pattern(pattern));
        check_pattern(compiled.as_ref(), pattern, text)
    }
}

fn undeclared(name: &str) -> String {
    format!("a declared type, which {name} is not")
}

/// An enum's value: its wire value.
fn picked_value<T: Clone>(picked: Picked<T>, values: &[T]) -> T {
    match picked {
        Picked::Known(index) => values[index].clone(),
        Picked::Other(value) => value,
    }
}
