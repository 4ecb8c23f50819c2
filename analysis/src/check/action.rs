//! Rules of `action`.

use std::collections::BTreeSet;

use jadpo_syntax::tree::{Keyword, Name, ValueKind};

use super::subscriber::ORIGIN;
use super::types::type_use::{self, Place};
use super::{Check, events, objects, uses, written};
use crate::db::Db;
use crate::diagnostics::codes::{app, deferred};
use crate::event_stores::written_store;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::lower::placed;
use crate::model::{Action, TypeRef};
use crate::names;
use crate::nearest::nearest;
use crate::signature::action_signature;

/// What it is given, answers and does is there.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>) {
    objects::input(cx, fields);
    if let Some(ValueKind::Type(expr, block)) = fields.value("output").map(|value| &value.kind) {
        type_use::check(cx, expr, block.as_ref(), Place::Value);
    }
    written::check(cx, fields, deferred::ACTION_STORE_REQUIRED);
    for (name, span) in uses::named(fields, "uses") {
        if &*name.text == ORIGIN && names::find(cx.db, cx.scope, Keyword::Connection, ORIGIN).is_none() {
            let message =
                "`origin` is the connection that an event came through, and an action runs without one";
            cx.report(deferred::ACTION_VALUE_INVALID, span, message).help("name a connection");
        } else {
            uses::connection(cx, name, span, None);
        }
    }
    events::emits(cx, fields);
    for (name, _) in uses::named(fields, "starts") {
        started(cx, name);
    }
}

/// Each of `starts:` is a batch or a backfill that keeps its runs where the action writes.
fn started(cx: &mut Check<'_>, name: &Name) {
    const KINDS: [Keyword; 2] = [Keyword::Batch, Keyword::Backfill];
    let (db, scope) = (cx.db, cx.scope);
    if let Some(decl) = KINDS.into_iter().find_map(|kind| names::find(db, scope, kind, &name.text)) {
        return kept_elsewhere(cx, name, decl);
    }
    if KINDS.iter().any(|kind| !names::is_missing(db, scope, *kind, &name.text)) {
        return;
    }
    let known = KINDS.into_iter().flat_map(|kind| names::declared(db, scope, kind));
    let meant = nearest(&name.text, known.map(|decl| decl.name_text(db)));
    let message = format!("there is no batch or backfill `{}`", name.text);
    cx.report(app::NAME_UNKNOWN, name.span, message).nearest(meant);
}

/// Reports a batch that is kept in another store: a run is kept in the commit of the action that starts it.
fn kept_elsewhere<'db>(cx: &mut Check<'db>, name: &Name, started: DeclSrc<'db>) {
    let db = cx.db;
    let (Some(written), Some(kept)) = (written_store(db, cx.decl), written_store(db, started)) else {
        return;
    };
    if written == kept {
        return;
    }
    let place = names::key_place(db, started, &["store"]);
    let action = cx.decl.name_text(db);
    let message =
        format!("`{action}` writes store `{written}`, and `{}` is kept in store `{kept}`", name.text);
    cx.report(deferred::ACTION_VALUE_INVALID, name.span, message)
        .label("kept in another store")
        .related(place, "where its runs are kept")
        .help("a run starts in the commit of its action, so both are of one store");
}

/// The meaning of an action without errors.
pub fn lower(db: &dyn Db, decl: DeclSrc<'_>) -> Option<Action> {
    let (signature, scope) = (action_signature(db, decl), decl.scope(db));
    let sorted = |names: &[Box<str>]| names.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    let emits = sorted(&signature.emits).into_iter().map(|name| TypeRef { package: None, name });
    Some(Action {
        name: decl.name_text(db).to_owned(),
        doc: decl.doc(db),
        public: decl.public(db),
        store: written_store(db, decl)?.to_owned(),
        input: signature.input.as_ref().and_then(|input| objects::reference(db, scope, input)),
        output: signature.output.as_ref().map(|output| placed(db, scope, output)),
        emits: emits.collect(),
        uses: sorted(&signature.uses).into_iter().collect(),
        starts: sorted(&signature.starts),
    })
}
