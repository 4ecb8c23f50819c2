//! A subscriber's `on:` and `emits:`: the events that it hears and makes.

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Keyword, Name, Value};

use crate::check::Check;
use crate::connections::connections;
use crate::db::Db;
use crate::diagnostics::codes::app;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::keys::Fields;
use crate::model::{Type, TypeRef};
use crate::names;
use crate::nearest::nearest;
use crate::package_facts::facts;
use crate::resolve;
use crate::signature::{TypeSignature, is_broken, package_name, type_signature};
use crate::values;

/// What `on:` names.
pub struct Heard<'a> {
    /// The packages whose events it names and that are there, each once, with the first event that it names of each.
    pub packages: Vec<(&'a str, &'a str)>,
    /// The app's events that it names and that are there.
    pub of_app: Vec<&'a str>,
    /// Whether it names what is not there, so that more may be meant.
    pub unclear: bool,
}

impl<'a> Heard<'a> {
    /// Reads `on:` and reports what in it is no event that can be heard.
    pub fn read<'db>(cx: &mut Check<'db>, fields: Fields<'a>) -> Self {
        let mut heard = Self { packages: Vec::new(), of_app: Vec::new(), unclear: cx.broken };
        let elements = fields.elements("on");
        for value in elements {
            match values::path(value) {
                Some([name]) if event(cx, name, None) => heard.of_app.push(&name.text),
                Some([package, name]) => heard.of_package(cx, package, name),
                Some([_, _, ..]) => {
                    let message = "an event is written `Name`, and one of a package `package.Name`";
                    cx.report(app::SUBSCRIBER_VALUE_INVALID, value.span, message);
                    heard.unclear = true;
                }
                _ => heard.unclear = true,
            }
        }
        if elements.is_empty() {
            heard.unclear = true;
            if let Some(value) = fields.value("on") {
                let message = format!("`{}` hears no event", cx.decl.name_text(cx.db));
                cx.report(app::SUBSCRIBER_VALUE_INVALID, value.span, message).label("name one");
            }
        }
        heard
    }

    fn of_package(&mut self, cx: &mut Check<'_>, package: &'a Name, name: &'a Name) {
        let known = connections(cx.db, cx.scope);
        let Some(scope) = names::package(cx.db, cx.project, &package.text) else {
            self.unclear = true;
            // A connection to it says that it isn't there.
            if known.to(&package.text).is_empty() {
                no_package(cx, package);
            }
            return;
        };
        if !event(cx, name, Some((&package.text, scope))) {
            self.unclear = true;
            return;
        }
        if self.packages.iter().any(|(first, _)| *first == &*package.text) {
            return;
        }
        self.packages.push((&package.text, &name.text));
        if known.to(&package.text).is_empty() && !known.unclear {
            let text = &package.text;
            let message =
                format!("no connection uses package `{text}`, so its `{}` comes from nowhere", name.text);
            cx.report(app::SUBSCRIBER_VALUE_INVALID, package.span, message)
                .label("no connection")
                .help(format!("declare one: `connection {text} {{ package: {text} }}`"));
            self.unclear = true;
        }
    }
}

/// Reports a package that isn't there. Who names a connection means its package.
fn no_package(cx: &mut Check<'_>, name: &Name) {
    let db = cx.db;
    let connection = names::find(db, cx.scope, Keyword::Connection, &name.text);
    let Some(package) = connection.and_then(|decl| package_name(db, decl)) else {
        cx.package(name, app::NAME_UNKNOWN);
        return;
    };
    let place = cx.at(name.span);
    let message = format!("`{}` is a connection, and an event is named by its package", name.text);
    cx.report(app::NAME_UNKNOWN, name.span, message)
        .help(format!("`{}` is a connection to package `{package}`", name.text))
        .fix(format!("write `{package}`"), place, package);
}

/// Each of `emits:` is an event of the app's own.
pub fn emits(cx: &mut Check<'_>, fields: Fields<'_>) {
    for name in fields.elements("emits").iter().filter_map(values::bare_name) {
        if !event(cx, name, None) {
            continue;
        }
        let decl = names::find(cx.db, cx.scope, Keyword::Type, &name.text);
        if let Some(decl) = decl.filter(|decl| is_sent(cx.db, *decl)) {
            let declared = names::name_place(cx.db, decl);
            let message =
                format!("`{}` has a `wire_name`, so a provider sends it and no app emits it", name.text);
            cx.report(app::SUBSCRIBER_VALUE_INVALID, name.span, message).related(declared, "declared here");
        }
    }
}

/// Whether `name` is an event that the app may hear, of the app or of a package; otherwise that is reported.
fn event(cx: &mut Check<'_>, name: &Name, package: Option<(&str, Scope)>) -> bool {
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
                private(cx, name, decl, package);
            }
            false
        }
        other => {
            let declared = names::name_place(db, decl);
            let nearest = nearest_event(db, home, package.is_some(), &name.text);
            let message =
                format!("`{}` is {}, and only an Event is heard or emitted", name.text, other.what());
            cx.report(app::SUBSCRIBER_VALUE_INVALID, name.span, message)
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

fn private<'db>(cx: &mut Check<'db>, name: &Name, decl: DeclSrc<'db>, package: Option<(&str, Scope)>) {
    let db = cx.db;
    let place = names::name_place(db, decl);
    let package = package.map(|(package, _)| package).unwrap_or_default();
    let message = format!("`{}` is private to package `{package}`", name.text);
    cx.report(app::SUBSCRIBER_VALUE_INVALID, name.span, message)
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

/// Where the elements of a list stand; the value that stands alone counts as one.
pub fn named<'a>(fields: Fields<'a>, key: &str) -> impl Iterator<Item = (&'a Name, Span)> {
    let read = |value: &'a Value| Some((values::bare_name(value)?, value.span));
    fields.elements(key).iter().filter_map(read)
}
