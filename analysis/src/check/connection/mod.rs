//! Rules of `connection`.

pub mod settings;

use crate::db::Db;
use crate::event_stores::events_store;
use crate::items::DeclSrc;
use crate::live_polls::live_polls;
use crate::model;
use crate::names;
use crate::package_facts::facts;
use crate::signature::{connection_signature, package_name};

use super::store;

/// The meaning of a connection without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<model::Connection> {
    let (fields, app) = (decl.fields(db)?, decl.scope(db));
    let package = package_name(db, decl)?;
    let scope = names::package(db, app.project(db), package)?;
    let signature = connection_signature(db, decl);
    let store = events_store(db, decl);
    let stored_ms = || store.and_then(|store| store::keep_ms(db, app, store)).or_else(store::default_keep_ms);
    Some(model::Connection {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        package: package.to_owned(),
        settings: settings::lower(db, scope, fields),
        max_concurrent: signature.max_concurrent.or(facts(db, scope).max_concurrent),
        live_polls: live_polls(db, decl).clone(),
        events_store: store.filter(|_| !live_polls(db, decl).is_empty()).map(str::to_owned),
        keep_ms: signature.keep_ms.or_else(stored_ms)?,
        plain_http: fields.boolean("plain_http")?,
    })
}
