//! The strict pull reader over JSON text: where it stands, what it has found wrong, and how values are passed over.

use std::borrow::Cow;

use super::Form;
use super::error::{ConstraintError, DecodeError, MAX_PROBLEMS, Mismatch, Problem, bounded_place, quoted};
use super::order::Orders;
use super::scan::{self, Raw, StringError};

/// How deep arrays and objects may stand in one another.
pub(super) const MAX_DEPTH: usize = 128;

/// How often, on average, a byte may be read for fields that stand elsewhere. Only a type that has its own values at
/// places inside each other comes near it: reading those would take twice as long with each level.
const MAX_READINGS: usize = 1024;

/// How many bytes a number, or a short scalar in quotes, may take; past them its end is not looked for.
pub(super) const MAX_SCALAR: usize = 1024;

/// Reads JSON text value by value, and collects what does not fit.
///
/// Its place is kept as positions and keys; a JSON Pointer is built only where something is wrong.
pub struct Reader<'a> {
    text: &'a str,
    pub(super) position: usize,
    /// Where the value that was read last begins.
    pub(super) start: usize,
    form: Form,
    /// The way to the value being read.
    pub(super) path: Vec<Step<'a>>,
    /// Keys, of the objects being read, that are no fields.
    pub(super) keys: Vec<Cow<'a, str>>,
    pub(super) orders: Orders,
    problems: Vec<Problem>,
    broken: bool,
    /// How often in a row a `null` was looked for at one position.
    nullable: (usize, usize),
    depth: usize,
    /// How many bytes were read again for fields that stand elsewhere.
    reread: usize,
    missing: Missing,
}

/// Whether a type is asked what it wants where nothing stands.
#[derive(Debug, PartialEq, Eq)]
enum Missing {
    No,
    /// Nothing stands at this place.
    At(String),
    /// The type has said it.
    Told,
}

/// A step of the way to a value.
#[derive(Clone, Copy)]
pub(super) enum Step<'a> {
    /// The container itself, before its first member.
    Inside,
    /// A key as it stands between its quotes.
    Key(&'a str),
    Index(usize),
}

impl<'a> Reader<'a> {
    /// A reader at the start of `text`, whose byte order mark is passed over.
    pub fn new(text: &'a str, form: Form) -> Self {
        Self {
            text: text.strip_prefix('\u{feff}').unwrap_or(text),
            position: 0,
            start: 0,
            form,
            path: Vec::with_capacity(8),
            keys: Vec::new(),
            orders: Orders::default(),
            problems: Vec::new(),
            broken: false,
            nullable: (0, 0),
            depth: 0,
            reread: 0,
            missing: Missing::No,
        }
    }

    /// The form that is read.
    pub fn form(&self) -> Form {
        self.form
    }

    /// Whether reading cannot go on: the text is no JSON from here, is nested too deeply, or enough is wrong.
    pub fn is_broken(&self) -> bool {
        self.broken
    }

    /// Reports the value just read: `wanted` is what fits there.
    #[cold]
    pub fn mismatch(&mut self, wanted: &str) -> Mismatch {
        if self.broken || self.asks_what_is_wanted(wanted) {
            return Mismatch;
        }
        let got = quoted(&self.text[self.start..self.position]);
        let place = self.place();
        self.report(&place, wanted, got)
    }

    /// Applies a constraint to the value just read.
    pub fn checked<T>(
        &mut self,
        value: T,
        check: impl FnOnce(&T) -> Result<(), ConstraintError>,
    ) -> Result<T, Mismatch> {
        match check(&value) {
            Ok(()) => Ok(value),
            Err(error) => Err(self.mismatch(error.wanted())),
        }
    }

    /// Nothing but white space may follow; then what was read, or all that was wrong.
    pub fn finish<T>(mut self, value: Result<T, Mismatch>) -> Result<T, DecodeError> {
        if !self.broken && self.peek().is_some() {
            self.syntax("the end of the text");
        }
        match value {
            Ok(value) if self.problems.is_empty() => Ok(value),
            _ if self.problems.is_empty() => Err(DecodeError::single("", "a value that fits", "another")),
            _ => Err(DecodeError { problems: self.problems }),
        }
    }

    /// The next byte that is no white space.
    #[inline]
    pub(super) fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(self.position) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.position += 1,
                next => return next.copied(),
            }
        }
    }

    /// As [`Self::peek`], noting that a value begins here.
    #[inline]
    pub(super) fn begin(&mut self) -> Option<u8> {
        let next = self.peek();
        self.start = self.position;
        next
    }

    /// The first byte of the next value, which tells its kind.
    pub(crate) fn kind(&mut self) -> Option<u8> {
        self.begin()
    }

    /// What is left of the text.
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.position..]
    }

    /// A part of the text.
    #[inline]
    pub(super) fn text_between(&self, from: usize, to: usize) -> &'a str {
        &self.text[from..to]
    }

    /// The value read last, as it stands in the text.
    pub(super) fn raw(&self) -> &'a str {
        &self.text[self.start..self.position]
    }

    /// The string that begins here, if one does; another value is refused.
    #[inline]
    pub(super) fn string(&mut self, wanted: &str) -> Result<Raw<'a>, Mismatch> {
        if self.begin() != Some(b'"') {
            return Err(self.reject(wanted));
        }
        self.string_here()
    }

    /// As [`Self::string_here`] for a scalar that is never long, so that a long one is refused without being read.
    #[inline]
    pub(super) fn short_string(&mut self, wanted: &str) -> Result<Cow<'a, str>, Mismatch> {
        let from = self.position + 1;
        let window = &self.text.as_bytes()[..self.text.len().min(self.position + MAX_SCALAR)];
        let end = scan::special(window, from);
        if window.get(end) == Some(&b'"') {
            self.position = end + 1;
            return Ok(Cow::Borrowed(&self.text[from..end]));
        }
        if end == window.len() && end < self.text.len() {
            return Err(self.too_long(wanted));
        }
        self.string_here().map(Raw::content)
    }

    /// The string whose opening quote is the next byte.
    #[inline]
    pub(super) fn string_here(&mut self) -> Result<Raw<'a>, Mismatch> {
        match scan::string(self.text, self.position) {
            Ok((raw, end)) => {
                self.position = end;
                Ok(raw)
            }
            Err(error) => Err(self.string_error(&error)),
        }
    }

    /// The number that begins here, cut to what can be looked at; `None` where none does.
    pub(super) fn number_window(&self) -> &'a [u8] {
        let rest = self.rest();
        &rest[..rest.len().min(MAX_SCALAR)]
    }

    /// Takes a `null` if one is next.
    pub fn null(&mut self) -> Result<bool, Mismatch> {
        if self.begin() != Some(b'n') {
            // A type that is nothing but itself or none would be looked for at one place for ever.
            let repeated = if self.nullable.0 == self.position { self.nullable.1 + 1 } else { 0 };
            self.nullable = (self.position, repeated);
            return if repeated > MAX_DEPTH { Err(self.reject("null")) } else { Ok(false) };
        }
        self.word("null")?;
        Ok(true)
    }

    /// Takes a word of JSON.
    pub(super) fn word(&mut self, word: &str) -> Result<(), Mismatch> {
        if !self.rest().starts_with(word.as_bytes()) {
            return Err(self.syntax("a JSON value"));
        }
        self.position += word.len();
        Ok(())
    }

    /// Opens an array or an object; another value is refused.
    #[inline]
    pub(super) fn open(&mut self, bracket: u8, wanted: &str) -> Result<(), Mismatch> {
        if self.begin() != Some(bracket) {
            return Err(self.reject(wanted));
        }
        self.descend()?;
        self.position += 1;
        self.path.push(Step::Inside);
        Ok(())
    }

    /// Leaves an array or an object that began at `start`.
    #[inline]
    pub(super) fn close(&mut self, start: usize) {
        self.path.pop();
        self.depth -= 1;
        self.start = start;
    }

    /// Notes which member of the container is read.
    #[inline]
    pub(super) fn step(&mut self, step: Step<'a>) {
        if let Some(last) = self.path.last_mut() {
            *last = step;
        }
    }

    /// After a member: whether another follows.
    #[inline]
    pub(super) fn more(&mut self, closing: u8) -> Result<bool, Mismatch> {
        match self.peek() {
            Some(b',') => {
                self.position += 1;
                Ok(true)
            }
            Some(next) if next == closing => {
                self.position += 1;
                Ok(false)
            }
            _ if closing == b'}' => Err(self.syntax("`,` or `}`")),
            _ => Err(self.syntax("`,` or `]`")),
        }
    }

    /// Whether the container just opened is empty.
    #[inline]
    pub(super) fn empty(&mut self, closing: u8) -> bool {
        let empty = self.peek() == Some(closing);
        self.position += usize::from(empty);
        empty
    }

    /// Refuses the next value, which is passed over.
    pub(crate) fn refuse(&mut self, wanted: &str) -> Mismatch {
        self.begin();
        self.reject(wanted)
    }

    /// Refuses the value at `start`, which is passed over.
    #[cold]
    pub(super) fn reject(&mut self, wanted: &str) -> Mismatch {
        if self.asks_what_is_wanted(wanted) {
            return Mismatch;
        }
        let start = self.start;
        self.position = start;
        if self.skip().is_err() && self.broken {
            return Mismatch;
        }
        self.start = start;
        self.mismatch(wanted)
    }

    /// Refuses a scalar whose end is too far to be looked for, and ends reading.
    #[cold]
    pub(super) fn too_long(&mut self, wanted: &str) -> Mismatch {
        let wanted = format!("{wanted}, in at most {MAX_SCALAR} bytes");
        self.syntax(&wanted)
    }

    /// The text is no JSON from here.
    #[cold]
    pub(super) fn syntax(&mut self, wanted: &str) -> Mismatch {
        if self.broken || self.asks_what_is_wanted(wanted) {
            return Mismatch;
        }
        let rest = &self.text[self.position.min(self.text.len())..];
        let got = if rest.is_empty() { "nothing".to_owned() } else { quoted(rest) };
        let place = self.place();
        self.report(&place, wanted, got);
        self.broken = true;
        Mismatch
    }

    /// Reports a problem once; at the last that is collected, reading ends.
    #[cold]
    pub(super) fn report(&mut self, place: &str, wanted: &str, got: String) -> Mismatch {
        let place = bounded_place(place);
        let problem = Problem { place, wanted: wanted.to_owned(), got };
        if !self.broken && !self.problems.contains(&problem) {
            self.problems.push(problem);
            self.broken = self.problems.len() >= MAX_PROBLEMS;
        }
        Mismatch
    }

    /// Reports that no value stands at `place`. `read` is what would have read it: given nothing to read, it says what its type
    /// wants, so that no table has to say it a second time.
    #[cold]
    pub(super) fn report_missing(
        &mut self,
        place: String,
        read: &mut dyn FnMut(&mut Reader<'a>) -> Result<(), Mismatch>,
    ) -> Mismatch {
        let (text, position, start, nullable) = (self.text, self.position, self.start, self.nullable);
        (self.text, self.position, self.start, self.nullable) = ("", 0, 0, (0, 0));
        self.missing = Missing::At(place);
        let _ = read(self);
        (self.text, self.position, self.start, self.nullable) = (text, position, start, nullable);
        self.asks_what_is_wanted("a value");
        self.missing = Missing::No;
        Mismatch
    }

    /// Whether nothing is read but a type's answer to what it wants, which is reported at the first.
    fn asks_what_is_wanted(&mut self, wanted: &str) -> bool {
        match std::mem::replace(&mut self.missing, Missing::Told) {
            Missing::No => {
                self.missing = Missing::No;
                return false;
            }
            Missing::At(place) => _ = self.report(&place, wanted, "nothing".to_owned()),
            Missing::Told => {}
        }
        true
    }

    /// The JSON Pointer of the value being read.
    pub(super) fn place(&self) -> String {
        let mut place = String::new();
        for step in &self.path {
            match step {
                Step::Inside => {}
                Step::Key(raw) => push_token(&mut place, &scan::unescape(raw)),
                Step::Index(index) => push_token(&mut place, &index.to_string()),
            }
        }
        place
    }

    /// Counts bytes that are about to be read again.
    pub(super) fn read_again(&mut self, bytes: usize) -> Result<(), Mismatch> {
        self.reread = self.reread.saturating_add(bytes);
        if self.reread / MAX_READINGS > self.text.len() {
            return Err(self.syntax("fewer values at places inside each other"));
        }
        Ok(())
    }

    fn descend(&mut self) -> Result<(), Mismatch> {
        if self.depth == MAX_DEPTH {
            return Err(self.syntax("nesting of at most 128"));
        }
        self.depth += 1;
        Ok(())
    }

    #[cold]
    fn string_error(&mut self, error: &StringError) -> Mismatch {
        match *error {
            StringError::Syntax { at, wanted } => {
                self.position = at;
                while !self.text.is_char_boundary(self.position) {
                    self.position -= 1;
                }
                self.syntax(wanted)
            }
            StringError::Lone { end } => {
                self.start = self.position;
                self.position = end;
                self.mismatch("text without half a surrogate pair")
            }
        }
    }
}

/// Adds a reference token to a JSON Pointer.
pub(super) fn push_token(place: &mut String, token: &str) {
    place.push('/');
    place.push_str(&token.replace('~', "~0").replace('/', "~1"));
}
