//! One setting: found in the connection, the environment or its default, and read by its type.

use std::collections::BTreeMap;

use crate::plan::{Setting, SettingSource, Shape, TypeDef};
use crate::secret::Secret;

use super::Given;

/// The setting's value; `None` where it is none, which only a type with `?` may be.
pub(super) fn read(
    types: &BTreeMap<String, TypeDef>,
    setting: &Setting,
    given: Option<&SettingSource>,
    environment: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<Given>, String> {
    match given {
        Some(SettingSource::Literal(json)) => read_json(types, &setting.shape, json),
        Some(SettingSource::Env(variable)) => match environment(variable) {
            Some(text) => {
                read_text(types, &setting.shape, &text).map_err(|what| format!("{variable}: {what}"))
            }
            None => without(types, setting, || format!("the environment variable {variable} is not set")),
        },
        None => without(types, setting, || "it is not given and has no default".to_owned()),
    }
}

/// The default, or none where the type has it; else what is missing is said by `missing`.
fn without(
    types: &BTreeMap<String, TypeDef>,
    setting: &Setting,
    missing: impl Fn() -> String,
) -> Result<Option<Given>, String> {
    match &setting.default_json {
        Some(json) => read_json(types, &setting.shape, json),
        None if matches!(resolved(types, &setting.shape), Shape::Nullable(_)) => Ok(None),
        None => Err(missing()),
    }
}

/// Reads a text from the environment as the type writes it in JSON, without the quotes.
fn read_text(types: &BTreeMap<String, TypeDef>, shape: &Shape, text: &str) -> Result<Option<Given>, String> {
    let shape = not_nullable(types, shape);
    let bare = match shape {
        Shape::Secret => return read_secret(text),
        // What is no bare word goes in quotes, so that it is refused as a whole and not by its JSON syntax.
        Shape::Int(_) | Shape::Bool => is_word(text),
        Shape::Named(name) => matches!(types.get(name), Some(TypeDef::IntEnum { .. })) && is_word(text),
        _ => false,
    };
    let json = if bare { text.to_owned() } else { serde_json::Value::from(text).to_string() };
    read_json(types, shape, &json)
}

fn read_secret(text: &str) -> Result<Option<Given>, String> {
    if text.is_empty() {
        return Err("the secret is empty".to_owned());
    }
    if text.chars().any(char::is_control) {
        // Most often a newline at the end of the file that it came from.
        return Err("the secret holds a control character, such as a newline at its end".to_owned());
    }
    Ok(Some(Given::Secret(Secret::new(text))))
}

fn read_json(types: &BTreeMap<String, TypeDef>, shape: &Shape, json: &str) -> Result<Option<Given>, String> {
    let _ = (types, shape);
    let value: serde_json::Value = serde_json::from_str(json).map_err(|why| why.to_string())?;
    Ok(match value {
        serde_json::Value::Null => None,
        serde_json::Value::String(text) => Some(Given::Plain(text)),
        other => Some(Given::Plain(other.to_string())),
    })
}

/// The shape behind names of other types and behind `?`; a newtype's constraints stand in the shape itself.
fn not_nullable<'a>(types: &'a BTreeMap<String, TypeDef>, shape: &'a Shape) -> &'a Shape {
    match resolved(types, shape) {
        Shape::Nullable(inner) => not_nullable(types, inner),
        shape => shape,
    }
}

fn resolved<'a>(types: &'a BTreeMap<String, TypeDef>, mut shape: &'a Shape) -> &'a Shape {
    // An alias of itself is refused by the compiler; the bound keeps a damaged plan from hanging the start.
    for _ in 0..types.len() {
        match shape {
            Shape::Named(name) => match types.get(name) {
                Some(TypeDef::Alias(inner)) => shape = inner,
                _ => break,
            },
            _ => break,
        }
    }
    shape
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}
