//! A subscriber's `uses:`: the connections that its code may call.

use jadpo_syntax::Span;

use super::{Heard, ORIGIN};
use crate::check::Check;
use crate::check::uses::{self, note, nothing_callable};
use crate::diagnostics::codes::app;
use crate::keys::Fields;
use crate::names;
use crate::prose;

/// Each is a connection with something to call.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>, heard: &Heard<'_>) {
    for (name, span) in uses::named(fields, "uses") {
        if &*name.text == ORIGIN {
            origin(cx, span, heard);
            continue;
        }
        uses::connection(cx, name, span, Some(ORIGIN));
    }
}

/// `origin` is the connection that an event came through, so one must come through a connection.
fn origin(cx: &mut Check<'_>, span: Span, heard: &Heard<'_>) {
    let db = cx.db;
    if heard.unclear {
        return;
    }
    if heard.packages.is_empty() {
        let message =
            "`origin` is the connection that an event came through, and none of `on` comes through one";
        cx.report(app::SUBSCRIBER_VALUE_INVALID, span, message)
            .label("comes through none")
            .help("name a connection, or leave `origin` out");
        return;
    }
    let scopes = heard.packages.iter().map(|(package, _)| names::package(db, cx.project, package));
    let providers: Option<Vec<_>> = scopes.map(|scope| nothing_callable(db, scope?)).collect();
    if let Some(providers) = providers {
        let packages = prose::list(heard.packages.iter().map(|(package, _)| *package));
        let (noun, verb) = if heard.packages.len() == 1 { ("package", "has") } else { ("packages", "have") };
        let message = format!("`origin` has nothing to call: {noun} {packages} {verb} no public operation");
        note(cx, span, message, &providers);
    }
}
