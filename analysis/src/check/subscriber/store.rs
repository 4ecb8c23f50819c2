//! Where a subscriber writes: the store that it names, or the only one of the app.

use std::collections::BTreeSet;

use jadpo_syntax::tree::Keyword;

use super::{Heard, heard_connections};
use crate::check::{Check, written};
use crate::diagnostics::codes::app;
use crate::event_stores::{emitted, events_store, stores, unkept};
use crate::keys::Fields;
use crate::names;

/// Its store is there, and is said where there are several.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>, heard: &Heard<'_>) {
    if written::is_known(cx, fields) {
        return;
    }
    // Without any store, the connections whose events would be kept say so, and what is heard decides whether one is.
    let silent = heard.unclear || !heard.packages.is_empty() || unkept(cx.db, cx.scope);
    if stores(cx.db, cx.scope).is_empty() && silent {
        return;
    }
    let likely: Vec<_> = keeping(cx, heard).into_iter().collect();
    written::required(cx, fields, app::SUBSCRIBER_STORE_REQUIRED, &likely);
}

/// The stores that keep what it hears, which are the ones that it most likely writes.
fn keeping<'db>(cx: &Check<'db>, heard: &Heard<'_>) -> BTreeSet<&'db str> {
    let (db, scope) = (cx.db, cx.scope);
    let through = heard_connections(db, cx.decl).iter().filter(|_| !heard.packages.is_empty());
    let of_connections = through.filter_map(|name| {
        let decl = names::find(db, scope, Keyword::Connection, name)?;
        events_store(db, decl)
    });
    let of_app = heard.of_app.iter().flat_map(|event| emitted(db, scope).kept_in(event));
    of_connections.chain(of_app).collect()
}
