//! Passing over values that nobody declared, checked as strictly as those that are read.

use std::borrow::Cow;

use super::error::{Mismatch, quoted};
use super::reader::{Reader, Step};
use super::scan::{self, Raw};

/// Up to this many keys are compared one by one, before sorting pays.
const FEW_KEYS: usize = 16;

/// A member of an object whose value is next.
pub(super) enum Member<'a> {
    /// Its key is the one that was expected.
    Expected,
    /// Its key is this.
    Key(Cow<'a, str>),
}

impl<'a> Reader<'a> {
    /// Passes over a value; an error where it holds a key twice, half a surrogate pair, or is no JSON.
    pub fn skip(&mut self) -> Result<(), Mismatch> {
        match self.begin() {
            Some(b'"') => self.string_here().map(|_| ()),
            Some(b'{') => self.skip_object(),
            Some(b'[') => self.list(Self::skip),
            Some(b't') => self.word("true"),
            Some(b'f') => self.word("false"),
            Some(b'n') => self.word("null"),
            Some(b'-' | b'0'..=b'9') => self.skip_number(),
            _ => Err(self.syntax("a JSON value")),
        }
    }

    /// Passes over a number of any length.
    pub(super) fn skip_number(&mut self) -> Result<(), Mismatch> {
        match scan::number_end(self.rest(), 0) {
            Ok(length) => {
                self.position += length;
                Ok(())
            }
            Err(_) => Err(self.syntax("a number as JSON writes it")),
        }
    }

    /// Reads an array through `each`, which reads one item; goes on after one that does not fit.
    pub fn list(
        &mut self,
        mut each: impl FnMut(&mut Reader<'a>) -> Result<(), Mismatch>,
    ) -> Result<(), Mismatch> {
        self.open(b'[', "a list")?;
        let start = self.start;
        let mut fits = true;
        let mut more = !self.empty(b']');
        let mut index = 0;
        while more {
            self.step(Step::Index(index));
            fits &= each(self).is_ok();
            if self.is_broken() {
                return Err(Mismatch);
            }
            index += 1;
            more = self.more(b']')?;
        }
        self.close(start);
        if fits { Ok(()) } else { Err(Mismatch) }
    }

    /// Reads an object through `each`, which gets a key and reads its value; duplicates among the keys for which it
    /// gives `false` are reported at the end.
    pub(super) fn members(
        &mut self,
        mut each: impl FnMut(&mut Reader<'a>, &str) -> Result<bool, Mismatch>,
    ) -> Result<(), Mismatch> {
        self.members_expecting(
            |_| None,
            |reader, member| match member {
                Member::Key(key) => each(reader, &key),
                Member::Expected => Ok(true),
            },
        )
    }

    /// As [`Self::members`], where the next key is often known before it is read.
    #[inline]
    pub(super) fn members_expecting<'k>(
        &mut self,
        expected: impl Fn(&Self) -> Option<&'k str>,
        mut each: impl FnMut(&mut Reader<'a>, Member<'a>) -> Result<bool, Mismatch>,
    ) -> Result<(), Mismatch> {
        self.open(b'{', "an object")?;
        let start = self.start;
        let first_key = self.keys.len();
        let mut fits = true;
        let mut more = !self.empty(b'}');
        while more {
            let expected = expected(self);
            let member = match self.key(expected) {
                Ok(None) => each(self, Member::Expected).map(drop),
                Ok(Some(key)) => each(self, Member::Key(key.content())).map(|known| {
                    if !known {
                        self.keys.push(key.content());
                    }
                }),
                Err(mismatch) if self.is_broken() => Err(mismatch),
                Err(mismatch) => self.skip().and(Err(mismatch)),
            };
            fits &= member.is_ok();
            if self.is_broken() {
                return Err(Mismatch);
            }
            more = self.more(b'}')?;
        }
        self.step(Step::Inside);
        fits &= self.keys.len() - first_key < 2 || self.distinct(first_key);
        self.keys.truncate(first_key);
        self.close(start);
        if fits { Ok(()) } else { Err(Mismatch) }
    }

    /// Reports a key of this object that was given before.
    #[cold]
    pub(super) fn duplicate(&mut self, key: &str) -> Mismatch {
        let mut place = self.container_place();
        super::reader::push_token(&mut place, key);
        self.report(&place, "each key once", "it twice".to_owned())
    }

    /// Refuses the key of the member being read.
    #[cold]
    pub(super) fn key_mismatch(&mut self, key: &str, wanted: &str) -> Mismatch {
        let place = self.place();
        self.report(&place, &format!("a key that is {wanted}"), quoted(key))
    }

    /// The next key and its colon; `None` where it is the expected one.
    #[inline]
    fn key(&mut self, expected: Option<&str>) -> Result<Option<Raw<'a>>, Mismatch> {
        self.step(Step::Inside);
        if self.begin() != Some(b'"') {
            return Err(self.syntax("a key"));
        }
        if let Some(expected) = expected
            && let Some(rest) = self.rest()[1..].strip_prefix(expected.as_bytes())
            && let [b'"', b':', ..] = rest
        {
            let from = self.position + 1;
            self.position = from + expected.len() + 2;
            self.step(Step::Key(self.text_between(from, from + expected.len())));
            return Ok(None);
        }
        let raw = self.string_here();
        if self.is_broken() {
            return Err(Mismatch);
        }
        if self.peek() != Some(b':') {
            return Err(self.syntax("`:`"));
        }
        self.position += 1;
        let raw = raw?;
        self.step(Step::Key(raw.text));
        Ok(Some(raw))
    }

    fn skip_object(&mut self) -> Result<(), Mismatch> {
        self.members(|reader, _| reader.skip().map(|()| false))
    }

    fn distinct(&mut self, first: usize) -> bool {
        let keys = &mut self.keys[first..];
        let mut twice: Vec<String> = Vec::new();
        if keys.len() <= FEW_KEYS {
            for (index, key) in keys.iter().enumerate() {
                if keys[..index].contains(key) {
                    twice.push(key.to_string());
                }
            }
        } else {
            keys.sort_unstable();
            twice.extend(keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].to_string()));
        }
        for key in &twice {
            self.duplicate(key);
        }
        twice.is_empty()
    }

    /// The JSON Pointer of the container whose member is read.
    fn container_place(&mut self) -> String {
        let last = self.path.last().copied();
        self.step(Step::Inside);
        let place = self.place();
        if let Some(last) = last {
            self.step(last);
        }
        place
    }
}
