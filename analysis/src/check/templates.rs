//! Rules of templates: every hole names a setting or a field of the input, and its value can stand where it is put.

use jadpo_syntax::tree::{Entry, Keyword, Number, Value, ValueKind};

use super::Check;
use crate::diagnostics::Code;
use crate::diagnostics::codes::app::NAME_UNKNOWN;
use crate::diagnostics::codes::package::PACKAGE_SECRET_EXPOSED;
use crate::inputs::Scope;
use crate::items::DeclSrc;
use crate::model::{self, Type};
use crate::names;
use crate::nearest::nearest;
use crate::resolve::{self, Kind};
use crate::signature::{self, FieldSignature, Known, is_broken, settings, settings_known, type_text};
use crate::values::{self, Hole, HoleSource, Part, Template};

/// Where a template stands.
#[derive(Clone, Copy)]
pub struct Site<'a, 'db> {
    /// The code of what is wrong here, other names and secrets apart.
    pub code: Code,
    /// What it is, as messages name it: "a path".
    pub what: &'a str,
    /// Whether it may hold a secret.
    pub secret: bool,
    /// Whether it must be there, so that no hole may be absent or none.
    pub required: bool,
    /// Whether a `List` may stand alone in it.
    pub list: bool,
    /// What `input.` means.
    pub input: Input<'db>,
}

/// What `input.` means where a template stands.
#[derive(Clone, Copy)]
pub enum Input<'db> {
    /// A provider has no input.
    OfNobody,
    /// The operation has none.
    None,
    /// It has one that means nothing, which has been reported.
    Unknown,
    /// The object of this declaration.
    Object(DeclSrc<'db>, &'db [FieldSignature]),
}

/// The fields of the input that templates use, and whether every hole was right.
#[derive(Default)]
pub struct Used {
    /// Each once, in the order of use.
    pub fields: Vec<String>,
    /// Whether a hole names nothing, so that what it was meant for seems unused.
    pub misses: bool,
    /// Whether the missing `input:` has been reported.
    no_input: bool,
}

/// A value that is sent: a template, a number or a word of the language.
pub fn value<'db>(cx: &mut Check<'db>, entry: &Entry, site: Site<'_, 'db>, used: &mut Used) {
    let key = &entry.key.text;
    let Some(value) = &entry.value else {
        if !cx.broken {
            cx.report(site.code, entry.key.span, format!("`{key}` has no value"))
                .help(format!("write a string, a number, {}", holes_text(site.input)));
        }
        return;
    };
    if let Some(template) = values::template(value) {
        quoted_name(cx, value, site);
        return check(cx, &template, site, used);
    }
    if literal(value).is_some()
        || matches!(&value.kind, ValueKind::Number(number) if number.number == Number::Invalid)
    {
        return;
    }
    let written = match &value.kind {
        ValueKind::Type(expr, _) => format!("`{}`", expr.path_text()),
        ValueKind::Number(number) => format!("`{}`", number.text),
        _ => values::form_of(value).to_owned(),
    };
    let meant = values::bare_name(value).and_then(|name| qualified(cx, &name.text, site.input));
    let place = cx.at(value.span);
    let message = format!("`{key}` takes a string, a number, {}, not {written}", holes_text(site.input));
    let finding = cx.report(site.code, value.span, message);
    match (meant, values::bare_name(value)) {
        (Some(meant), _) => {
            finding.nearest(Some(&meant));
        }
        (None, Some(name)) => {
            let quoted = format!("\"{}\"", name.text);
            finding.suggest(format!("write {quoted}"), place, quoted);
        }
        (None, None) => {}
    }
}

/// `"settings.x"`, whose letters would be sent though a setting of that name is there.
pub fn quoted_name(cx: &mut Check<'_>, value: &Value, site: Site<'_, '_>) {
    let Some(text) = values::text(value) else { return };
    let name = text.value.rsplit('.').next().unwrap_or_default();
    let Some(named) = qualified(cx, name, site.input).filter(|named| **named == *text.value) else { return };
    let place = cx.at(value.span);
    let message = format!("\"{named}\" sends these letters, not what `{named}` is");
    cx.report(site.code, value.span, message)
        .help("a name stands without quotes, and within other text in braces")
        .fix(format!("write `{named}`"), place, named);
}

/// What a written value is, for the plan: a template, or the text of a number or a word.
pub fn lowered(value: &Value) -> Option<model::Template> {
    match values::template(value) {
        Some(template) => Some(lower(&template)),
        None => literal(value).map(|text| model::Template { parts: vec![model::Part::Text(text)] }),
    }
}

/// A template, for the plan.
pub fn lower(template: &Template<'_>) -> model::Template {
    let part = |part: &Part<'_>| match part {
        Part::Text(text) => model::Part::Text((*text).to_owned()),
        Part::Hole(hole) if hole.source == HoleSource::Input => model::Part::Input(hole.name.to_owned()),
        Part::Hole(hole) => model::Part::Setting(hole.name.to_owned()),
    };
    model::Template { parts: template.parts.iter().map(part).collect() }
}

/// A number or a boolean in canonical text.
fn literal(value: &Value) -> Option<String> {
    match &value.kind {
        ValueKind::Number(number) => match number.number {
            Number::Int(_) | Number::Decimal(_) => {
                signature::bounded(value).map(|decimal| decimal.to_string())
            }
            _ => None,
        },
        _ => values::boolean(value).map(|boolean| boolean.to_string()),
    }
}

fn holes_text(input: Input<'_>) -> &'static str {
    match input {
        Input::OfNobody => "`true`, `false` or `settings.name`",
        _ => "`true`, `false`, `settings.name` or `input.name`",
    }
}

/// `settings.x` or `input.x` for a bare `x` that is one of them.
fn qualified(cx: &Check<'_>, name: &str, input: Input<'_>) -> Option<String> {
    if settings(cx.db, cx.scope).iter().any(|setting| &*setting.name == name) {
        return Some(format!("settings.{name}"));
    }
    let Input::Object(_, fields) = input else { return None };
    fields.iter().any(|field| &*field.name == name).then(|| format!("input.{name}"))
}

/// Checks each hole of a template.
pub fn check<'db>(cx: &mut Check<'db>, template: &Template<'_>, site: Site<'_, 'db>, used: &mut Used) {
    let alone = matches!(template.parts[..], [Part::Hole(_)]);
    for hole in template.holes() {
        match hole.source {
            HoleSource::Settings => setting(cx, hole, site, alone),
            HoleSource::Input => input(cx, hole, site, alone, used),
            HoleSource::Invalid => invalid(cx, hole, site, used),
        }
    }
}

/// Braces around something else, or one brace without the other.
fn invalid(cx: &mut Check<'_>, hole: &Hole<'_>, site: Site<'_, '_>, used: &mut Used) {
    let inside = hole.name.trim_start_matches('{').trim_end_matches('}').trim();
    let bare = inside.rsplit('.').next().unwrap_or(inside);
    let meant = qualified(cx, bare, site.input).map(|meant| format!("{{{meant}}}"));
    used.misses = true;
    let message = if hole.name.starts_with('{') && hole.name.ends_with('}') && hole.name.len() > 1 {
        format!("`{}` is no hole of {}", hole.name, site.what)
    } else {
        format!("a brace in {} is without its other one", site.what)
    };
    let written = match site.input {
        Input::OfNobody => "a hole is written `{settings.name}`",
        _ => "a hole is written `{settings.name}` or `{input.name}`",
    };
    cx.report(site.code, hole.span, message).help(written).nearest(meant.as_deref());
}

fn setting<'db>(cx: &mut Check<'db>, hole: &Hole<'_>, site: Site<'_, 'db>, alone: bool) {
    let (db, scope) = (cx.db, cx.scope);
    let known = settings(db, scope);
    let Some(setting) = known.iter().find(|setting| &*setting.name == hole.name) else {
        if settings_known(db, scope) == Known::Unsure {
            return;
        }
        let meant = nearest(hole.name, known.iter().map(|setting| &*setting.name));
        let mut finding =
            cx.report(NAME_UNKNOWN, hole.name_span, format!("there is no setting `{}`", hole.name));
        if meant.is_none() {
            finding = finding.help("the package's settings stand in its provider's `settings:`");
        }
        finding.nearest(meant);
        return;
    };
    let owner = names::owner(db, scope);
    let declared = Declared { decl: owner, path: &["settings", hole.name] };
    if let Some(ty) = &setting.ty {
        let nullable = resolve::is_nullable(db, scope, ty);
        let absent = (nullable && !setting.has_default).then_some("may be none");
        fits(
            cx,
            hole,
            &Filled { scope, ty, absent, name: format!("settings.{}", hole.name), declared },
            site,
            alone,
        );
    }
}

fn input<'db>(cx: &mut Check<'db>, hole: &Hole<'_>, site: Site<'_, 'db>, alone: bool, used: &mut Used) {
    let (decl, fields) = match site.input {
        Input::Object(decl, fields) => (decl, fields),
        Input::Unknown => {
            used.misses = true;
            return;
        }
        Input::None => {
            if std::mem::replace(&mut used.no_input, true) {
                return;
            }
            cx.report(
                site.code,
                hole.span,
                format!("`input.{}` is used, but the operation has no `input:`", hole.name),
            );
            return;
        }
        Input::OfNobody => {
            let meant = settings(cx.db, cx.scope).iter().any(|setting| &*setting.name == hole.name);
            let place = cx.at(hole.span);
            let finding =
                cx.report(site.code, hole.span, format!("`input.{}` can't stand in a provider", hole.name));
            finding.help("an input is an operation's; a provider has its `settings:`");
            if meant {
                finding.suggest(format!("use `settings.{}`", hole.name), place, setting_like(hole));
            }
            return;
        }
    };
    let Some(field) = fields.iter().find(|field| &*field.name == hole.name) else {
        used.misses = true;
        if is_broken(cx.db, decl) {
            return;
        }
        let meant = nearest(hole.name, fields.iter().map(|field| &*field.name));
        let ty = decl.name_text(cx.db);
        let place = names::name_place(cx.db, decl);
        cx.report(NAME_UNKNOWN, hole.name_span, format!("the input `{ty}` has no field `{}`", hole.name))
            .related(place, format!("`{ty}` is the input"))
            .nearest(meant);
        return;
    };
    if !used.fields.iter().any(|known| known == hole.name) {
        used.fields.push(hole.name.to_owned());
    }
    let Some(ty) = &field.ty else { return };
    let scope = decl.scope(cx.db);
    let absent = match (field.optional, resolve::is_nullable(cx.db, scope, ty)) {
        (true, _) => Some("is `optional`"),
        (false, true) => Some("may be null"),
        (false, false) => None,
    };
    let declared = Declared { decl: Some(decl), path: &[] };
    fits(
        cx,
        hole,
        &Filled { scope, ty, absent, name: format!("input.{}", hole.name), declared },
        site,
        alone,
    );
}

/// The same hole for a setting, with its braces if it has any.
fn setting_like(hole: &Hole<'_>) -> String {
    let bare = format!("settings.{}", hole.name);
    let braces = hole.span.len() as usize > "input.".len() + hole.name.len();
    if braces { format!("{{{bare}}}") } else { bare }
}

/// What fills a hole.
struct Filled<'a, 'db> {
    scope: Scope,
    ty: &'a Type,
    /// Why there may be nothing to fill it with.
    absent: Option<&'static str>,
    /// As it is written.
    name: String,
    declared: Declared<'a, 'db>,
}

/// Where what fills a hole is declared.
struct Declared<'a, 'db> {
    decl: Option<DeclSrc<'db>>,
    /// Keys that lead to it in a block; empty for a field of a type.
    path: &'a [&'a str],
}

impl<'db> Declared<'_, 'db> {
    fn place(&self, cx: &Check<'db>, field: &str) -> Option<crate::diagnostics::Place<'db>> {
        let decl = self.decl?;
        Some(if self.path.is_empty() {
            super::places::field_place(cx.db, decl, field)
        } else {
            names::key_place(cx.db, decl, self.path)
        })
    }
}

/// Whether what fills a hole is one text, and may stand here.
fn fits<'db>(
    cx: &mut Check<'db>,
    hole: &Hole<'_>,
    filled: &Filled<'_, 'db>,
    site: Site<'_, 'db>,
    alone: bool,
) {
    let Some(resolved) = resolve::kind(cx.db, filled.scope, filled.ty) else { return };
    let (name, what) = (&filled.name, site.what);
    let (code, message, help) = match &resolved.kind {
        Kind::Secret if !site.secret => (
            PACKAGE_SECRET_EXPOSED,
            format!("`{name}` is a secret, which can't stand in {what}"),
            "addresses are logged along the way; a secret stands in `headers:` or `auth:` only, such as \
             `auth: query(\"key\", …)`",
        ),
        Kind::Scalar(_) | Kind::Enum(_) | Kind::Secret => match filled.absent {
            Some(absent) if site.required => {
                (site.code, format!("`{name}` {absent}, and {what} can't do without it"), "")
            }
            _ => return,
        },
        Kind::List(scope, item) if site.list && alone => match resolve::kind(cx.db, *scope, item) {
            Some(item) if matches!(item.kind, Kind::Scalar(_) | Kind::Enum(_)) => return,
            None => return,
            Some(item) => (
                site.code,
                format!("`{name}` is a list of what no text holds: {}", item.kind.text()),
                "a list in a query repeats its key, each time with one scalar",
            ),
        },
        Kind::List(..) if site.list => (
            site.code,
            format!("`{name}` is a `List`, which stands alone in {what}"),
            "write it without other text",
        ),
        kind => {
            let ty = type_text(filled.ty);
            (site.code, format!("`{name}` is {}, which can't stand in {what}", kind.text()), {
                if ty == "Json" { "`Json` has no text of its own" } else { "a hole takes one scalar" }
            })
        }
    };
    let declared = filled.declared.place(cx, hole.name);
    let finding = cx.report(code, hole.span, message);
    if let Some(declared) = declared {
        finding.related(declared, format!("it is `{}`", type_text(filled.ty)));
    }
    if !help.is_empty() {
        finding.help(help);
    }
}

/// The object that an `input:` names, quietly.
pub fn input_object<'db>(cx: &Check<'db>, name: Option<&str>, given: bool) -> Input<'db> {
    if !given {
        return Input::None;
    }
    let object = name.and_then(|name| {
        names::find(cx.db, cx.scope, Keyword::Type, name)?;
        let ty = Type::Named(model::TypeRef { package: None, name: name.to_owned() });
        match resolve::kind(cx.db, cx.scope, &ty)? {
            resolve::Resolved { nullable: false, kind: Kind::Object(decl) } => Some(decl),
            _ => None,
        }
    });
    match object {
        Some(decl) => Input::Object(decl, signature::type_signature(cx.db, decl).fields()),
        None => Input::Unknown,
    }
}
