//! One setting: found in the connection, the environment or its default, and read by its type.

use crate::codec::interpret::{self, Types, Value};
use crate::codec::{DecodeError, Form};
use crate::plan::{Setting, SettingSource, Shape, TypeDef};
use crate::secret::Secret;

use super::Given;

/// The setting's value; `None` where it is none, which only a type with `?` may be.
pub(super) fn read(
    types: &Types,
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
fn without(types: &Types, setting: &Setting, missing: impl Fn() -> String) -> Result<Option<Given>, String> {
    match &setting.default_json {
        Some(json) => read_json(types, &setting.shape, json),
        None if matches!(resolved(types, &setting.shape), Shape::Nullable(_)) => Ok(None),
        None => Err(missing()),
    }
}

/// Reads a text from the environment, without the quotes of JSON.
fn read_text(types: &Types, shape: &Shape, text: &str) -> Result<Option<Given>, String> {
    let shape = not_nullable(types, shape);
    if *shape == Shape::Secret {
        return read_secret(text);
    }
    plain(interpret::read_plain(types, shape, text))
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

fn read_json(types: &Types, shape: &Shape, json: &str) -> Result<Option<Given>, String> {
    plain(interpret::read(types, shape, json, "", Form::Canonical))
}

fn plain(read: Result<Value, DecodeError>) -> Result<Option<Given>, String> {
    match read {
        Ok(value) => Ok(value.to_text().map(Given::Plain)),
        Err(error) => {
            // A setting is one scalar, so its place says nothing.
            let problems = error
                .problems
                .iter()
                .map(|problem| format!("wanted {}, got {}", problem.wanted, problem.got));
            Err(problems.collect::<Vec<_>>().join("; "))
        }
    }
}

/// The shape behind names of other types and behind `?`; a newtype's constraints stand in the shape itself.
fn not_nullable<'a>(types: &'a Types, shape: &'a Shape) -> &'a Shape {
    match resolved(types, shape) {
        Shape::Nullable(inner) => not_nullable(types, inner),
        shape => shape,
    }
}

fn resolved<'a>(types: &'a Types, mut shape: &'a Shape) -> &'a Shape {
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
