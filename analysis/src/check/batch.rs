//! Rules of `batch`.

use super::{Check, objects, written};
use crate::db::Db;
use crate::diagnostics::codes::deferred;
use crate::event_stores::written_store;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::Batch;
use crate::signature::batch_signature;

/// It has a store, and starts with an Object.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    written::check(cx, fields, deferred::BATCH_KEY_MISSING);
    objects::input(cx, fields);
}

/// The meaning of a batch without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<Batch> {
    let input = batch_signature(db, decl).object.as_ref();
    Some(Batch {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        store: written_store(db, decl)?.to_owned(),
        input: input.and_then(|input| objects::reference(db, decl.scope(db), input)),
        size: size(decl.fields(db)?)?,
    })
}

/// How many records a step of a batch or a backfill is for.
pub fn size(fields: Fields<'_>) -> Option<u32> {
    u32::try_from(fields.whole("size")?).ok()
}
