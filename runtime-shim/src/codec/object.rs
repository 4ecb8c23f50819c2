//! Objects read by a table of fields.

use std::cell::Cell;

use super::Form;
use super::by::By;
use super::error::Mismatch;
use super::field::{Described, Field};
use super::pointer;
use super::reader::Reader;
use super::skip::Member;

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
        let order = self.orders.of(fields);
        let after = Cell::new(0);
        let expected = |reader: &Self| fields.get(reader.orders.guess(order, after.get()))?.plain_key(form);
        let read = self.members_expecting(expected, |reader, key| {
            let guess = reader.orders.guess(order, after.get());
            let index = match key {
                Member::Expected => guess,
                Member::Key(key) => match find(fields, &key, guess, form) {
                    Some(index) => index,
                    None => return reader.skip().map(|()| false),
                },
            };
            if index != guess {
                reader.orders.learn(order, after.get(), index);
            }
            after.set(index + 1);
            if seen.insert(index) {
                each(reader, index).map(|()| true)
            } else {
                let twice = reader.duplicate(fields[index].key(form));
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

/// The field of this key, looked for from `guess` on.
#[inline]
fn find<F: Described>(fields: &[F], key: &str, guess: usize, form: Form) -> Option<usize> {
    let fits = |field: &F| field.key(form) == key && field.place(form).is_none();
    let (before, after) = fields.split_at(guess.min(fields.len()));
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
