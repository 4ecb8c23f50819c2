//! Rules of `store`.

use crate::diagnostics::codes::base;
use crate::keys::Fields;
use crate::model;
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
    Some(model::Store { name: name.to_owned(), doc, sqlite, keep_ms: fields.duration_ms("keep")? })
}
