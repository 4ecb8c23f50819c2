//! Where a connection's events are kept.

use jadpo_syntax::tree::Keyword;

use crate::check::Check;
use crate::diagnostics::Place;
use crate::diagnostics::codes::app;
use crate::event_stores::{events_store, stores};
use crate::keys::Fields;
use crate::live_polls::live_polls;
use crate::prose;
use crate::unread;

/// The store of `events:` is there.
pub fn store_is_known(cx: &mut Check<'_>, fields: Fields<'_>) {
    if let Some(name) = fields.block("events").and_then(|events| events.name("store")) {
        cx.named(Keyword::Store, name, app::NAME_UNKNOWN);
    }
}

/// Where a poll runs, its events have a store.
pub fn are_kept(cx: &mut Check<'_>, fields: Fields<'_>) {
    let (db, decl) = (cx.db, cx.decl);
    if events_store(db, decl).is_some()
        || says_store(fields)
        || live_polls(db, decl).is_empty()
        || cx.broken
        || unread::has_declaration(db, cx.scope)
    {
        return;
    }
    let (name, head) = (decl.name_text(db), cx.head());
    let stores = stores(db, cx.scope);
    let (message, help) = match stores.first() {
        None => (
            format!("`{name}` keeps events, and the app has no store"),
            "declare one: `store main { engine: sqlite(\"data/app.db\") }`".to_owned(),
        ),
        Some(first) => (
            format!("`{name}` keeps events, and does not say in which store"),
            format!(
                "write `events: {{ store: {first} }}`; the app's stores are {}",
                prose::list(stores.iter().map(|store| &**store))
            ),
        ),
    };
    let edits: Vec<_> = stores.iter().map(|store| (store, insertion(cx, fields, store))).collect();
    let finding = cx.report(app::EVENT_STORE_REQUIRED, head, message);
    finding.label("needs a store").help(help);
    for (store, (at, text)) in edits {
        finding.suggest(format!("keep them in `{store}`"), at, text);
    }
}

/// Where the store can be named, and how.
fn insertion<'db>(cx: &Check<'db>, fields: Fields<'_>, store: &str) -> (Place<'db>, String) {
    match fields.block("events") {
        Some(events) => cx.insertion(events.block, &format!("store: {store}")),
        None => cx.insertion(fields.block, &format!("events: {{ store: {store} }}")),
    }
}

/// Whether `events: { store: }` is given, rightly or not.
fn says_store(fields: Fields<'_>) -> bool {
    match fields.block_or_empty("events") {
        Some(events) => {
            events.is_meant("store") || fields.entry("events").is_none() && fields.is_meant("events")
        }
        None => true,
    }
}
