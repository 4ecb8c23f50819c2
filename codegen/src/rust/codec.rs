//! How values of generated types are read and written: a line for each type, which the runtime's codec makes code of. The
//! bytes are the same as the plan's shapes give.

use jadpo_analysis::model::{BytesWire, Field, InstantWire, ItemsRule, RangeRule, TextRule, Type};
use jadpo_runtime::codec::AT_ONCE;
use proc_macro2::Ident;

use super::print;
use super::usage::field_name;

/// The most columns of a codec on one line.
const WIDTH: usize = 100;

/// The codec of an object; its fields are in the byte order of their declared names.
pub fn object(name: &Ident, fields: &[Field]) -> String {
    let mut sorted: Vec<_> = fields.iter().collect();
    sorted.sort_by(|a, b| a.name.cmp(&b.name));
    let numbered = sorted.len() > AT_ONCE;
    let described = sorted.iter().enumerate().map(|(index, field)| {
        let described = described(field);
        if numbered { format!("{index} {described}") } else { described }
    });
    let described: Vec<_> = described.collect();
    let line = described.join(", ");
    if line.is_empty() {
        format!("generated::object! {{ super::{name} {{}} }}\n")
    } else if line.len() <= WIDTH && !line.contains(" as ") {
        format!("generated::object! {{ super::{name} {{ {line} }} }}\n")
    } else {
        format!("generated::object! {{ super::{name} {{\n    {},\n}} }}\n", described.join(",\n    "))
    }
}

/// A field as the runtime's `object!` takes it.
fn described(field: &Field) -> String {
    let name = field_name(&field.name).to_string();
    let is_renamed = name.strip_prefix("r#").unwrap_or(&name) != field.name;
    let declared = is_renamed.then(|| format!("({:?})", field.name));
    let wire = (field.wire != field.name).then(|| format!(" = {:?}", field.wire));
    let at = field.at.as_ref().map(|at| format!(" at {at:?}"));
    let optional = field.optional.then(|| ": optional".to_owned());
    let read = by(&field.ty).map(|by| format!(" as {by}"));
    [Some(name), declared, wire, at, optional, read].into_iter().flatten().collect()
}

/// The codec of an enum by the method that gives what is sent for it.
pub fn variants(name: &Ident, method: &str, known: &[Ident], other: &[Ident]) -> String {
    let known: Vec<_> = known.iter().map(Ident::to_string).collect();
    let other = other.first().map(|other| format!("; {other}")).unwrap_or_default();
    format!("generated::variants! {{ super::{name} {{ {method}: {}{other} }} }}\n", known.join(", "))
}

/// The codec of a struct around a value of this type, as Rust and as declared, and what else it can do.
pub fn newtype(name: &Ident, inner: &str, ty: &Type, can: &[&str]) -> String {
    let by = by(ty);
    let (by, can) = (by.as_deref().unwrap_or(PLAIN), can.join(" "));
    format!("generated::newtype! {{ super::{name} {{ {inner} as {by}; {can} }} }}\n")
}

/// The module of a module's codecs. The names that it imports are its own: no type of the manifest is in its scope, so
/// here the runtime's names are short. Macros have a path, since one of the app's own with the same bare name would win
/// over an import.
pub fn module(codecs: &str) -> String {
    if codecs.is_empty() {
        return String::new();
    }
    let items = format!("use ::jadpo_runtime::codec::generated::{{self, *}};\n\n{codecs}");
    print::module("/// How the values of these types are read and written.\n", "mod codec", &items)
}

/// As a value's type says.
const PLAIN: &str = "Plain";

/// How a value is read and written, as an expression; `None` where its type says it all. What a list or a map holds has no
/// block of its own, and so nothing to say.
fn by(ty: &Type) -> Option<String> {
    match ty {
        Type::Instant(wire) if *wire != InstantWire::default() => Some(instant_wire(*wire).to_owned()),
        Type::Bytes(wire) if *wire != BytesWire::default() => Some(bytes_wire(*wire).to_owned()),
        Type::Nullable(inner) => by(inner).map(|inner| format!("OrNull({inner})")),
        _ => check(ty).map(|check| format!("Checked({PLAIN}, {check})")),
    }
}

/// Whether values of a type keep constraints that its Rust type doesn't know.
pub fn is_constrained(ty: &Type) -> bool {
    match ty {
        Type::Nullable(inner) => is_constrained(inner),
        _ => check(ty).is_some(),
    }
}

/// The constraints of a type, as an expression.
fn check(ty: &Type) -> Option<String> {
    match ty {
        Type::Text(rule) => text_check(rule),
        Type::Int(rule) => int_check(rule),
        Type::Decimal(rule) => decimal_check(rule),
        Type::List(_, rule) => items_check(rule),
        _ => None,
    }
}

fn text_check(rule: &TextRule) -> Option<String> {
    let (min, max) = (option(rule.min_length.as_ref()), option(rule.max_length.as_ref()));
    let pattern = option(rule.pattern.as_ref());
    (*rule != TextRule::default()).then(|| format!("generated::text!({min}, {max}, {pattern})"))
}

fn int_check(rule: &RangeRule) -> Option<String> {
    let bound =
        |text: &Option<String>| option(text.as_deref().and_then(|text| text.parse::<i64>().ok()).as_ref());
    let (min, max) = (bound(&rule.min), bound(&rule.max));
    (*rule != RangeRule::default()).then(|| format!("IntCheck::new({min}, {max})"))
}

fn decimal_check(rule: &RangeRule) -> Option<String> {
    let (min, max) = (option(rule.min.as_ref()), option(rule.max.as_ref()));
    (*rule != RangeRule::default()).then(|| format!("DecimalCheck::new({min}, {max})"))
}

fn items_check(rule: &ItemsRule) -> Option<String> {
    let (min, max) = (option(rule.min_items.as_ref()), option(rule.max_items.as_ref()));
    (*rule != ItemsRule::default()).then(|| format!("ItemsCheck::new({min}, {max})"))
}

/// An `Option` of a number or a text.
fn option<T: std::fmt::Debug>(value: Option<&T>) -> String {
    value.map_or_else(|| "None".to_owned(), |value| format!("Some({value:?})"))
}

fn instant_wire(wire: InstantWire) -> &'static str {
    match wire {
        InstantWire::Rfc3339 => "InstantWire::Rfc3339",
        InstantWire::UnixS => "InstantWire::UnixS",
        InstantWire::UnixMs => "InstantWire::UnixMs",
        InstantWire::Rfc2822 => "InstantWire::Rfc2822",
    }
}

fn bytes_wire(wire: BytesWire) -> &'static str {
    match wire {
        BytesWire::Base64 => "BytesWire::Base64",
        BytesWire::Base64Url => "BytesWire::Base64url",
        BytesWire::Hex => "BytesWire::Hex",
    }
}
