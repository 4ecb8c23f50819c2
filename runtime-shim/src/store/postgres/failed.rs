//! Tells a store's own trouble from a statement that the engine refuses.

use std::error::Error as _;

use deadpool_postgres::PoolError;
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::store::StoreErrorKind;

/// Why work on a connection failed.
#[derive(Debug)]
pub enum Failed {
    /// The engine said so, or it could not be asked.
    Engine(Error),
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

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        Failed::Engine(error)
    }
}

impl From<PoolError> for Failed {
    fn from(error: PoolError) -> Failed {
        match error {
            PoolError::Backend(error) => Failed::Engine(error),
            PoolError::Timeout(deadpool_postgres::TimeoutType::Wait) => {
                Failed::Kind(StoreErrorKind::Exhausted)
            }
            PoolError::Closed => Failed::Kind(StoreErrorKind::Closed),
            other => Failed::Kind(StoreErrorKind::Unreachable(other.to_string())),
        }
    }
}

/// What an engine's error says of the store.
pub fn kind_of(error: &Error) -> StoreErrorKind {
    let Some(said) = error.as_db_error() else { return StoreErrorKind::Unreachable(words(error)) };
    let code = said.code();
    match code.code() {
        "55P03" | "40001" | "40P01" => StoreErrorKind::Locked,
        "25006" => StoreErrorKind::ReadOnly,
        "53100" => StoreErrorKind::Full,
        "53300" => StoreErrorKind::Exhausted,
        "58030" => StoreErrorKind::Unreadable(words(error)),
        "XX001" | "XX002" => StoreErrorKind::Corrupt(words(error)),
        // The server goes down, comes up, or doesn't let this program in.
        other if ["08", "28", "57P", "3D"].iter().any(|class| other.starts_with(class)) => {
            StoreErrorKind::Unreachable(words(error))
        }
        _ => StoreErrorKind::Other(words(error)),
    }
}

/// Whether the error is the store's own trouble, which a later try may not meet, and not the statement's fault.
pub fn is_trouble(error: &Error) -> bool {
    let Some(code) = error.code() else { return true };
    is_conflict(error)
        || ["25006", "55P03"].contains(&code.code())
        || ["08", "53", "57P", "58", "XX"].iter().any(|class| code.code().starts_with(class))
}

/// Whether the transaction only met another one, and would go through alone.
pub fn is_conflict(error: &Error) -> bool {
    [&SqlState::T_R_SERIALIZATION_FAILURE, &SqlState::T_R_DEADLOCK_DETECTED]
        .iter()
        .any(|code| error.code() == Some(code))
}

/// Whether a prepared statement no longer fits the tables it was prepared for.
pub fn is_outdated(error: &Error) -> bool {
    error.code() == Some(&SqlState::FEATURE_NOT_SUPPORTED)
        && error.as_db_error().is_some_and(|said| said.message().contains("cached plan"))
}

/// What the engine says, or why it can't be asked.
pub fn words(error: &Error) -> String {
    let Some(said) = error.as_db_error() else {
        // The outer error only names the step; the inner ones say why.
        let mut text = error.to_string();
        let mut source = error.source();
        while let Some(inner) = source {
            let inner_text = inner.to_string();
            if !text.contains(&inner_text) {
                text = format!("{text}: {inner_text}");
            }
            source = inner.source();
        }
        return text;
    };
    match said.detail() {
        Some(detail) => format!("{} ({detail})", said.message()),
        None => said.message().to_owned(),
    }
}
