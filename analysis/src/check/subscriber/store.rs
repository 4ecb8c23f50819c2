//! Where a subscriber writes: for now the store that keeps its events, since both are one transaction.

use std::collections::BTreeSet;

use jadpo_syntax::tree::Keyword;

use super::{Heard, heard_connections};
use crate::check::Check;
use crate::diagnostics::codes::app;
use crate::event_stores::{emitters, events_store, stores, unkept, written_store};
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::names;
use crate::prose;
use crate::unread;

/// Its store is there, is said where there are several, and keeps its events.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>, heard: &Heard<'_>) {
    if let Some(name) = fields.name("store") {
        cx.named(Keyword::Store, name, app::NAME_UNKNOWN);
    }
    match written_store(cx.db, cx.decl) {
        Some(written) => keeps_its_events(cx, fields, heard, written),
        None if !fields.is_meant("store") && !cx.broken => required(cx, fields, heard),
        None => {}
    }
}

fn required(cx: &mut Check<'_>, fields: Fields<'_>, heard: &Heard<'_>) {
    let name = cx.decl.name_text(cx.db);
    let stores = stores(cx.db, cx.scope);
    // Without any store, the connections whose events would be kept say so, and what is heard decides whether one is.
    if unread::has_declaration(cx.db, cx.scope)
        || stores.is_empty() && (heard.unclear || !heard.packages.is_empty() || unkept(cx.db, cx.scope))
    {
        return;
    }
    // The one that keeps its events is the only one that it may write.
    let kept = of_connections(cx, heard).into_iter().chain(of_emitters(cx, heard)).map(|kept| kept.store);
    let kept: BTreeSet<_> = kept.collect();
    let likely = kept.iter().copied().chain(stores.iter().map(|store| &**store)).next();
    let (message, help) = match likely {
        None => (
            format!("`{name}` needs a store, and the app has none"),
            "declare one: `store main { engine: sqlite(\"data/app.db\") }`".to_owned(),
        ),
        Some(likely) => (
            format!("`{name}` does not say in which store it writes"),
            format!(
                "write `store: {likely}`; the app's stores are {}",
                prose::list(stores.iter().map(|store| &**store))
            ),
        ),
    };
    let head = cx.head();
    let edit = likely.map(|store| (store, cx.insertion(fields.block, &format!("store: {store}"))));
    let finding = cx.report(app::SUBSCRIBER_STORE_REQUIRED, head, message);
    finding.label("needs a store").help(help);
    if let Some((store, (at, text))) = edit {
        finding.fix_all(format!("write `store: {store}`"), kept.len() == 1, vec![(at, text)]);
    }
}

/// A source of its events, and the store that keeps them.
struct Kept<'db> {
    /// As a message names it: "`feed` keeps its events".
    what: String,
    store: &'db str,
    decl: DeclSrc<'db>,
    /// Where the declaration says so.
    path: &'static [&'static str],
}

/// Reports a store that is another than that of an event that it hears.
fn keeps_its_events(cx: &mut Check<'_>, fields: Fields<'_>, heard: &Heard<'_>, written: &str) {
    let kept = of_connections(cx, heard).into_iter().chain(of_emitters(cx, heard));
    let others: Vec<_> = kept.filter(|kept| kept.store != written).collect();
    let Some(first) = others.first() else { return };
    let span = fields.span("store");
    let place = cx.at(span);
    let (db, name) = (cx.db, cx.decl.name_text(cx.db));
    let message = format!("`{name}` writes `{written}`, and {} in `{}`", first.what, first.store);
    let meant = first.store;
    let one = others.iter().all(|kept| kept.store == meant);
    let finding = cx.report(app::SUBSCRIBER_VALUE_INVALID, span, message);
    for kept in &others {
        finding.related(names::key_place(db, kept.decl, kept.path), format!("kept in `{}`", kept.store));
    }
    finding.help("a subscriber writes the store that keeps its events: both are one transaction");
    if one && fields.entry("store").is_some() {
        finding.suggest(format!("write `{meant}`"), place, meant);
    }
}

fn of_connections<'db>(cx: &Check<'db>, heard: &Heard<'_>) -> Vec<Kept<'db>> {
    let db = cx.db;
    if heard.packages.is_empty() {
        return Vec::new();
    }
    let names = heard_connections(db, cx.decl).iter();
    let kept = names.filter_map(|name| {
        let decl = names::find(db, cx.scope, Keyword::Connection, name)?;
        let store = events_store(db, decl)?;
        let what = format!("`{name}` keeps its events");
        Some(Kept { what, store, decl, path: &["events", "store"] })
    });
    kept.collect()
}

/// What a subscriber emits goes into the store that it writes.
fn of_emitters<'db>(cx: &Check<'db>, heard: &Heard<'_>) -> Vec<Kept<'db>> {
    let db = cx.db;
    let kept = heard.of_app.iter().flat_map(|event| {
        let named = emitters(db, cx.scope).of(event).iter();
        named.map(move |name| (*event, name))
    });
    let kept = kept.filter_map(|(event, name)| {
        let decl = names::find(db, cx.scope, Keyword::Subscriber, name)?;
        let store = written_store(db, decl)?;
        Some(Kept { what: format!("`{name}` emits `{event}`"), store, decl, path: &["emits"] })
    });
    kept.collect()
}
