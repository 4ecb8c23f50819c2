//! A block read by its table: each key's value in its type, defaults included, and nothing reported.

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Block, Entry, Name, StringLit, Value, ValueKind};

use super::{Kind, Need, Row, Table};
use crate::nearest::nearest;
use crate::values;

/// A block and the table of its keys. Of a key given twice the first counts.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a> {
    /// What was written.
    pub block: &'a Block,
    /// What may be written.
    pub table: &'static Table,
}

impl<'a> Fields<'a> {
    /// `block`, read by `table`.
    pub fn new(block: &'a Block, table: &'static Table) -> Self {
        Self { block, table }
    }

    /// The entry of a key.
    pub fn entry(&self, key: &str) -> Option<&'a Entry> {
        self.block.entries.iter().find(|entry| !entry.key.quoted && &*entry.key.text == key)
    }

    /// Whether a key is given, or an unknown one that was probably meant for it: either way it isn't missing.
    pub fn is_meant(&self, key: &str) -> bool {
        self.entry(key).is_some() || self.changed_places().any(|(_, name, _)| &*name.text == key) || {
            let unknown = self.block.entries.iter().filter(|entry| self.row(&entry.key.text).is_none());
            unknown.into_iter().any(|entry| self.nearest_free(entry) == Some(key))
        }
    }

    /// The pairs of entries in which a value and the key after it have changed places, as in `method: path  GET: "/v1"`:
    /// a key that isn't given stands as a value, and a key that the table doesn't know follows.
    pub fn changed_places(&self) -> impl Iterator<Item = (&'a Entry, &'a Name, &'a Entry)> {
        let fields = *self;
        self.block.entries.windows(2).filter_map(move |pair| {
            let [entry, next] = pair else { return None };
            let key = values::bare_name(entry.value.as_ref()?)?;
            let is_free = |text: &str| fields.row(text).is_some() && fields.entry(text).is_none();
            let is_unknown = next.key.quoted || fields.row(&next.key.text).is_none();
            let known = !entry.key.quoted && fields.row(&entry.key.text).is_some();
            (known && is_unknown && next.value.is_some() && is_free(&key.text)).then_some((entry, key, next))
        })
    }

    /// The key that isn't given and is nearest to an unknown one; before a block only one that may take a block.
    pub fn nearest_free(&self, unknown: &Entry) -> Option<&'static str> {
        let block = matches!(unknown.value.as_ref().map(|value| &value.kind), Some(ValueKind::Block(_)));
        let free = self.table.rows.iter().filter(|row| self.entry(row.key).is_none());
        let fitting = free.filter(|row| !block || row.kind.may_be_block());
        nearest(&unknown.key.text, fitting.map(|row| row.key))
    }

    /// The value of a key, whatever its form.
    pub fn value(&self, key: &str) -> Option<&'a Value> {
        self.entry(key)?.value.as_ref()
    }

    /// Whether a key stands here that the table doesn't know, and that may have been meant for any of its own.
    pub fn has_unknown_key(&self) -> bool {
        self.block.entries.iter().any(|entry| entry.key.quoted || self.row(&entry.key.text).is_none())
    }

    /// Where a key's value stands, else the key, else the block.
    pub fn span(&self, key: &str) -> Span {
        match self.entry(key) {
            Some(entry) => entry.value.as_ref().map_or(entry.key.span, |value| value.span),
            None => self.block.span,
        }
    }

    /// A duration in milliseconds, within its bounds; the default where none is written.
    pub fn duration_ms(&self, key: &str) -> Option<u64> {
        let Kind::Duration { min_ms, max_ms, .. } = self.row(key)?.kind else { return None };
        let ms = match self.entry(key) {
            Some(_) => values::duration_ms(self.value(key)?)?,
            None => duration_of(self.default(key)?)?,
        };
        (min_ms..=max_ms).contains(&ms).then(|| u64::try_from(ms).ok())?
    }

    /// A size in bytes, within its bounds; the default where none is written.
    pub fn size_bytes(&self, key: &str) -> Option<u64> {
        let Kind::Size { max } = self.row(key)?.kind else { return None };
        let bytes = match self.entry(key) {
            Some(_) => values::size_bytes(self.value(key)?)?,
            None => size_of(self.default(key)?)?,
        };
        (1..=max).contains(&bytes).then_some(bytes)
    }

    /// A whole number within its bounds; the default where none is written and there is one.
    pub fn whole(&self, key: &str) -> Option<i64> {
        let Kind::Whole { min, max } = self.row(key)?.kind else { return None };
        let whole = match self.entry(key) {
            Some(_) => values::whole(self.value(key)?)?,
            None => self.default(key)?.parse().ok()?,
        };
        (min..=max).contains(&whole).then_some(whole)
    }

    /// `true` or `false`; the default where none is written and there is one.
    pub fn boolean(&self, key: &str) -> Option<bool> {
        match self.entry(key) {
            Some(_) => values::boolean(self.value(key)?),
            None => self.default(key)?.parse().ok(),
        }
    }

    /// A written string.
    pub fn text(&self, key: &str) -> Option<&'a StringLit> {
        values::text(self.value(key)?)
    }

    /// One of the key's words; the default where none is written and there is one.
    pub fn word(&self, key: &str) -> Option<&'static str> {
        let Kind::Words(words) = self.row(key)?.kind else { return None };
        let written = match self.entry(key) {
            Some(_) => &*values::bare_name(self.value(key)?)?.text,
            None => self.default(key)?,
        };
        words.iter().copied().find(|word| *word == written)
    }

    /// A written name.
    pub fn name(&self, key: &str) -> Option<&'a Name> {
        values::bare_name(self.value(key)?)
    }

    /// A written call.
    pub fn call(&self, key: &str) -> Option<(&'a Name, &'a [Value])> {
        values::call(self.value(key)?)
    }

    /// The elements of a written list, or the one value that stands alone; empty where none is written or `all` is.
    pub fn elements(&self, key: &str) -> &'a [Value] {
        match self.value(key) {
            Some(value) if self.is_all(key) => &std::slice::from_ref(value)[..0],
            Some(value) => values::list(value).unwrap_or(std::slice::from_ref(value)),
            None => &[],
        }
    }

    /// Whether `all` stands where a list might.
    pub fn is_all(&self, key: &str) -> bool {
        let takes_all = matches!(self.row(key), Some(Row { kind: Kind::Names { all: true, .. }, .. }));
        takes_all && self.name(key).is_some_and(|name| &*name.text == "all")
    }

    /// A nested block with a table of its own.
    pub fn block(&self, key: &str) -> Option<Fields<'a>> {
        let table = self.row(key)?.kind.table()?;
        match &self.value(key)?.kind {
            ValueKind::Block(block) => Some(Fields { block, table }),
            _ => None,
        }
    }

    /// A nested block with a table of its own, without entries where it isn't written; `None` where it is no block.
    pub fn block_or_empty(&self, key: &str) -> Option<Fields<'a>> {
        match (self.row(key)?.kind, self.entry(key)) {
            (Kind::Block(table), None) => Some(Fields { block: &EMPTY_BLOCK, table }),
            _ => self.block(key),
        }
    }

    /// The entries of a nested block whose keys are the author's; empty where none is written.
    pub fn open_entries(&self, key: &str) -> &'a [Entry] {
        match self.value(key).map(|value| &value.kind) {
            Some(ValueKind::Block(block)) => &block.entries,
            _ => &[],
        }
    }

    fn row(&self, key: &str) -> Option<&'static Row> {
        self.table.row(key)
    }

    /// What holds where none is written, as one would write it.
    pub fn default(&self, key: &str) -> Option<&'static str> {
        match self.row(key)?.need {
            Need::Default(text) => Some(text),
            Need::Required(_) | Need::Optional => None,
        }
    }
}

/// The milliseconds of a table's default, as `30d`.
pub fn duration_of(text: &str) -> Option<i64> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let unit_ms = match unit {
        "ms" => 1,
        "s" => 1000,
        "m" => super::MINUTE_MS,
        "h" => 60 * super::MINUTE_MS,
        "d" => super::DAY_MS,
        _ => return None,
    };
    digits.parse::<i64>().ok()?.checked_mul(unit_ms)
}

/// The bytes of a table's default, as `8MiB`.
pub fn size_of(text: &str) -> Option<u64> {
    let (digits, unit) = text.split_at(text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len()));
    let unit_bytes = match unit {
        "B" => 1,
        "KiB" => 1 << 10,
        "MiB" => 1 << 20,
        "GiB" => 1 << 30,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(unit_bytes)
}

/// A default for a nested block that isn't written: every key absent.
pub static EMPTY_BLOCK: Block = Block { entries: Vec::new(), span: Span { start: 0, end: 0 } };
