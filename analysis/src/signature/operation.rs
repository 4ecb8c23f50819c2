//! The signature of an operation.

use jadpo_syntax::tree::ValueKind;

use super::type_use;
use crate::db::Db;
use crate::items::DeclSrc;
use crate::model::Type;

/// What others need to know of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OperationSignature {
    /// One of the methods; `None` where it isn't given rightly.
    pub method: Option<&'static str>,
    /// Whether `input:` is given.
    pub has_input: bool,
    /// Whether `output:` is given.
    pub has_output: bool,
    /// The type of `output:`; `None` where it isn't given or means nothing.
    pub output: Option<Type>,
    /// Whether `decode:` is given.
    pub has_decode: bool,
    /// Whether it changes the provider's data, its method considered.
    pub changes: bool,
    /// Its own `timeout:`, in milliseconds.
    pub timeout_ms: Option<u64>,
}

/// The signature of an operation; `None` for one whose block could not be read.
#[salsa::tracked(returns(as_ref))]
pub fn operation_signature<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Option<OperationSignature> {
    let fields = decl.fields(db)?;
    let method = fields.word("method");
    let output = fields.value("output").and_then(|value| match &value.kind {
        ValueKind::Type(expr, block) => type_use::read(expr, block.as_ref()),
        _ => None,
    });
    Some(OperationSignature {
        method,
        has_input: fields.entry("input").is_some(),
        has_output: fields.entry("output").is_some(),
        output,
        has_decode: fields.entry("decode").is_some(),
        changes: fields.boolean("changes").unwrap_or(!matches!(method, None | Some("GET" | "HEAD"))),
        timeout_ms: fields.duration_ms("timeout"),
    })
}
