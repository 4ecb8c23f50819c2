//! Rules of `backfill`.

use super::{Check, batch, objects, written};
use crate::db::Db;
use crate::diagnostics::codes::{app, deferred};
use crate::event_stores::written_store;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::Backfill;
use crate::names;
use crate::nearest::nearest;
use crate::prose;
use crate::signature::{batch_signature, is_broken, type_signature};

/// It has a store, and works out a field that its record has.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    written::check(cx, fields, deferred::BACKFILL_KEY_MISSING);
    if let Some(record) = objects::named(cx, fields, "record") {
        field(cx, fields, record);
    }
}

fn field<'db>(cx: &mut Check<'db>, fields: Fields<'_>, record: DeclSrc<'db>) {
    let Some(name) = fields.name("field") else { return };
    let db = cx.db;
    let known = type_signature(db, record).fields();
    if known.iter().any(|field| field.name == name.text) || is_broken(db, record) {
        return;
    }
    let declared = names::name_place(db, record);
    let names = || known.iter().map(|field| &*field.name);
    let record = record.name_text(db);
    let message = format!("`{record}` has no field `{}`", name.text);
    let finding = cx.report(app::NAME_UNKNOWN, name.span, message);
    finding.related(declared, "the record");
    if !known.is_empty() {
        finding.help(format!("its fields are {}", prose::list(names())));
    }
    finding.nearest(nearest(&name.text, names()));
}

/// The meaning of a backfill without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<Backfill> {
    let fields = decl.fields(db)?;
    Some(Backfill {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        store: written_store(db, decl)?.to_owned(),
        record: objects::reference(db, decl.scope(db), batch_signature(db, decl).object.as_ref()?)?,
        field: fields.name("field")?.text.to_string(),
        size: batch::size(fields)?,
    })
}
