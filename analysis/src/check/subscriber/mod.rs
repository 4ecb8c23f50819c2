//! Rules of `subscriber`.

mod from;
mod heard;
mod retry;
mod store;
mod uses;

use std::collections::BTreeSet;

use crate::connections::connections;
use crate::db::Db;
use crate::event_stores::written_store;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model;
use crate::signature::subscriber_signature;
use crate::values;

use super::{Check, events};
use heard::Heard;

/// The word in `uses:` for the connection that an event came through.
pub const ORIGIN: &str = "origin";

/// It hears events that reach it, calls connections that are there, and writes where its events are kept.
pub fn check<'db>(cx: &mut Check<'db>, fields: Fields<'db>) {
    let heard = Heard::read(cx, fields);
    from::check(cx, fields, &heard);
    uses::check(cx, fields, &heard);
    events::emits(cx, fields);
    store::check(cx, fields, &heard);
    retry::check(cx, fields);
}

/// The connections whose events a subscriber hears: those of `from:`, else all to the packages of `on:`.
#[salsa::tracked(returns(deref))]
pub fn heard_connections<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Vec<Box<str>> {
    let signature = subscriber_signature(db, decl);
    if let Some(from) = &signature.from {
        return from.clone();
    }
    let packages: BTreeSet<&str> = signature.on.iter().filter_map(|event| event.package.as_deref()).collect();
    let known = connections(db, decl.scope(db));
    packages.into_iter().flat_map(|package| known.to(package)).cloned().collect()
}

/// The meaning of a subscriber without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<model::Subscriber> {
    let fields = decl.fields(db)?;
    let signature = subscriber_signature(db, decl);
    let uses = names_of(fields, "uses");
    let mut from: Vec<String> = heard_connections(db, decl).iter().map(ToString::to_string).collect();
    from.sort();
    let emits: BTreeSet<_> = signature.emits.iter().map(|name| app_event(name)).collect();
    Some(model::Subscriber {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        on: signature.on.clone(),
        from,
        uses_origin: uses.contains(ORIGIN),
        uses: uses.into_iter().filter(|name| name != ORIGIN).collect(),
        emits: emits.into_iter().collect(),
        store: written_store(db, decl)?.to_owned(),
        within_ms: fields.duration_ms("within")?,
        retry: retry::read(fields)?,
    })
}

fn names_of(fields: Fields<'_>, key: &str) -> BTreeSet<String> {
    let names = fields.elements(key).iter().filter_map(values::bare_name);
    names.map(|name| name.text.to_string()).collect()
}

/// A reference to an event of the app.
fn app_event(name: &str) -> model::TypeRef {
    model::TypeRef { package: None, name: name.to_owned() }
}
