//! The one key catalogue: which keys each block takes, what each value must be, and what holds without it.
//!
//! Checking, completion, hover, the formatter's order and the reference read these tables; nothing repeats them. A
//! new key is one row here plus its meaning in a rule.

mod action;
mod app;
mod backfill;
mod batch;
mod connection;
mod constraints;
mod deployable;
mod fields;
mod operation;
mod provider;
mod route;
mod schedule;
mod store;
mod subscriber;

pub use action::ACTION;
pub use app::APP;
pub use backfill::BACKFILL;
pub use batch::BATCH;
pub use connection::CONNECTION;
pub use constraints::constraints;
pub use deployable::DEPLOYABLE;
pub use fields::{EMPTY_BLOCK, Fields, duration_of};
pub use operation::OPERATION;
pub use provider::{POLL, PROVIDER, RETRY};
pub use route::ROUTE;
pub use schedule::SCHEDULE;
pub use store::STORE;
pub use subscriber::{RETRY as SUBSCRIBER_RETRY, SUBSCRIBER};

use jadpo_syntax::tree::Keyword;

use crate::diagnostics::Code;

/// The keys of one block, in the order in which the formatter writes them.
#[derive(Debug)]
pub struct Table {
    /// The block, as messages name it: "store", "a connection's `events`".
    pub block: &'static str,
    /// Which codes its mistakes have.
    pub codes: &'static Codes,
    /// Its keys.
    pub rows: &'static [Row],
}

/// The codes of a block's mistakes.
#[derive(Debug)]
pub struct Codes {
    /// A key that the block doesn't take.
    pub key_invalid: Code,
    /// A key given twice.
    pub key_duplicate: Code,
    /// A required key that isn't there.
    pub key_missing: Code,
    /// A value that its key doesn't take.
    pub value_invalid: Code,
}

/// One key.
#[derive(Debug)]
pub struct Row {
    /// As it is written.
    pub key: &'static str,
    /// What its value must be.
    pub kind: Kind,
    /// What holds when it isn't there.
    pub need: Need,
    /// What it is for, in one line.
    pub doc: &'static str,
}

/// What holds when a key isn't there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// It must be there. The text is a value that shows how, for the help line.
    Required(&'static str),
    /// This value, as one would write it.
    Default(&'static str),
    /// Whatever the documentation says.
    Optional,
}

/// What a value must be. Checking a form is done once, by [`crate::values`]; a rule adds what the form can't say.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A span of time within these bounds, in milliseconds. `why` ends the message of one that is shorter.
    Duration {
        /// The shortest.
        min_ms: i64,
        /// The longest.
        max_ms: i64,
        /// Why, beginning with a comma or a semicolon; or empty.
        why: &'static str,
    },
    /// A number of bytes from 1 to this.
    Size {
        /// The most.
        max: u64,
    },
    /// A whole number within these bounds.
    Whole {
        /// The least.
        min: i64,
        /// The most.
        max: i64,
    },
    /// `true` or `false`.
    Bool,
    /// A string.
    Text,
    /// A string with holes, or, where `bare`, also `settings.name` and `input.name` alone.
    Template {
        /// Whether one hole may stand without a string.
        bare: bool,
    },
    /// One of these words.
    Words(&'static [&'static str]),
    /// One of these calls, or one of these words.
    Calls {
        /// The calls.
        forms: &'static [Form],
        /// The words.
        words: &'static [&'static str],
    },
    /// One of these calls, or a block of the keys of this table.
    CallsOrBlock {
        /// The calls.
        forms: &'static [Form],
        /// The keys of the block.
        table: &'static Table,
    },
    /// The name of a declaration of this kind: "a package".
    Name(&'static str),
    /// A list of names.
    Names {
        /// What they name, in the plural: "connections".
        what: &'static str,
        /// Whether each is a dotted path, as `coinfeed.Prices`.
        dotted: bool,
        /// Whether one may stand without brackets.
        alone: bool,
        /// Whether `all` may stand in place of the list.
        all: bool,
    },
    /// A list of strings.
    Texts,
    /// A type, with constraints or without.
    Type,
    /// A block of the keys of this table.
    Block(&'static Table),
    /// A block whose keys are the author's; what each entry is: "`name: Type`".
    Open(&'static str),
    /// A block whose keys are the author's, each with a block of the keys of this table.
    Each(&'static Table),
    /// Whatever the rule of the key takes, which it describes so.
    Special(&'static str),
}

/// A call that a value may be.
#[derive(Debug)]
pub struct Form {
    /// Its name.
    pub name: &'static str,
    /// What it takes.
    pub args: &'static [Arg],
}

/// What an argument must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arg {
    /// A string.
    Text,
    /// A string with holes, or one hole alone.
    Template,
    /// `env("NAME")`
    Env,
}

/// A year and a half of leeway below `i64`, and the longest duration that the language knows.
pub const DURATION_MAX_MS: i64 = 3650 * DAY_MS;
/// A minute, in milliseconds.
pub const MINUTE_MS: i64 = 60_000;
/// A day, in milliseconds.
pub const DAY_MS: i64 = 24 * 60 * MINUTE_MS;

impl Table {
    /// The row of a key.
    pub fn row(&self, key: &str) -> Option<&'static Row> {
        self.rows.iter().find(|row| row.key == key)
    }
}

/// The table of a keyword's block, where the keyword has one.
pub fn table(keyword: Keyword) -> Option<&'static Table> {
    match keyword {
        Keyword::App => Some(&APP),
        Keyword::Provider => Some(&PROVIDER),
        Keyword::Operation => Some(&OPERATION),
        Keyword::Store => Some(&STORE),
        Keyword::Connection => Some(&CONNECTION),
        Keyword::Subscriber => Some(&SUBSCRIBER),
        Keyword::Deployable => Some(&DEPLOYABLE),
        Keyword::Action => Some(&ACTION),
        Keyword::Route => Some(&ROUTE),
        Keyword::Schedule => Some(&SCHEDULE),
        Keyword::Batch => Some(&BATCH),
        Keyword::Backfill => Some(&BACKFILL),
        Keyword::Type => None,
    }
}

impl Kind {
    /// Whether the value may stand in braces.
    pub fn may_be_block(self) -> bool {
        self.table().is_some() || matches!(self, Self::Open(_) | Self::Each(_) | Self::Special(_))
    }

    /// The keys of the block that the value is or may be.
    pub fn table(self) -> Option<&'static Table> {
        match self {
            Self::Block(table) | Self::CallsOrBlock { table, .. } => Some(table),
            _ => None,
        }
    }

    /// What it is, as a message says it: "a duration from `100ms` to `60s`".
    pub fn expected(self) -> String {
        match self {
            Self::Duration { min_ms, max_ms, .. } => expected_duration(min_ms, max_ms),
            Self::Size { max } => format!("a size of at most `{}`, such as `8MiB`", size_text(max)),
            Self::Whole { min: i64::MIN, max: i64::MAX } => "a whole number".to_owned(),
            Self::Whole { min, max: i64::MAX } => format!("a whole number of at least {min}"),
            Self::Whole { min, max } => format!("a whole number from {min} to {max}"),
            Self::Bool => "`true` or `false`".to_owned(),
            // A hole alone is a string's value too, though no message needs to offer it.
            Self::Text | Self::Template { .. } => "a string".to_owned(),
            Self::Words(words) => one_of(words.iter().map(|word| (*word).to_owned())),
            Self::Calls { forms, words } => {
                let calls = forms.iter().map(Form::example);
                one_of(calls.chain(words.iter().map(|word| (*word).to_owned())))
            }
            Self::CallsOrBlock { forms, table } => {
                let keys: Vec<_> = table.rows.iter().map(|row| format!("`{}`", row.key)).collect();
                let calls: Vec<_> = forms.iter().map(|form| format!("`{}`", form.example())).collect();
                format!("{}, or a block of {}", calls.join(", "), keys.join(" and "))
            }
            Self::Name(what) => format!("the name of {what}"),
            Self::Names { what, alone, all, .. } => {
                let list = if alone { "one or a list" } else { "a list" };
                format!("{list} of {what}{}", if all { ", or `all`" } else { "" })
            }
            Self::Texts => "a list of strings".to_owned(),
            Self::Type => "a type".to_owned(),
            Self::Block(_) => "a block, `{ … }`".to_owned(),
            Self::Each(table) => format!("a block with a name and a block for {}", table.block),
            Self::Open(entry) => format!("a block of {entry}"),
            Self::Special(expected) => expected.to_owned(),
        }
    }
}

impl Form {
    /// As one would write it.
    pub fn example(&self) -> String {
        let args = self.args.iter().map(|arg| match arg {
            Arg::Text => "\"…\"",
            Arg::Template => "settings.…",
            Arg::Env => "env(\"…\")",
        });
        format!("{}({})", self.name, args.collect::<Vec<_>>().join(", "))
    }
}

fn one_of(words: impl Iterator<Item = String>) -> String {
    let words: Vec<_> = words.map(|word| format!("`{word}`")).collect();
    match &words[..] {
        [] => "nothing".to_owned(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

fn expected_duration(min_ms: i64, max_ms: i64) -> String {
    let (min, max) = (duration_text(min_ms), duration_text(max_ms));
    match (min_ms, max_ms) {
        (0, DURATION_MAX_MS) => "a duration, such as `30s`".to_owned(),
        (0, _) => format!("a duration of at most `{max}`"),
        (MINUTE_MS, DURATION_MAX_MS) => "a duration of a minute or more".to_owned(),
        (_, DURATION_MAX_MS) => format!("a duration of at least `{min}`"),
        _ => format!("a duration from `{min}` to `{max}`"),
    }
}

/// A duration in its largest whole unit.
pub fn duration_text(ms: i64) -> String {
    let units = [(DAY_MS, "d"), (60 * MINUTE_MS, "h"), (MINUTE_MS, "m"), (1000, "s")];
    let unit = units.into_iter().find(|(size, _)| ms % size == 0 && ms != 0);
    unit.map_or_else(|| format!("{ms}ms"), |(size, unit)| format!("{}{unit}", ms / size))
}

/// A number of bytes in its largest whole unit.
pub fn size_text(bytes: u64) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    let unit = units.into_iter().find(|(size, _)| bytes.is_multiple_of(*size) && bytes != 0);
    unit.map_or_else(|| format!("{bytes}B"), |(size, unit)| format!("{}{unit}", bytes / size))
}
