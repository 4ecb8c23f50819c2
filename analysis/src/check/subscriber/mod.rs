//! Rules of `subscriber`.

use std::collections::BTreeSet;

use jadpo_syntax::tree::Keyword;

use crate::db::Db;
use crate::event_stores::written_store;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model;
use crate::signature::{package_name, subscriber_signature};
use crate::values;
use crate::walk::App;

/// The word in `uses:` for the connection that an event came through.
pub const ORIGIN: &str = "origin";

/// The meaning of a subscriber without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<model::Subscriber> {
    let fields = decl.fields(db)?;
    let signature = subscriber_signature(db, decl);
    let uses = names_of(fields, "uses");
    let mut from: Vec<String> = heard_connections(db, decl).iter().map(|name| name.to_string()).collect();
    from.sort();
    let mut emits: Vec<model::TypeRef> =
        signature.emits.iter().map(|name| model::TypeRef { package: None, name: name.to_string() }).collect();
    emits.sort();
    Some(model::Subscriber {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        on: signature.on.clone(),
        from,
        uses_origin: uses.contains(ORIGIN),
        uses: uses.into_iter().filter(|name| name != ORIGIN).collect(),
        emits,
        store: written_store(db, decl)?.to_owned(),
        within_ms: fields.duration_ms("within")?,
        retry: retry(fields)?,
    })
}

/// The connections whose events a subscriber hears: those of `from:`, else all to the packages of `on:`.
#[salsa::tracked(returns(deref))]
pub fn heard_connections<'db>(db: &'db dyn Db, decl: DeclSrc<'db>) -> Vec<Box<str>> {
    let signature = subscriber_signature(db, decl);
    if let Some(from) = &signature.from {
        return from.clone();
    }
    let packages: BTreeSet<&str> = signature.on.iter().filter_map(|event| event.package.as_deref()).collect();
    let connections = App(decl.scope(db)).declared(db, Keyword::Connection);
    connections
        .filter(|decl| package_name(db, *decl).is_some_and(|package| packages.contains(package)))
        .map(|decl| decl.name_text(db).into())
        .collect()
}

/// `retry:` with its defaults; `None` where a key of it isn't given rightly.
pub fn retry(fields: Fields<'_>) -> Option<model::Retry> {
    let fields = fields.block_or_empty("retry")?;
    Some(model::Retry {
        attempts: u32::try_from(fields.whole("attempts")?).ok()?,
        initial_ms: fields.duration_ms("initial")?,
        max_ms: fields.duration_ms("max")?,
    })
}

fn names_of(fields: Fields<'_>, key: &str) -> BTreeSet<String> {
    let names = fields.elements(key).iter().filter_map(values::bare_name);
    names.map(|name| name.text.to_string()).collect()
}
