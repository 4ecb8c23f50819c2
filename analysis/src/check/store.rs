//! Rules of `store`.

use jadpo_syntax::tree::{Keyword, Value, ValueKind};

use crate::db::Db;
use crate::diagnostics::codes::base;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::{EMPTY_BLOCK, Fields, STORE};
use crate::model::{self, Engine, Target};
use crate::names;
use crate::signature::{engine, engine_values, store_signature};
use crate::store_engines::same_database;
use crate::values;

use super::Check;

/// It has a database for a target at least, and each is one that can be and that is no other store's.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    for value in engine_values(fields) {
        if argument_is_right(cx, value)
            && let Some((_, engine)) = engine(value)
        {
            is_its_own(cx, value, &engine);
        }
    }
    let Some(value) = fields.value("engine") else { return };
    if let ValueKind::Block(block) = &value.kind
        && block.entries.is_empty()
        && !cx.broken
    {
        cx.report(base::STORE_VALUE_INVALID, value.span, "`engine` gives no target a database")
            .help("write `native: sqlite(\"data/app.db\")` in it, `workers: d1(\"APP_DB\")`, or both");
    }
}

/// Whether an engine's text can name what it should; otherwise that is reported.
fn argument_is_right(cx: &mut Check<'_>, value: &Value) -> bool {
    let Some((call, [arg])) = values::call(value) else { return true };
    let Some(text) = values::text(arg) else { return true };
    let message = match &*call.text {
        "sqlite" if text.value.trim().is_empty() => {
            "`sqlite` needs the path of a file, such as \"data/app.db\"".to_owned()
        }
        "sqlite" if text.value.ends_with('/') => {
            format!("`sqlite` needs the path of a file, and {:?} is a directory's", text.value)
        }
        "sqlite"
            if text.value.starts_with(':')
                || text.value.contains("://")
                || text.value.starts_with("file:") =>
        {
            format!("`sqlite` needs the path of a file, and {:?} is none", text.value)
        }
        "d1" if !is_binding(&text.value) => {
            format!("no binding can be called {:?}: it has letters, digits and `_`", text.value)
        }
        _ => return true,
    };
    cx.report(base::STORE_VALUE_INVALID, arg.span, message);
    false
}

/// A Worker reads its bindings as properties of one object.
fn is_binding(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Reports a database that another store is in: the tables of both would be the same.
fn is_its_own(cx: &mut Check<'_>, value: &Value, engine: &Engine) {
    let db = cx.db;
    let Some(first) = same_database(db, cx.decl, engine) else { return };
    let place = names::key_place(db, first, &["engine"]);
    let message = format!("{} is the database of store `{}` too", engine_text(engine), first.name_text(db));
    cx.report(base::STORE_VALUE_INVALID, value.span, message)
        .label("the same database")
        .related(place, format!("`{}` is in it", first.name_text(db)))
        .help("each store has a database of its own; what belongs together is one store");
}

/// An engine as it is written.
pub fn engine_text(engine: &Engine) -> String {
    match engine {
        Engine::Sqlite(path) => format!("`sqlite({path:?})`"),
        Engine::Postgres(variable) => format!("`postgres(env({variable:?}))`"),
        Engine::D1(binding) => format!("`d1({binding:?})`"),
    }
}

/// A target as a message names it.
pub fn target_text(target: Target) -> &'static str {
    match target {
        Target::Native => "natively",
        Target::Workers => "on Workers",
    }
}

/// The meaning of a store without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<model::Store> {
    let engines = store_signature(db, decl).engines.clone();
    let keep_ms = decl.fields(db)?.duration_ms("keep")?;
    Some(model::Store { name: decl.name_text(db).to_owned(), doc: decl.doc(db), engines, keep_ms })
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
