//! Puts an action's input together from the path, the query and the body of a request.

use crate::codec::interpret::{self, Types, Value};
use crate::codec::{DecodeError, Form, Problem};
use crate::plan::{Field, Shape, TypeDef};

/// An input on the way.
pub(super) struct Assembly<'p> {
    types: &'p Types,
    fields: &'p [Field],
    /// Beside the fields, each that was given, with where; `None` in it where it did not fit.
    given: Vec<Option<(Source, Option<Value>)>>,
    problems: Vec<Problem>,
}

/// Where a field was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Path,
    Query,
    Body,
}

impl<'p> Assembly<'p> {
    pub(super) fn new(types: &'p Types, fields: &'p [Field]) -> Assembly<'p> {
        Assembly { types, fields, given: vec![None; fields.len()], problems: Vec::new() }
    }

    /// Takes a segment of the path, for the field of this declared name.
    pub(super) fn path(&mut self, name: &str, text: &str) {
        let Some(at) = self.fields.iter().position(|field| field.name == name) else { return };
        let value = read_text(self.types, &self.fields[at].shape, &[text]);
        self.put(at, Source::Path, value);
    }

    /// Takes the pairs of a query; a key that is no field's is passed over, as in a body.
    pub(super) fn query(&mut self, pairs: &[(String, String)]) {
        if pairs.is_empty() {
            return;
        }
        for (at, field) in self.fields.iter().enumerate() {
            let mut texts = pairs.iter().filter(|(key, _)| *key == field.wire).map(|(_, text)| text.as_str());
            let Some(first) = texts.next() else { continue };
            let texts: Vec<&str> = std::iter::once(first).chain(texts).collect();
            let value = read_text(self.types, &field.shape, &texts);
            self.put(at, Source::Query, value);
        }
    }

    /// Takes a body of JSON.
    pub(super) fn body(&mut self, text: &str) {
        let mut found = interpret::read_fields(self.types, self.fields, text, Form::Wire);
        let at_all = found.problems.iter_mut().filter(|problem| problem.place.is_empty());
        at_all.for_each(|problem| "body".clone_into(&mut problem.place));
        self.problems.append(&mut found.problems);
        for (at, field) in self.fields.iter().enumerate() {
            match found.fields.remove(&field.name) {
                Some(Some(value)) => self.put(at, Source::Body, Ok(value)),
                Some(None) => _ = self.given[at].get_or_insert((Source::Body, None)),
                // What a body that can't be read would have given is not known to be missing.
                None if !found.is_object => _ = self.given[at].get_or_insert((Source::Body, None)),
                None => {}
            }
        }
    }

    /// The whole input as canonical JSON; each place that does not fit otherwise.
    pub(super) fn finish(mut self) -> Result<String, Vec<Problem>> {
        let mut whole = Vec::with_capacity(self.fields.len());
        for (field, given) in self.fields.iter().zip(self.given) {
            let value = match given {
                Some((_, value)) => value,
                None if field.optional => None,
                None if is_nullable(self.types, &field.shape) => Some(Value::None),
                None => {
                    self.problems.push(Problem {
                        place: Source::Body.place(field),
                        wanted: interpret::wanted(self.types, &field.shape),
                        got: "nothing".to_owned(),
                    });
                    None
                }
            };
            whole.push(value);
        }
        if self.problems.is_empty() {
            Ok(interpret::write_fields(self.types, self.fields, &whole, Form::Canonical))
        } else {
            Err(self.problems)
        }
    }

    fn put(&mut self, at: usize, source: Source, value: Result<Value, DecodeError>) {
        let field = &self.fields[at];
        let value = value.map_err(|error| {
            self.problems.extend(
                error.problems.into_iter().map(|problem| Problem { place: source.place(field), ..problem }),
            );
        });
        if let Some((other, _)) = &self.given[at] {
            self.problems.push(Problem {
                place: source.place(field),
                wanted: "a value in one place".to_owned(),
                got: format!("one in the {} and one in the {}", other.name(), source.name()),
            });
        } else {
            self.given[at] = Some((source, value.ok()));
        }
    }
}

impl Source {
    fn name(self) -> &'static str {
        match self {
            Source::Path => "path",
            Source::Query => "query",
            Source::Body => "body",
        }
    }

    /// The place of a field, as callers are told it.
    fn place(self, field: &Field) -> String {
        match self {
            Source::Path => format!("path {}", field.name),
            Source::Query => format!("query {}", field.wire),
            Source::Body => match &field.at {
                Some(at) => at.clone(),
                None => format!("/{}", field.wire.replace('~', "~0").replace('/', "~1")),
            },
        }
    }
}

/// Reads the texts that were given for one field, each as a person writes it; several only where a list is wanted.
fn read_text(types: &Types, shape: &Shape, texts: &[&str]) -> Result<Value, DecodeError> {
    match (behind(types, shape), texts) {
        (Some(list @ Shape::List(item, _)), texts) => {
            if !is_scalar(types, item) {
                return Err(no_text());
            }
            let items = texts.iter().map(|text| interpret::read_plain(types, item, text));
            let items = Value::List(items.collect::<Result<_, _>>()?);
            // Only a list as a whole can have too many items.
            let text = interpret::write(types, list, &items, Form::Canonical);
            interpret::read(types, list, &text, "", Form::Canonical)
        }
        _ if !is_scalar(types, shape) => Err(no_text()),
        (_, [text]) => interpret::read_plain(types, shape, text),
        (_, texts) => Err(DecodeError::single("", "one value", format!("{} values", texts.len()))),
    }
}

fn no_text() -> DecodeError {
    DecodeError::single("", "a value in the body, since no text stands for one", "text")
}

/// Whether text can stand for a value: anything but a list, a map, an object, and what is not declared.
fn is_scalar(types: &Types, shape: &Shape) -> bool {
    match behind(types, shape) {
        Some(Shape::Named(name)) => {
            matches!(types.get(name), Some(TypeDef::TextEnum { .. } | TypeDef::IntEnum { .. }))
        }
        Some(Shape::List(..) | Shape::Map(..)) | None => false,
        Some(_) => true,
    }
}

fn is_nullable<'p>(types: &'p Types, mut shape: &'p Shape) -> bool {
    // An alias of itself is refused by the compiler; the bound keeps a damaged plan from hanging a request.
    for _ in 0..types.len() {
        match shape {
            Shape::Named(name) => match types.get(name) {
                Some(TypeDef::Alias(inner)) => shape = inner,
                _ => return false,
            },
            _ => break,
        }
    }
    matches!(shape, Shape::Nullable(_))
}

/// The shape behind aliases and `?`; none where they lead to themselves.
fn behind<'p>(types: &'p Types, mut shape: &'p Shape) -> Option<&'p Shape> {
    for _ in 0..2 * types.len() + 2 {
        shape = match shape {
            Shape::Nullable(inner) => inner,
            Shape::Named(name) => match types.get(name) {
                Some(TypeDef::Alias(inner)) => inner,
                _ => return Some(shape),
            },
            found => return Some(found),
        };
    }
    None
}
