//! The codec driven by a plan's types: the same readings, writings and problems as generated code, for any type.

mod read;
mod value;
mod write;

use std::collections::BTreeMap;

pub use value::Value;

use super::Form;
use super::error::{DecodeError, Problem};
use super::field::Described;
use super::reader::Reader;
use super::writer::Writer;
use crate::plan::{Field, Shape, TypeDef};

/// A plan's declared types.
pub type Types = BTreeMap<String, TypeDef>;

/// Reads the value of a type that stands at a JSON Pointer in JSON text, all of which is checked.
pub fn read(
    types: &Types,
    shape: &Shape,
    text: &str,
    pointer: &str,
    form: Form,
) -> Result<Value, DecodeError> {
    let mut reader = Reader::new(text, form);
    let mut interpreter = read::Interpreter::new(types);
    let value = reader.at(pointer, |reader| interpreter.value(reader, shape));
    reader.finish(value)
}

/// What a value of this shape is, as a report says it of one that is not there.
pub fn wanted(types: &Types, shape: &Shape) -> String {
    let mut reader = Reader::new("", Form::Wire);
    let mut interpreter = read::Interpreter::new(types);
    let missing =
        reader.report_missing(String::new(), &mut |reader| interpreter.value(reader, shape).map(drop));
    let problems = reader.finish::<()>(Err(missing)).err().map(|error| error.problems);
    problems.unwrap_or_default().into_iter().map(|problem| problem.wanted).collect()
}

/// What of an object's fields stood in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// By declared name, each that was there; `None` where its value did not fit.
    pub fields: BTreeMap<String, Option<Value>>,
    /// What did not fit.
    pub problems: Vec<Problem>,
    /// Whether the text is an object at all, so that a field which is not among `fields` was not given.
    pub is_object: bool,
}

/// Reads those fields of an object that JSON text gives; none needs to be there.
pub fn read_fields(types: &Types, fields: &[Field], text: &str, form: Form) -> Found {
    let mut reader = Reader::new(text, form);
    let mut found = BTreeMap::new();
    let read = read::Interpreter::new(types).fields(&mut reader, fields, &mut found);
    let is_object = reader.raw().starts_with('{') && !reader.is_broken();
    match reader.finish(read) {
        Ok(()) => Found { fields: found, problems: Vec::new(), is_object: true },
        Err(error) => Found { fields: found, problems: error.problems, is_object },
    }
}

/// Reads a scalar from text as a person writes it in an environment variable: no quotes, `null` and JSON apart.
pub fn read_plain(types: &Types, shape: &Shape, text: &str) -> Result<Value, DecodeError> {
    let bare = match read::resolve(types, shape) {
        Some(Shape::Bool) => matches!(text, "true" | "false"),
        Some(Shape::Json) => true,
        _ => false,
    };
    if bare {
        return read(types, shape, text, "", Form::Canonical);
    }
    let mut quoted = Writer::new(Form::Canonical);
    quoted.text(text);
    read(types, shape, &quoted.finish(), "", Form::Canonical)
}

/// Writes a value of a type as JSON text.
pub fn write(types: &Types, shape: &Shape, value: &Value, form: Form) -> String {
    let mut writer = Writer::new(form);
    write::value(types, shape, value, &mut writer);
    writer.finish()
}

/// Writes an object as JSON text, of the values that stand beside its fields; an absent one is not written.
pub fn write_fields(types: &Types, fields: &[Field], values: &[Option<Value>], form: Form) -> String {
    let mut writer = Writer::new(form);
    write::fields(types, fields, values.iter().map(Option::as_ref), &mut writer);
    writer.finish()
}

/// A field that may be missing, whatever it declares.
struct NotRequired<'f>(&'f Field);

impl Described for NotRequired<'_> {
    fn name(&self) -> &str {
        &self.0.name
    }

    fn wire(&self) -> &str {
        &self.0.wire
    }

    fn at(&self) -> Option<&str> {
        self.0.at.as_deref()
    }

    fn required(&self) -> bool {
        false
    }
}

impl Described for Field {
    fn name(&self) -> &str {
        &self.name
    }

    fn wire(&self) -> &str {
        &self.wire
    }

    fn at(&self) -> Option<&str> {
        self.at.as_deref()
    }

    fn required(&self) -> bool {
        !self.optional
    }
}
