//! Why a store could not do what it was asked.

use std::fmt;

/// Why a store could not do what it was asked; nothing of the operation was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoreError {
    /// The store.
    pub store: Place,
    /// What went wrong.
    pub kind: StoreErrorKind,
}

/// Where a store is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The store, as the app names it.
    pub name: String,
    /// Its file, or the URL of its database without the password.
    pub file: String,
}

/// What went wrong in a store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreErrorKind {
    /// Another process held the lock for longer than the busy timeout.
    Locked,
    /// The database, its file or its directory can't be written.
    ReadOnly,
    /// No space is left for the database.
    Full,
    /// The file is no database, or a broken one.
    Corrupt(String),
    /// A newer runtime made these tables.
    SchemaNewer {
        /// The version found.
        found: i64,
        /// The newest version that this runtime knows.
        known: i64,
    },
    /// The file can't be opened or made, for this reason.
    NotOpened(String),
    /// The system could not read or write the file, in the engine's words.
    Unreadable(String),
    /// A body's transaction was open for longer than this, ms, and was rolled back.
    TransactionTooLong(u64),
    /// The engine can't do this.
    Unsupported(String),
    /// The server can't be reached, or doesn't let this program in, for this reason.
    Unreachable(String),
    /// All connections are in use, here or at the server.
    Exhausted,
    /// The line broke while a commit was under way: whether it was kept is not known.
    Uncertain(String),
    /// The store was closed while it was asked.
    Closed,
    /// Anything else, in the engine's words.
    Other(String),
}

impl StoreErrorKind {
    /// Whether it is the store's own trouble, and not of the body's making.
    pub fn is_trouble(&self) -> bool {
        !matches!(self, StoreErrorKind::TransactionTooLong(_) | StoreErrorKind::Unsupported(_))
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.store, self.kind)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "store {} in {}", self.name, self.file)
    }
}

impl fmt::Display for StoreErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreErrorKind::Locked => f.write_str("the database stayed locked by another process"),
            StoreErrorKind::ReadOnly => f.write_str("the database is read-only"),
            StoreErrorKind::Full => f.write_str("no space is left for the database"),
            StoreErrorKind::Corrupt(text) => write!(f, "the file is no database or a broken one: {text}"),
            StoreErrorKind::SchemaNewer { found, known } => {
                write!(
                    f,
                    "its tables have schema version {found}, made by a newer runtime; this one knows up to {known}"
                )
            }
            StoreErrorKind::NotOpened(why) => write!(f, "the file can't be opened: {why}"),
            StoreErrorKind::Unreadable(text) => {
                write!(f, "the system can't read or write the file; is the disk full or failing? ({text})")
            }
            StoreErrorKind::TransactionTooLong(most_ms) => {
                write!(f, "the transaction was open for longer than {most_ms} ms, and was rolled back")
            }
            StoreErrorKind::Unsupported(text) => write!(f, "this engine can't do it: {text}"),
            StoreErrorKind::Unreachable(why) => write!(f, "the database can't be reached: {why}"),
            StoreErrorKind::Exhausted => f.write_str("no connection to the database came free"),
            StoreErrorKind::Uncertain(why) => {
                write!(f, "the line to the database broke during a commit, which may have been kept: {why}")
            }
            StoreErrorKind::Closed => f.write_str("the store was closed"),
            StoreErrorKind::Other(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for StoreError {}
