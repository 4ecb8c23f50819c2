//! Reading a value at a JSON Pointer inside another.

use super::error::Mismatch;
use super::reader::Reader;

/// The reference tokens of a JSON Pointer, unescaped.
pub(crate) fn tokens(pointer: &str) -> Vec<String> {
    pointer.split('/').skip(1).map(|token| token.replace("~1", "/").replace("~0", "~")).collect()
}

impl<'a> Reader<'a> {
    /// Reads, through `read`, the value at a JSON Pointer inside the next value, all of which is checked.
    pub fn at<T>(
        &mut self,
        pointer: &str,
        mut read: impl FnMut(&mut Reader<'a>) -> Result<T, Mismatch>,
    ) -> Result<T, Mismatch> {
        if pointer.is_empty() {
            return read(self);
        }
        let mut value = None;
        let found = self.read_at(&tokens(pointer), &mut |reader| {
            value = Some(read(reader)?);
            Ok(())
        })?;
        match value {
            Some(value) if found => Ok(value),
            _ => {
                let place = format!("{}{pointer}", self.place());
                Err(self.report_missing(place, &mut |reader| read(reader).map(drop)))
            }
        }
    }

    /// Reads, through `read`, what stands at `tokens` inside the next value, and passes over the rest of it.
    ///
    /// False where there is no such place. An error if anything was wrong, there or in the rest.
    pub(super) fn read_at(
        &mut self,
        tokens: &[String],
        read: &mut dyn FnMut(&mut Reader<'a>) -> Result<(), Mismatch>,
    ) -> Result<bool, Mismatch> {
        let Some((token, deeper)) = tokens.split_first() else {
            return read(self).map(|()| true);
        };
        let mut found = false;
        match self.begin() {
            Some(b'{') => self.members(|reader, key| {
                if key == token && !found {
                    found |= reader.read_at(deeper, read)?;
                } else {
                    reader.skip()?;
                }
                Ok(false)
            })?,
            Some(b'[') => {
                let wanted = index(token);
                let mut at = 0;
                self.list(|reader| {
                    let here = wanted == Some(at);
                    at += 1;
                    if here {
                        found = reader.read_at(deeper, read)?;
                        Ok(())
                    } else {
                        reader.skip()
                    }
                })?;
            }
            _ => self.skip()?,
        }
        Ok(found)
    }
}

/// An array index of a JSON Pointer: digits without a leading zero.
pub(crate) fn index(token: &str) -> Option<usize> {
    let plain = token == "0" || (!token.starts_with('0') && token.bytes().all(|byte| byte.is_ascii_digit()));
    if plain { token.parse().ok() } else { None }
}
