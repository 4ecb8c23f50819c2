//! The signature of an operation.

use jadpo_syntax::tree::ValueKind;

use super::{is_broken, type_use};
use crate::db::Db;
use crate::items::DeclSrc;
use crate::model::{Type, may_be_sent_again};

/// What others need to know of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct OperationSignature {
    /// One of the methods; `None` where it isn't given rightly.
    pub method: Option<&'static str>,
    /// Whether `input:` is given.
    pub has_input: bool,
    /// The type that `input:` names.
    pub input: Option<Box<str>>,
    /// Whether `output:` is given.
    pub has_output: bool,
    /// Whether a mistake that is reported elsewhere may be why something isn't given.
    pub unsure: bool,
    /// The type of `output:`; `None` where it isn't given or means nothing.
    pub output: Option<Type>,
    /// Whether `decode:` is given.
    pub has_decode: bool,
    /// The function that `decode:` names.
    pub decode: Option<Box<str>>,
    /// Whether it changes the provider's data, its method considered.
    pub changes: bool,
    /// Whether it says so itself, by `changes:`.
    pub says_changes: bool,
    /// Whether `idempotency_key:` is given.
    pub has_idempotency_key: bool,
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
        input: fields.name("input").map(|name| name.text.clone()),
        has_output: fields.entry("output").is_some(),
        unsure: is_broken(db, decl)
            || fields.has_unknown_key()
            || fields.entry("output").is_none() && fields.entry("at").is_some(),
        output,
        has_decode: fields.entry("decode").is_some(),
        decode: fields.name("decode").map(|name| name.text.clone()),
        changes: fields.boolean("changes").unwrap_or(!matches!(method, None | Some("GET" | "HEAD"))),
        says_changes: fields.entry("changes").is_some(),
        has_idempotency_key: fields.entry("idempotency_key").is_some(),
        timeout_ms: fields.duration_ms("timeout"),
    })
}

impl OperationSignature {
    /// Whether a failed attempt of it may be made again.
    pub fn is_retried(&self) -> bool {
        may_be_sent_again(self.method.unwrap_or_default(), self.changes, self.has_idempotency_key)
    }

    /// The declared types that its input and its output name.
    pub fn named_types(&self) -> Vec<&str> {
        let mut names: Vec<_> = self.input.as_deref().into_iter().collect();
        let mut waiting: Vec<_> = self.output.iter().collect();
        while let Some(ty) = waiting.pop() {
            match ty {
                Type::Named(named) if named.package.is_none() => names.push(&named.name),
                Type::Nullable(inner) | Type::List(inner, _) => waiting.push(inner),
                Type::Map(key, value) => waiting.extend([&**value, &**key]),
                _ => {}
            }
        }
        names
    }
}
