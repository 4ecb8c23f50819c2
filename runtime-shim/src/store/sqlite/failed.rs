//! Tells a store's own trouble from a statement that the engine refuses.

use rusqlite::ErrorCode;

use crate::store::StoreErrorKind;

/// Why work on the connection failed.
#[derive(Debug)]
pub enum Failed {
    /// The engine said so.
    Engine(rusqlite::Error),
    /// The runtime says so.
    Kind(StoreErrorKind),
}

impl Failed {
    /// What went wrong.
    pub fn kind(&self) -> StoreErrorKind {
        match self {
            Failed::Engine(error) => kind_of(error),
            Failed::Kind(kind) => kind.clone(),
        }
    }
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Failed {
        Failed::Engine(error)
    }
}

/// What an engine's error says of the store.
pub fn kind_of(error: &rusqlite::Error) -> StoreErrorKind {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreErrorKind::Locked,
        Some(ErrorCode::ReadOnly | ErrorCode::PermissionDenied) => StoreErrorKind::ReadOnly,
        Some(ErrorCode::DiskFull) => StoreErrorKind::Full,
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
            StoreErrorKind::Corrupt(error.to_string())
        }
        Some(ErrorCode::CannotOpen) => StoreErrorKind::NotOpened(error.to_string()),
        Some(ErrorCode::SystemIoFailure) => StoreErrorKind::Unreadable(words(error)),
        _ => StoreErrorKind::Other(error.to_string()),
    }
}

/// The engine's words, with its number for what exactly failed.
fn words(error: &rusqlite::Error) -> String {
    match error.sqlite_error() {
        Some(exact) => format!("{error}, SQLite's code {}", exact.extended_code),
        None => error.to_string(),
    }
}

/// Whether the error is the store's own trouble, which a later try may not meet, and not the statement's fault.
pub fn is_trouble(error: &rusqlite::Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::DiskFull
                | ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
                | ErrorCode::CannotOpen
                | ErrorCode::OutOfMemory
                | ErrorCode::SystemIoFailure
                | ErrorCode::OperationInterrupted
                | ErrorCode::FileLockingProtocolFailed
        )
    )
}
