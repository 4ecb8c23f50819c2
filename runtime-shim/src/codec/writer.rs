//! JSON text written without white space.

use std::fmt::Write as _;

use super::Form;
use super::by::By;
use super::field::{Described, Field};

/// Writes one JSON value.
pub struct Writer {
    text: String,
    form: Form,
}

/// Writes an object's fields, in the table's order.
pub struct ObjectWriter<'w, F: 'static = Field> {
    writer: &'w mut Writer,
    fields: &'w [F],
    first: bool,
}

impl Writer {
    /// A writer of this form.
    pub fn new(form: Form) -> Self {
        Self { text: String::new(), form }
    }

    /// The form that is written.
    pub fn form(&self) -> Form {
        self.form
    }

    /// What was written.
    pub fn finish(self) -> String {
        self.text
    }

    /// Writes `null`.
    pub fn null(&mut self) {
        self.raw("null");
    }

    /// Writes `true` or `false`.
    pub fn bool(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    /// Writes an integer.
    pub fn int(&mut self, value: i64) {
        self.display(value);
    }

    /// Writes a string.
    pub fn text(&mut self, text: &str) {
        self.text.push('"');
        let mut rest = text;
        while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | 0..0x20)) {
            self.text.push_str(&rest[..at]);
            match rest.as_bytes()[at] {
                b'"' => self.text.push_str("\\\""),
                b'\\' => self.text.push_str("\\\\"),
                b'\n' => self.text.push_str("\\n"),
                b'\r' => self.text.push_str("\\r"),
                b'\t' => self.text.push_str("\\t"),
                8 => self.text.push_str("\\b"),
                12 => self.text.push_str("\\f"),
                control => self.display(format_args!("\\u{control:04x}")),
            }
            rest = &rest[at + 1..];
        }
        self.text.push_str(rest);
        self.text.push('"');
    }

    /// Writes JSON text as it stands.
    pub fn raw(&mut self, json: &str) {
        self.text.push_str(json);
    }

    /// Writes what shows as JSON.
    pub(super) fn display(&mut self, json: impl std::fmt::Display) {
        // Writing to a `String` never fails.
        let _ = write!(self.text, "{json}");
    }

    /// Writes a list; `each` writes an item.
    pub fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        self.text.push('[');
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            each(self, item);
        }
        self.text.push(']');
    }

    /// Writes an object of these entries, whose keys are already in order; `each` writes a value.
    pub(crate) fn entries<T>(
        &mut self,
        entries: impl IntoIterator<Item = (impl AsRef<str>, T)>,
        mut each: impl FnMut(&mut Self, T),
    ) {
        self.text.push('{');
        for (index, (key, value)) in entries.into_iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.text(key.as_ref());
            self.text.push(':');
            each(self, value);
        }
        self.text.push('}');
    }

    /// Begins an object of these fields.
    pub fn object<'w>(&'w mut self, fields: &'w [Field]) -> ObjectWriter<'w> {
        self.object_of(fields)
    }

    pub(super) fn object_of<'w, F: Described>(&'w mut self, fields: &'w [F]) -> ObjectWriter<'w, F> {
        self.text.push('{');
        ObjectWriter { writer: self, fields, first: true }
    }
}

#[expect(private_bounds, reason = "generated code uses the default only")]
impl<F: Described> ObjectWriter<'_, F> {
    /// Writes the field of this index, where it is there.
    pub fn field_by<T>(&mut self, index: usize, by: &impl By<T>, value: &T) {
        if by.is_given(value) {
            self.field_with(index, |writer| by.write(value, writer));
        }
    }

    /// Writes the field of this index through `write`.
    pub fn field_with(&mut self, index: usize, write: impl FnOnce(&mut Writer)) {
        if !self.first {
            self.writer.text.push(',');
        }
        self.first = false;
        let form = self.writer.form;
        self.writer.text(self.fields[index].key(form));
        self.writer.text.push(':');
        write(self.writer);
    }

    /// Ends the object.
    pub fn end(self) {
        self.writer.text.push('}');
    }
}
