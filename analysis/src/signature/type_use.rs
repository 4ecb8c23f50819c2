//! A type where it is used, read from the tree and written back as one would write it.

use jadpo_syntax::tree::{Block, Number, TypeExpr, Value, ValueKind};

use crate::decimal::Decimal;
use crate::keys::{EMPTY_BLOCK, Fields, constraints};
use crate::model::{BytesWire, InstantWire, ItemsRule, RangeRule, TextRule, Type, TypeRef};
use crate::names::BUILTIN_TYPES;

/// What a written type means; `None` where it means nothing, which its rule reports. A declared type is taken as it is
/// written: whether it exists is another question.
pub fn read(expr: &TypeExpr, block: Option<&Block>) -> Option<Type> {
    let bare = bare(expr, block.unwrap_or(&EMPTY_BLOCK))?;
    Some(if expr.nullable.is_some() { Type::Nullable(Box::new(bare)) } else { bare })
}

fn bare(expr: &TypeExpr, block: &Block) -> Option<Type> {
    let path: Vec<&str> = expr.path.iter().map(|name| &*name.text).collect();
    let (package, name) = match path[..] {
        [name] => (None, name),
        [package, name] => (Some(package.to_owned()), name),
        _ => return None,
    };
    if package.is_none() && BUILTIN_TYPES.contains(&name) {
        return builtin(name, &expr.args, block);
    }
    expr.args.is_empty().then(|| Type::Named(TypeRef { package, name: name.to_owned() }))
}

/// The built-in type of this name; `None` for one that is used wrongly.
fn builtin(name: &str, args: &[TypeExpr], block: &Block) -> Option<Type> {
    let fields = Fields::new(block, constraints(name, false));
    let count = |key| fields.whole(key).and_then(|whole| u64::try_from(whole).ok());
    let scalar = match name {
        "List" => {
            let rule = ItemsRule { min_items: count("min_items"), max_items: count("max_items") };
            let [item] = args else { return None };
            return Some(Type::List(Box::new(read(item, None)?), rule));
        }
        "Map" => {
            let [key, value] = args else { return None };
            return Some(Type::Map(Box::new(read(key, None)?), Box::new(read(value, None)?)));
        }
        "Text" => Type::Text(TextRule {
            min_length: count("min_length"),
            max_length: count("max_length"),
            pattern: fields.text("pattern").map(|text| text.value.to_string()),
        }),
        "Int" => Type::Int(range(fields)),
        "Decimal" => Type::Decimal(range(fields)),
        "Bool" => Type::Bool,
        "Instant" => Type::Instant(instant_wire(fields)),
        "DateTime" => Type::DateTime,
        "Date" => Type::Date,
        "Duration" => Type::Duration,
        "Uuid" => Type::Uuid,
        "Url" => Type::Url,
        "Email" => Type::Email,
        "Bytes" => Type::Bytes(bytes_wire(fields)),
        "Json" => Type::Json,
        "Secret" => Type::Secret,
        _ => return None,
    };
    args.is_empty().then_some(scalar)
}

fn range(fields: Fields<'_>) -> RangeRule {
    let bound = |key| Some(bounded(fields.value(key)?)?.to_string());
    RangeRule { min: bound("min"), max: bound("max") }
}

/// A written number as a decimal.
pub fn bounded(value: &Value) -> Option<Decimal> {
    let ValueKind::Number(number) = &value.kind else { return None };
    match &number.number {
        Number::Int(int) => Decimal::parse(&int.to_string()),
        Number::Decimal(text) => Decimal::parse(text),
        _ => None,
    }
}

fn instant_wire(fields: Fields<'_>) -> InstantWire {
    match fields.word("wire") {
        Some("unix_s") => InstantWire::UnixS,
        Some("unix_ms") => InstantWire::UnixMs,
        Some("rfc2822") => InstantWire::Rfc2822,
        _ => InstantWire::Rfc3339,
    }
}

fn bytes_wire(fields: Fields<'_>) -> BytesWire {
    match fields.word("wire") {
        Some("base64url") => BytesWire::Base64Url,
        Some("hex") => BytesWire::Hex,
        _ => BytesWire::Base64,
    }
}

/// A type as one would write it.
pub fn text(ty: &Type) -> String {
    match ty {
        Type::Nullable(inner) => {
            let inner = text(inner);
            match inner.split_once(" {") {
                Some((name, rule)) => format!("{name}? {{{rule}"),
                None => format!("{inner}?"),
            }
        }
        Type::List(item, rule) => constrained(
            &format!("List<{}>", text(item)),
            [("min_items", number(rule.min_items)), ("max_items", number(rule.max_items))],
        ),
        Type::Map(key, value) => format!("Map<{}, {}>", text(key), text(value)),
        Type::Named(TypeRef { package: Some(package), name }) => format!("{package}.{name}"),
        Type::Named(TypeRef { package: None, name }) => name.clone(),
        Type::Text(rule) => constrained(
            "Text",
            [
                ("min_length", number(rule.min_length)),
                ("max_length", number(rule.max_length)),
                ("pattern", rule.pattern.as_ref().map(|pattern| quoted(pattern))),
            ],
        ),
        Type::Int(rule) => ranged("Int", rule),
        Type::Decimal(rule) => ranged("Decimal", rule),
        Type::Instant(wire) => {
            let wire = match wire {
                InstantWire::Rfc3339 => None,
                InstantWire::UnixS => Some("unix_s"),
                InstantWire::UnixMs => Some("unix_ms"),
                InstantWire::Rfc2822 => Some("rfc2822"),
            };
            constrained("Instant", [("wire", wire.map(str::to_owned))])
        }
        Type::Bytes(wire) => {
            let wire = match wire {
                BytesWire::Base64 => None,
                BytesWire::Base64Url => Some("base64url"),
                BytesWire::Hex => Some("hex"),
            };
            constrained("Bytes", [("wire", wire.map(str::to_owned))])
        }
        Type::Bool => "Bool".to_owned(),
        Type::DateTime => "DateTime".to_owned(),
        Type::Date => "Date".to_owned(),
        Type::Duration => "Duration".to_owned(),
        Type::Uuid => "Uuid".to_owned(),
        Type::Url => "Url".to_owned(),
        Type::Email => "Email".to_owned(),
        Type::Json => "Json".to_owned(),
        Type::Secret => "Secret".to_owned(),
    }
}

fn ranged(name: &str, rule: &RangeRule) -> String {
    constrained(name, [("min", rule.min.clone()), ("max", rule.max.clone())])
}

fn number(number: Option<u64>) -> Option<String> {
    number.map(|number| number.to_string())
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn constrained<const N: usize>(name: &str, keys: [(&str, Option<String>); N]) -> String {
    let given = keys.into_iter().filter_map(|(key, value)| Some(format!("{key}: {}", value?)));
    let given: Vec<_> = given.collect();
    if given.is_empty() { name.to_owned() } else { format!("{name} {{ {} }}", given.join("  ")) }
}
