//! A subscriber's `from:`: the connections whose events it hears.

use jadpo_syntax::tree::Name;

use super::Heard;
use crate::check::uses::named;
use crate::check::{Check, connection};
use crate::connections::connections;
use crate::diagnostics::codes::app;
use crate::keys::Fields;
use crate::names;
use crate::signature::package_name;

/// Each connection is one to a package of `on:`, and each package of `on:` has one.
pub fn check(cx: &mut Check<'_>, fields: Fields<'_>, heard: &Heard<'_>) {
    let Some(value) = fields.value("from") else { return };
    let mut reached = Vec::new();
    let mut right = fields.elements("from").len() == named(fields, "from").count();
    for (name, _) in named(fields, "from") {
        match package_of(cx, name, heard) {
            Some(package) => reached.push(package),
            None => right = false,
        }
    }
    if !right || heard.unclear || cx.broken {
        return;
    }
    if heard.packages.is_empty() {
        let message =
            "`from` narrows nothing: `on` names events of the app alone, which come through no connection";
        cx.report(app::SUBSCRIBER_VALUE_INVALID, value.span, message).label("leave it out");
        return;
    }
    let missed = heard.packages.iter().filter(|(package, _)| !reached.contains(package));
    for (package, event) in missed.copied().collect::<Vec<_>>() {
        missing(cx, fields, package, event);
    }
}

/// The package of a connection that `from:` may name; otherwise `None`, and a report of what is wrong.
fn package_of<'db>(cx: &mut Check<'db>, name: &Name, heard: &Heard<'_>) -> Option<&'db str> {
    let db = cx.db;
    let decl = connection::named(cx, name, None)?;
    let package = package_name(db, decl)?;
    names::package(db, cx.project, package)?;
    if heard.unclear || heard.packages.is_empty() || heard.packages.iter().any(|(known, _)| *known == package)
    {
        return Some(package);
    }
    let used = names::key_place(db, decl, &["package"]);
    let message =
        format!("`{}` is a connection to package `{package}`, of which `on` names no event", name.text);
    let meant = match &heard.packages[..] {
        [(only, _)] => connections(db, cx.scope).only_to(only),
        _ => None,
    };
    cx.report(app::SUBSCRIBER_VALUE_INVALID, name.span, message).related(used, "its package").nearest(meant);
    None
}

/// Reports that no connection of `from:` brings the events of a package.
fn missing(cx: &mut Check<'_>, fields: Fields<'_>, package: &str, event: &str) {
    let known = connections(cx.db, cx.scope).to(package);
    let span = fields.span("from");
    let place = cx.at(span);
    let message = format!("`from` names no connection to package `{package}`, whose `{event}` is in `on`");
    let finding = cx.report(app::SUBSCRIBER_VALUE_INVALID, span, message);
    if let [only] = known {
        let names = named(fields, "from").map(|(name, _)| &*name.text).chain([&**only]);
        let text = format!("[{}]", names.collect::<Vec<_>>().join(", "));
        finding.help(format!("add `{only}`")).fix(format!("write `{text}`"), place, text);
    } else {
        let names = crate::prose::list(known.iter().map(|name| &**name));
        finding.help(format!("the connections to it are {names}"));
    }
}
