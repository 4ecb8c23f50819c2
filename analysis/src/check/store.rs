//! Rules of `store`.

use std::collections::BTreeMap;

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::diagnostics::codes::base;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::{EMPTY_BLOCK, Fields, STORE};
use crate::model;
use crate::names;
use crate::values;

use super::Check;

/// The database has a path.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some((_, [path])) = fields.call("engine") else { return };
    if let Some(path) = values::text(path)
        && path.value.trim().is_empty()
    {
        cx.report(
            base::STORE_VALUE_INVALID,
            path.span,
            "`sqlite` needs the path of a file, such as \"data/app.db\"",
        );
    }
}

/// The meaning of a store without errors.
pub fn lower(name: &str, doc: String, fields: Fields<'_>) -> Option<model::Store> {
    let (_, args) = fields.call("engine")?;
    let sqlite = values::text(args.first()?)?.value.to_string();
    let engines = BTreeMap::from([(model::Target::Native, model::Engine::Sqlite(sqlite))]);
    Some(model::Store { name: name.to_owned(), doc, engines, keep_ms: fields.duration_ms("keep")? })
}

/// How long a store keeps events; `None` where that isn't said rightly.
pub fn keep_ms(db: &dyn Db, app: Scope, name: &str) -> Option<u64> {
    store_keep(db, names::find(db, app, Keyword::Store, name)?)
}

/// How long a store that says nothing keeps events.
pub fn default_keep_ms() -> Option<u64> {
    Fields::new(&EMPTY_BLOCK, &STORE).duration_ms("keep")
}

#[salsa::tracked(returns(copy))]
fn store_keep<'db>(db: &'db dyn Db, store: DeclSrc<'db>) -> Option<u64> {
    store.fields(db)?.duration_ms("keep")
}
