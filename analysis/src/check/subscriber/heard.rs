//! A subscriber's `on:`: the events that it hears.

use jadpo_syntax::tree::{Keyword, Name};

use crate::check::Check;
use crate::check::events::event;
use crate::connections::connections;
use crate::diagnostics::codes::app;
use crate::keys::Fields;
use crate::names;
use crate::signature::package_name;
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
                Some([name]) if event(cx, name, None, app::SUBSCRIBER_VALUE_INVALID) => {
                    heard.of_app.push(&name.text);
                }
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
        if !event(cx, name, Some((&package.text, scope)), app::SUBSCRIBER_VALUE_INVALID) {
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
