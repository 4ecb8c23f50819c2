//! What is known of an object's fields before one is read or written.

use super::Form;

/// A field as generated code declares it, in a constant table in the byte order of `name`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its declared name, which the canonical form uses.
    pub name: &'static str,
    /// Its name on the wire.
    pub wire: &'static str,
    /// The JSON Pointer, inside its own object, where the wire form has it instead.
    pub at: Option<&'static str>,
    /// Whether it is always there.
    pub required: bool,
    /// Whether each name stands in JSON as it is, without an escape.
    plain: bool,
}

impl Field {
    /// A required field with one name. A raw identifier is a name without its `r#`.
    pub const fn new(name: &'static str) -> Self {
        let name = match name.as_bytes() {
            [b'r', b'#', ..] => name.split_at(2).1,
            _ => name,
        };
        Self { name, wire: name, at: None, required: true, plain: stands_as_it_is(name) }
    }

    /// The same, declared by another name.
    #[must_use]
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, wire: name, plain: stands_as_it_is(name), ..self }
    }

    /// The same with this name on the wire.
    #[must_use]
    pub const fn wire(self, wire: &'static str) -> Self {
        Self { wire, plain: self.plain && stands_as_it_is(wire), ..self }
    }

    /// The same at this place of the wire form.
    #[must_use]
    pub const fn at(self, at: &'static str) -> Self {
        Self { at: Some(at), ..self }
    }

    /// The same where it may be missing.
    #[must_use]
    pub const fn optional(self) -> Self {
        Self { required: false, ..self }
    }
}

/// What objects are read and written by: a generated table or a plan's.
pub(super) trait Described {
    fn name(&self) -> &str;
    fn wire(&self) -> &str;
    fn at(&self) -> Option<&str>;
    fn required(&self) -> bool;

    /// The key in this form.
    #[inline]
    fn key(&self, form: Form) -> &str {
        match form {
            Form::Wire => self.wire(),
            Form::Canonical => self.name(),
        }
    }

    /// The key in this form, where an object may have it and it stands in the text without an escape.
    #[inline]
    fn plain_key(&self, _: Form) -> Option<&str> {
        None
    }

    /// The place that replaces the key in this form.
    #[inline]
    fn place(&self, form: Form) -> Option<&str> {
        if form == Form::Wire { self.at() } else { None }
    }
}

impl Described for Field {
    #[inline]
    fn name(&self) -> &str {
        self.name
    }

    #[inline]
    fn wire(&self) -> &str {
        self.wire
    }

    #[inline]
    fn at(&self) -> Option<&str> {
        self.at
    }

    #[inline]
    fn required(&self) -> bool {
        self.required
    }

    #[inline]
    fn plain_key(&self, form: Form) -> Option<&str> {
        if self.plain && self.place(form).is_none() { Some(self.key(form)) } else { None }
    }
}

/// Whether JSON writes this text without an escape.
const fn stands_as_it_is(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if matches!(bytes[at], b'"' | b'\\' | 0..0x20) {
            return false;
        }
        at += 1;
    }
    true
}
