//! A connection's `settings:`.

use std::collections::{BTreeMap, HashSet};

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Entry, Name, Value, ValueKind};

use super::Used;
use crate::check::{Check, environment, sent};
use crate::db::Db;
use crate::diagnostics::codes::app;
use crate::inputs::Scope;
use crate::keys::Fields;
use crate::literal;
use crate::model::SettingSource;
use crate::nearest::nearest;
use crate::package_facts::{SettingFact, facts};
use crate::prose;
use crate::signature::Known;
use crate::values;

/// Each entry gives one of the package's settings a value that it takes, and none that is needed is missing.
pub fn check<'db>(cx: &mut Check<'db>, fields: Fields<'_>, used: &Used<'db>) {
    let entries = fields.open_entries("settings");
    let all_known = used.facts.settings_known == Known::All;
    if used.facts.settings.is_empty() && !entries.is_empty() && all_known {
        let message = format!("package `{}` has no settings", used.name);
        let place = used.place(cx, &[]);
        let key = fields.entry("settings").map_or(fields.block.span, |entry| entry.key.span);
        cx.report(app::CONNECTION_KEY_INVALID, key, message)
            .label("it takes none")
            .related(place, "the package");
        return;
    }
    let mut meant = Vec::new();
    let mut known = HashSet::new();
    for entry in entries {
        let again = !known.insert(&entry.key.text);
        match used.facts.setting(&entry.key.text) {
            Some(setting) if !again => value(cx, entry, setting, used),
            None if all_known => meant.extend(unknown(cx, entries, entry, used)),
            _ => {}
        }
    }
    missing(cx, fields, used, &meant);
}

/// Reports a setting that the package hasn't, and gives the one that was probably meant.
fn unknown<'db>(cx: &mut Check<'db>, entries: &[Entry], entry: &Entry, used: &Used<'db>) -> Option<Box<str>> {
    let settings = used.facts.settings.iter();
    let free = settings.filter(|setting| entries.iter().all(|entry| entry.key.text != setting.name));
    let meant = nearest(&entry.key.text, free.map(|setting| &*setting.name));
    let known = prose::list(used.facts.settings.iter().map(|setting| &*setting.name));
    let message = format!("package `{}` has no setting `{}`", used.name, entry.key.text);
    cx.report(app::CONNECTION_KEY_INVALID, entry.key.span, message)
        .help(format!("its settings are {known}"))
        .nearest(meant);
    meant.map(Into::into)
}

fn value<'db>(cx: &mut Check<'db>, entry: &Entry, setting: &SettingFact, used: &Used<'db>) {
    let name = &setting.name;
    let env = env_text(cx, name);
    let Some(value) = &entry.value else {
        if !cx.broken {
            let place = cx.at(Span::empty(entry.span.end));
            let message = format!("`{name}` has no value");
            cx.report(app::CONNECTION_VALUE_INVALID, entry.key.span, message)
                .help(format!("write `{env}` for what is given at start-up"))
                .suggest(format!("write `{env}`"), place, format!(" {env}"));
        }
        return;
    };
    match values::call(value) {
        Some((call, args)) => from_environment(cx, name, value, call, args),
        None if setting.secret => {
            let place = cx.at(value.span);
            let declared = used.place(cx, &["settings", name]);
            let message = format!("`{name}` is a `Secret`, which is never written down");
            cx.report(app::CONNECTION_VALUE_INVALID, value.span, message)
                .related(declared, "declared here")
                .help(format!("`{env}` reads it from the environment at start-up"))
                .suggest(format!("write `{env}`"), place, env);
        }
        None => literal(cx, value, setting, used),
    }
}

/// `env("NAME")`, with a name that a variable can have.
fn from_environment(cx: &mut Check<'_>, setting: &str, value: &Value, call: &Name, args: &[Value]) {
    if &*call.text != "env" {
        let message = format!("`{setting}` takes a value or `env(\"NAME\")`, not `{}(…)`", call.text);
        cx.report(app::CONNECTION_VALUE_INVALID, call.span, message).nearest(nearest(&call.text, ["env"]));
        return;
    }
    let Some(variable) = values::env(value) else {
        let env = env_text(cx, setting);
        let meant = match args {
            [arg] => values::bare_name(arg).map(|name| (arg.span, format!("\"{}\"", name.text))),
            _ => None,
        };
        let (span, text) = meant.unwrap_or((value.span, env));
        let place = cx.at(span);
        let message = "`env` takes the name of one environment variable, as a string";
        cx.report(app::CONNECTION_VALUE_INVALID, span, message).suggest(
            format!("write `{text}`"),
            place,
            text,
        );
        return;
    };
    environment::name(cx, variable, app::CONNECTION_VALUE_INVALID);
}

/// A value that stands in the manifest is one of the setting's type.
fn literal<'db>(cx: &mut Check<'db>, value: &Value, setting: &SettingFact, used: &Used<'db>) {
    let Some(ty) = &setting.ty else { return };
    let misread = match literal::canonical(cx.db, used.scope, ty, value) {
        Some(Err(misread)) => misread,
        Some(Ok(json)) => return unsendable(cx, value, setting, &json, used),
        None => return,
    };
    let place = cx.at(misread.span);
    let declared = used.place(cx, &["settings", &setting.name]);
    let message = misread.message(&setting.name, value);
    let finding = cx.report(app::CONNECTION_VALUE_INVALID, misread.span, message);
    finding.related(declared, format!("declared here as `{}`", setting.ty_text));
    if let Some(meant) = misread.meant {
        finding.help(format!("did you mean `{meant}`?")).fix(format!("write `{meant}`"), place, meant);
    }
}

/// Reports a value that can't be sent where the package sends it.
fn unsendable<'db>(cx: &mut Check<'db>, value: &Value, setting: &SettingFact, json: &str, used: &Used<'db>) {
    let Some(why) = sent::refused(setting.sent, json) else { return };
    let declared = used.place(cx, &["settings", &setting.name]);
    cx.report(app::CONNECTION_VALUE_INVALID, value.span, format!("`{}` {why}", setting.name))
        .related(declared, "declared here");
}

/// Reports the settings that must be given and are not, all at once.
fn missing<'db>(cx: &mut Check<'db>, fields: Fields<'_>, used: &Used<'db>, meant: &[Box<str>]) {
    let unread = match fields.entry("settings") {
        Some(entry) => !matches!(entry.value.as_ref().map(|value| &value.kind), Some(ValueKind::Block(_))),
        None => fields.is_meant("settings"),
    };
    if cx.broken || used.broken || unread {
        return;
    }
    let given = fields.open_entries("settings");
    let needed = used.facts.settings.iter().filter(|setting| {
        setting.ty.is_some()
            && !setting.has_default
            && !setting.nullable
            && !meant.contains(&setting.name)
            && given.iter().all(|entry| entry.key.text != setting.name)
    });
    let needed: Vec<&str> = needed.map(|setting| &*setting.name).collect();
    let Some(first) = needed.first() else { return };
    let noun = if needed.len() == 1 { "setting" } else { "settings" };
    let message = format!(
        "`{}` gives no value to the {noun} {} of package `{}`",
        cx.decl.name_text(cx.db),
        prose::list(needed.iter().copied()),
        used.name
    );
    let lines: Vec<_> = needed.iter().map(|name| format!("{name}: {}", env_text(cx, name))).collect();
    let span = fields.entry("settings").map_or(cx.head(), |entry| entry.key.span);
    let place = used.place(cx, &["settings", first]);
    let lines = lines.join("  ");
    let (at, text) = match fields.value("settings").map(|value| &value.kind) {
        Some(ValueKind::Block(block)) => cx.insertion(block, &lines),
        _ => cx.insertion(fields.block, &format!("settings: {{ {lines} }}")),
    };
    let finding = cx.report(app::CONNECTION_KEY_MISSING, span, message);
    finding.related(place, "declared here, without a default");
    finding.help(format!("write `{lines}` in `settings`"));
    finding.suggest(format!("give {}", prose::list(needed)), at, text);
}

/// `env("FEED_API_KEY")`, a name that says where it is used.
fn env_text(cx: &Check<'_>, setting: &str) -> String {
    let connection = cx.decl.name_text(cx.db);
    format!("env(\"{}\")", format!("{connection}_{setting}").to_ascii_uppercase())
}

/// Where each setting that the connection gives has its value from.
pub fn lower(db: &dyn Db, package: Scope, fields: Fields<'_>) -> BTreeMap<String, SettingSource> {
    let given = fields.open_entries("settings").iter().filter_map(|entry| {
        let value = entry.value.as_ref()?;
        let source = if let Some(variable) = values::env(value) {
            SettingSource::Env(variable.value.to_string())
        } else {
            let ty = facts(db, package).setting(&entry.key.text)?.ty.as_ref()?;
            SettingSource::Literal(literal::canonical(db, package, ty, value)?.ok()?)
        };
        Some((entry.key.text.to_string(), source))
    });
    given.collect()
}
