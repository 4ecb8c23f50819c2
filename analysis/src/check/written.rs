//! Where an action, a batch or a backfill writes: the store that it names, or the only one of the app.

use jadpo_syntax::tree::Keyword;

use super::Check;
use crate::db::Db;
use crate::diagnostics::Code;
use crate::diagnostics::codes::app;
use crate::event_stores::{stores, unkept, written_store};
use crate::inputs::Scope;
use crate::items::{DeclSrc, file_decls};
use crate::keys::Fields;
use crate::prose;
use crate::unread;

/// Its store is there, and is said where the app has not one. `code` is for one that isn't said.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>, code: Code) {
    if is_known(cx, fields) {
        return;
    }
    // Without any store, the connections whose events would be kept say so.
    if !stores(cx.db, cx.scope).is_empty() || !unkept(cx.db, cx.scope) {
        required(cx, fields, code, &[]);
    }
}

/// Whether it is known where something writes, or was meant to be. A store that isn't there is reported.
pub fn is_known(cx: &mut Check<'_>, fields: Fields<'_>) -> bool {
    if let Some(name) = fields.name("store") {
        cx.named(Keyword::Store, name, app::NAME_UNKNOWN);
    }
    written_store(cx.db, cx.decl).is_some()
        || fields.is_meant("store")
        || cx.broken
        || unread::has_declaration(cx.db, cx.scope)
}

/// Reports that it isn't said where something writes; `likely` are the stores that are offered first.
pub fn required(cx: &mut Check<'_>, fields: Fields<'_>, code: Code, likely: &[&str]) {
    let (db, name) = (cx.db, cx.decl.name_text(cx.db));
    if stores(db, cx.scope).is_empty() && first_writer(db, cx.scope) != Some(cx.decl) {
        return;
    }
    let known = stores(db, cx.scope).iter().map(|store| &**store);
    let offered: Vec<&str> =
        likely.iter().copied().chain(known.clone().filter(|store| !likely.contains(store))).collect();
    let (message, help) = match offered.first() {
        None => (
            format!("`{name}` needs a store, and the app has none"),
            "declare one: `store main { engine: sqlite(\"data/app.db\") }`".to_owned(),
        ),
        Some(first) => (
            format!("`{name}` does not say in which store it writes"),
            format!("write `store: {first}`; the app's stores are {}", prose::list(known)),
        ),
    };
    let head = cx.head();
    let edits: Vec<_> =
        offered.iter().map(|store| (store, cx.insertion(fields.block, &format!("store: {store}")))).collect();
    let finding = cx.report(code, head, message);
    finding.label("needs a store").help(help);
    for (store, (at, text)) in edits {
        finding.suggest(format!("write `store: {store}`"), at, text);
    }
}

/// The first declaration of an app that writes a store. It says for all that there is none.
#[salsa::tracked(returns(copy))]
fn first_writer(db: &dyn Db, app: Scope) -> Option<DeclSrc<'_>> {
    let mut decls = app.files(db).iter().flat_map(|file| file_decls(db, *file)).copied();
    let writes = [Keyword::Subscriber, Keyword::Action, Keyword::Batch, Keyword::Backfill];
    decls.find(|decl| decl.keyword(db).is_some_and(|keyword| writes.contains(&keyword)))
}
