//! Objects read by a table of fields.

use super::Form;
use super::by::By;
use super::error::Mismatch;
use super::pointer;
use super::reader::Reader;

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
}

impl Field {
    /// A required field with one name. A raw identifier is a name without its `r#`.
    pub const fn new(name: &'static str) -> Self {
        let name = match name.as_bytes() {
            [b'r', b'#', ..] => name.split_at(2).1,
            _ => name,
        };
        Self { name, wire: name, at: None, required: true }
    }

    /// The same, declared by another name.
    #[must_use]
    pub const fn named(self, name: &'static str) -> Self {
        Self { name, wire: name, ..self }
    }

    /// The same with this name on the wire.
    #[must_use]
    pub const fn wire(self, wire: &'static str) -> Self {
        Self { wire, ..self }
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
}

/// A field of an object that is being read, and how.
pub struct Got<A, T> {
    by: A,
    value: Option<T>,
}

impl<A: By<T>, T> Got<A, T> {
    /// Nothing yet.
    pub fn new(by: A) -> Self {
        Self { by, value: None }
    }

    /// Reads it.
    #[inline]
    pub fn read(&mut self, reader: &mut Reader<'_>) -> Result<(), Mismatch> {
        self.value = Some(self.by.read(reader)?);
        Ok(())
    }

    /// Its value, once [`Reader::object`] gave no error; asked for once.
    pub fn found(&mut self) -> T {
        self.by.found(self.value.take())
    }
}

/// The value of a required field, once [`Reader::object`] gave no error.
pub(super) fn present<T>(value: Option<T>) -> T {
    value.expect("the reader found every required field")
}

impl<'a> Reader<'a> {
    /// Reads an object: `each` gets the index of a field and reads its value.
    ///
    /// Keys that are no fields are passed over. A key given twice and a missing required field are reported; an error
    /// if anything was wrong.
    pub fn object(
        &mut self,
        fields: &[Field],
        each: impl FnMut(&mut Reader<'a>, usize) -> Result<(), Mismatch>,
    ) -> Result<(), Mismatch> {
        self.object_of(fields, each)
    }

    pub(super) fn object_of<F: Described>(
        &mut self,
        fields: &[F],
        mut each: impl FnMut(&mut Reader<'a>, usize) -> Result<(), Mismatch>,
    ) -> Result<(), Mismatch> {
        let form = self.form();
        let mut seen = Seen::new(fields.len());
        let mut next = 0;
        let read = self.members(|reader, key| {
            let Some(index) = find(fields, key, next, form) else {
                return reader.skip().map(|()| false);
            };
            next = index + 1;
            if seen.insert(index) {
                each(reader, index).map(|()| true)
            } else {
                let twice = reader.duplicate(key);
                let _ = reader.skip();
                Err(twice)
            }
        });
        if self.is_broken() || (read.is_err() && !self.was_object()) {
            return Err(Mismatch);
        }
        let placed = self.placed(fields, &mut seen, &mut each);
        if seen.all() || self.missing(fields, &seen, &mut each) { read.and(placed) } else { Err(Mismatch) }
    }

    /// Reads the fields that stand elsewhere inside this object.
    fn placed<F: Described>(
        &mut self,
        fields: &[F],
        seen: &mut Seen,
        each: &mut impl FnMut(&mut Reader<'a>, usize) -> Result<(), Mismatch>,
    ) -> Result<(), Mismatch> {
        let (start, end) = (self.start, self.position);
        let mut fits = Ok(());
        for (index, field) in fields.iter().enumerate() {
            let Some(place) = field.place(self.form()) else { continue };
            self.position = start;
            self.read_again(end - start)?;
            match self.read_at(&pointer::tokens(place), &mut |reader| each(reader, index)) {
                Ok(false) => {}
                Ok(true) => _ = seen.insert(index),
                Err(Mismatch) => {
                    seen.insert(index);
                    fits = Err(Mismatch);
                }
            }
            if self.is_broken() {
                return Err(Mismatch);
            }
        }
        (self.start, self.position) = (start, end);
        fits
    }

    /// Whether no required field is missing; reports those that are.
    #[cold]
    fn missing<F: Described>(
        &mut self,
        fields: &[F],
        seen: &Seen,
        each: &mut impl FnMut(&mut Reader<'a>, usize) -> Result<(), Mismatch>,
    ) -> bool {
        let mut none = true;
        for (index, field) in fields.iter().enumerate() {
            if seen.contains(index) || !field.required() {
                continue;
            }
            let mut place = self.place();
            match field.place(self.form()) {
                Some(at) => place.push_str(at),
                None => super::reader::push_token(&mut place, field.key(self.form())),
            }
            self.report_missing(place, &mut |reader| each(reader, index));
            none = false;
        }
        none
    }

    /// Whether the value read last is an object.
    fn was_object(&self) -> bool {
        self.raw().starts_with('{')
    }
}

/// The field of this key, looked for from `next` on since keys mostly come in one order.
#[inline]
fn find<F: Described>(fields: &[F], key: &str, next: usize, form: Form) -> Option<usize> {
    let fits = |field: &F| field.key(form) == key && field.place(form).is_none();
    let (before, after) = fields.split_at(next.min(fields.len()));
    after.iter().position(fits).map(|index| index + before.len()).or_else(|| before.iter().position(fits))
}

/// Which fields were found.
enum Seen {
    Few { bits: u64, count: usize },
    Many(Vec<bool>),
}

impl Seen {
    #[inline]
    fn new(count: usize) -> Self {
        if count <= 64 { Self::Few { bits: 0, count } } else { Self::Many(vec![false; count]) }
    }

    /// Whether it was not there.
    #[inline]
    fn insert(&mut self, index: usize) -> bool {
        match self {
            Self::Few { bits, .. } => {
                let new = *bits & (1 << index) == 0;
                *bits |= 1 << index;
                new
            }
            Self::Many(found) => !std::mem::replace(&mut found[index], true),
        }
    }

    fn contains(&self, index: usize) -> bool {
        match self {
            Self::Few { bits, .. } => bits & (1 << index) != 0,
            Self::Many(found) => found[index],
        }
    }

    #[inline]
    fn all(&self) -> bool {
        match self {
            Self::Few { bits, count } => bits.count_ones() as usize == *count,
            Self::Many(found) => found.iter().all(|found| *found),
        }
    }
}
