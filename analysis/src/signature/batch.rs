//! The signature of a batch or a backfill.

use super::action::type_of;
use crate::db::Db;
use crate::items::DeclSrc;
use crate::model::Type;

/// What others need to know of a batch or a backfill. Where it writes: [`crate::event_stores::written_store`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BatchSignature {
    /// A batch's `input:`, or a backfill's `record:`; `None` where it isn't given or means nothing.
    pub object: Option<Type>,
    /// Whether `store:` is given, rightly or not.
    pub says_store: bool,
    /// The store that it names.
    pub store: Option<Box<str>>,
}

/// The signature of a batch or a backfill; that of an empty one where its block could not be read.
#[salsa::tracked]
pub fn batch_signature<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> BatchSignature {
    let Some(fields) = decl.fields(db) else { return BatchSignature::default() };
    BatchSignature {
        object: type_of(fields, "input").or_else(|| type_of(fields, "record")),
        says_store: fields.entry("store").is_some(),
        store: fields.name("store").map(|store| store.text.clone()),
    }
}
