//! What the calls of a package take at worst.

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::inputs::Scope;
use crate::model::Retry;
use crate::names;
use crate::signature::{operation_signature, provider_signature};
use crate::worst_case::WorstCall;

/// A call of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The operation.
    pub operation: Box<str>,
    /// Whether the app may make it.
    pub public: bool,
    /// Whether the operation gives the timeout, rather than the provider.
    pub own_timeout: bool,
    /// Whether its timeout or its retries have been chosen, rather than left to the language.
    pub is_chosen: bool,
    /// What it takes at worst.
    pub worst: WorstCall,
}

/// The calls of a package whose timeout and retries are given rightly, as declared.
#[salsa::tracked(returns(deref))]
pub fn calls(db: &dyn Db, package: Scope) -> Vec<Call> {
    let provider = provider_signature(db, package);
    let Some((retry, timeout_ms)) = provider.retry.zip(provider.timeout_ms) else { return Vec::new() };
    let operations = names::declared(db, package, Keyword::Operation);
    let calls = operations.filter_map(|decl| {
        let operation = operation_signature(db, decl)?;
        let attempts = if operation.is_retried() { retry.attempts } else { 1 };
        Some(Call {
            operation: decl.name_text(db).into(),
            public: decl.public(db),
            own_timeout: operation.timeout_ms.is_some(),
            is_chosen: operation.timeout_ms.is_some() || provider.says_waits,
            worst: WorstCall {
                retry: Retry { attempts, ..retry },
                timeout_ms: operation.timeout_ms.unwrap_or(timeout_ms),
            },
        })
    });
    calls.collect()
}
