//! Rules of `connection`.

mod cap;
mod events;
mod polls;
mod settings;

use jadpo_syntax::tree::{Keyword, Name};

use crate::connections::connections;
use crate::db::Db;
use crate::diagnostics::Place;
use crate::diagnostics::codes::app;
use crate::event_stores::events_store;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::live_polls::live_polls;
use crate::model;
use crate::names;
use crate::nearest::nearest;
use crate::package_facts::{PackageFacts, facts};
use crate::signature::{Address, Known, connection_signature, is_broken, package_name};

use super::{Check, store};
use crate::check::subscriber::ORIGIN;

/// The package of a connection.
struct Used<'db> {
    name: &'db str,
    scope: Scope,
    provider: DeclSrc<'db>,
    facts: &'db PackageFacts,
    /// Whether the provider's syntax has problems: what it seems to lack then may be what could not be read.
    broken: bool,
}

/// Its package is there, and what it says fits the package.
pub fn check<'db>(cx: &mut Check<'db>, fields: Fields<'db>) {
    own_name(cx);
    events::store_is_known(cx, fields);
    let Some(used) = fields.name("package").and_then(|name| Used::find(cx, name)) else { return };
    settings::check(cx, fields, &used);
    cap::check(cx, fields, &used);
    polls::check(cx, fields, &used);
    plain_http(cx, fields, &used);
    events::are_kept(cx, fields);
    polls::unheard(cx, fields, &used);
}

/// The connection of this name, or a report of the nearest; `also` is a word that may stand in its place. Who names a
/// package most likely means the one connection to it.
pub fn named<'db>(cx: &mut Check<'db>, name: &Name, also: Option<&'static str>) -> Option<DeclSrc<'db>> {
    let (db, scope) = (cx.db, cx.scope);
    let found = names::find(db, scope, Keyword::Connection, &name.text);
    if found.is_none() && names::is_missing(db, scope, Keyword::Connection, &name.text) {
        let known = names::declared(db, scope, Keyword::Connection).map(|decl| decl.name_text(db));
        let nearest =
            connections(db, scope).only_to(&name.text).or_else(|| nearest(&name.text, known.chain(also)));
        let message = format!("there is no connection `{}`", name.text);
        cx.report(app::NAME_UNKNOWN, name.span, message).nearest(nearest);
    }
    found
}

/// `uses: [origin]` says which connection an event came through, and can't say another thing.
fn own_name(cx: &mut Check<'_>) {
    if cx.decl.name_text(cx.db) == ORIGIN {
        let head = cx.head();
        cx.report(app::CONNECTION_VALUE_INVALID, head, "no connection can be called `origin`")
            .label("has a meaning of its own")
            .help("in `uses`, `origin` is the connection that an event came through: choose another name");
    }
}

/// `plain_http` has a meaning only where a setting gives the host of an `http` address.
fn plain_http<'db>(cx: &mut Check<'db>, fields: Fields<'_>, used: &Used<'db>) {
    if fields.boolean("plain_http") != Some(true) {
        return;
    }
    let why = match used.facts.address {
        None | Some(Address { is_http: true, host_is_given: true }) => return,
        Some(Address { is_http: false, .. }) => "is `https`",
        Some(Address { host_is_given: false, .. }) => "takes its host from no setting",
    };
    let message = format!("`plain_http` allows nothing here: `base_url` of package `{}` {why}", used.name);
    let base_url = used.place(cx, &["base_url"]);
    cx.report(app::CONNECTION_VALUE_INVALID, fields.span("plain_http"), message)
        .label("leave it out")
        .related(base_url, "the package's address");
}

impl<'db> Used<'db> {
    /// The package of this name, or a report of the nearest.
    fn find(cx: &mut Check<'db>, name: &Name) -> Option<Self> {
        let scope = cx.package(name, app::CONNECTION_PACKAGE_UNKNOWN)?;
        let provider = names::owner(cx.db, scope)?;
        let facts = facts(cx.db, scope);
        let known = facts.settings_known == Known::All && facts.polls_known == Known::All;
        let broken = !known || is_broken(cx.db, provider);
        Some(Self { name: provider.name_text(cx.db), scope, provider, facts, broken })
    }

    /// Where a key of its provider stands. For reports only.
    fn place(&self, cx: &Check<'db>, path: &[&str]) -> Place<'db> {
        names::key_place(cx.db, self.provider, path)
    }
}

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
