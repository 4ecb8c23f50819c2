//! Events that are named: those that are heard, and those of `emits:`.

use jadpo_syntax::tree::{Keyword, Name};

use super::Check;
use crate::db::Db;
use crate::diagnostics::Code;
use crate::diagnostics::codes::app;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::{Type, TypeRef};
use crate::names;
use crate::nearest::nearest;
use crate::package_facts::facts;
use crate::resolve;
use crate::signature::{TypeSignature, is_broken, type_signature};
use crate::values;

/// Each of `emits:` is an event of the app's own.
pub fn emits(cx: &mut Check<'_>, fields: Fields<'_>) {
    let code = fields.table.codes.value_invalid;
    for name in fields.elements("emits").iter().filter_map(values::bare_name) {
        if !event(cx, name, None, code) {
            continue;
        }
        let decl = names::find(cx.db, cx.scope, Keyword::Type, &name.text);
        if let Some(decl) = decl.filter(|decl| is_sent(cx.db, *decl)) {
            let declared = names::name_place(cx.db, decl);
            let message =
                format!("`{}` has a `wire_name`, so a provider sends it and no app emits it", name.text);
            cx.report(code, name.span, message).related(declared, "declared here");
        }
    }
}

/// Whether `name` is an event that the app may hear, of the app or of a package; otherwise that is reported, and with
/// `code` if it is another thing.
pub fn event(cx: &mut Check<'_>, name: &Name, package: Option<(&str, Scope)>, code: Code) -> bool {
    let db = cx.db;
    let home = package.map_or(cx.scope, |(_, scope)| scope);
    let Some(decl) = names::find(db, home, Keyword::Type, &name.text) else {
        unknown(cx, name, package);
        return false;
    };
    let signature = type_signature(db, decl);
    let named = Type::Named(TypeRef { package: None, name: name.text.to_string() });
    match signature {
        TypeSignature::Missing => false,
        // What it was meant to be can't be known.
        TypeSignature::Alias(_) | TypeSignature::Newtype(_) if resolve::kind(db, home, &named).is_none() => {
            false
        }
        other if !matches!(other, TypeSignature::Event { .. }) && is_broken(db, decl) => false,
        TypeSignature::Event { .. } if package.is_none() || decl.public(db) => true,
        TypeSignature::Event { .. } => {
            // A poll that emits it has been refused for the same reason.
            let reported =
                facts(db, home).polls.iter().any(|poll| poll.event.as_deref() == Some(&*name.text));
            if !reported {
                private(cx, name, decl, package, code);
            }
            false
        }
        other => {
            let declared = names::name_place(db, decl);
            let nearest = nearest_event(db, home, package.is_some(), &name.text);
            let message =
                format!("`{}` is {}, and only an Event is heard or emitted", name.text, other.what());
            cx.report(code, name.span, message)
                .related(declared, format!("declared here as {}", other.what()))
                .nearest(nearest);
            false
        }
    }
}

fn unknown(cx: &mut Check<'_>, name: &Name, package: Option<(&str, Scope)>) {
    let db = cx.db;
    let home = package.map_or(cx.scope, |(_, scope)| scope);
    let (message, meant) = match package {
        Some((package, _)) => (
            format!("package `{package}` has no event `{}`", name.text),
            nearest_event(db, home, true, &name.text).map(str::to_owned),
        ),
        None => (
            format!("the app has no event `{}`", name.text),
            nearest_event(db, home, false, &name.text)
                .map(str::to_owned)
                .or_else(|| only_in_package(cx, name)),
        ),
    };
    if names::is_missing(db, home, Keyword::Type, &name.text) {
        cx.report(app::NAME_UNKNOWN, name.span, message).nearest(meant.as_deref());
    }
}

fn private<'db>(
    cx: &mut Check<'db>,
    name: &Name,
    decl: DeclSrc<'db>,
    package: Option<(&str, Scope)>,
    code: Code,
) {
    let db = cx.db;
    let place = names::name_place(db, decl);
    let package = package.map(|(package, _)| package).unwrap_or_default();
    let message = format!("`{}` is private to package `{package}`", name.text);
    cx.report(code, name.span, message)
        .label("private")
        .related(place, "declared here without `public`")
        .help("an app hears only the public events of a package");
}

/// The event whose name is nearest; of a package only a public one.
fn nearest_event<'db>(db: &'db dyn Db, home: Scope, public: bool, written: &str) -> Option<&'db str> {
    nearest(written, events(db, home, public).map(|decl| decl.name_text(db)))
}

fn events(db: &dyn Db, home: Scope, public: bool) -> impl Iterator<Item = DeclSrc<'_>> {
    let types = names::declared(db, home, Keyword::Type).filter(move |decl| !public || decl.public(db));
    types.filter(|decl| matches!(type_signature(db, *decl), TypeSignature::Event { .. }))
}

/// The event of this very name in the one package that has one, as an app names it.
fn only_in_package(cx: &Check<'_>, name: &Name) -> Option<String> {
    let db = cx.db;
    let packages = names::packages(db, cx.project).iter();
    let mut found =
        packages.filter(|(_, scope)| events(db, *scope, true).any(|decl| decl.name_text(db) == &*name.text));
    match (found.next(), found.next()) {
        (Some((package, _)), None) => Some(format!("{}.{}", package.text(db), name.text)),
        _ => None,
    }
}

fn is_sent(db: &dyn Db, decl: DeclSrc<'_>) -> bool {
    matches!(type_signature(db, decl), TypeSignature::Event { wire_name: Some(_), .. })
}
