//! Where a declaration may stand and how its name must be spelt.

use jadpo_syntax::tree::{Declaration, Keyword, Name};

use crate::diagnostics::codes::base;
use crate::inputs::ScopeKind;
use crate::names::{self, BUILTIN_TYPES, Case, TYPE_BODIES};

use super::{Check, scope};

/// What an app declares.
const OF_APPS: [Keyword; 11] = [
    Keyword::App,
    Keyword::Type,
    Keyword::Store,
    Keyword::Connection,
    Keyword::Subscriber,
    Keyword::Action,
    Keyword::Route,
    Keyword::Schedule,
    Keyword::Batch,
    Keyword::Backfill,
    Keyword::Deployable,
];

/// What has functions in the app's code.
const HANDLED: [Keyword; 4] = [Keyword::Subscriber, Keyword::Action, Keyword::Batch, Keyword::Backfill];

/// What a package declares.
const OF_PACKAGES: [Keyword; 3] = [Keyword::Provider, Keyword::Operation, Keyword::Type];

/// Whether the declaration belongs in its namespace and file; otherwise that is reported, and nothing else of it is.
pub fn stands_right(cx: &mut Check<'_>, declaration: &Declaration) -> bool {
    let keyword = declaration.keyword;
    let kind = cx.scope.kind(cx.db);
    let (allowed, code, what): (&[_], _, _) = match kind {
        ScopeKind::App => (&OF_APPS, base::APP_DECLARATION_INVALID, "an app"),
        ScopeKind::Package => (&OF_PACKAGES, base::PACKAGE_DECLARATION_INVALID, "a package"),
    };
    let word = keyword.text();
    if !allowed.contains(&keyword) {
        let words: Vec<_> = allowed.iter().map(|keyword| format!("`{}`", keyword.text())).collect();
        let message = format!("{what} declares no `{word}`{}", quoted(declaration.name.as_ref()));
        cx.report(code, declaration.keyword_span, message).help(format!("{what} holds {}", words.join(", ")));
        return false;
    }
    if !matches!(keyword, Keyword::App | Keyword::Provider) {
        return true;
    }
    stands_first(cx, declaration)
}

/// Whether an `app` or a `provider` is the one of its scope, in the file that makes it.
fn stands_first(cx: &mut Check<'_>, declaration: &Declaration) -> bool {
    let (db, decl, kind) = (cx.db, cx.decl, cx.scope.kind(cx.db));
    let owner = names::owner(db, cx.scope);
    if owner == Some(decl) {
        return true;
    }
    let word = declaration.keyword.text();
    let (code, what) = match kind {
        ScopeKind::App => (base::APP_DECLARATION_INVALID, "project"),
        ScopeKind::Package => (base::PACKAGE_DECLARATION_INVALID, "package"),
    };
    let in_file = names::is_owner_file(db, cx.scope, decl.file(db).path(db));
    let message = if in_file {
        format!("a {what} has one `{word}`;{} is another", quoted(declaration.name.as_ref()))
    } else {
        format!("`{word}`{} stands outside `{}`", quoted(declaration.name.as_ref()), kind.file_name())
    };
    let first = owner.map(|owner| names::name_place(db, owner));
    let finding = cx.report(code, declaration.keyword_span, message);
    if let Some(first) = first {
        finding.related(first, format!("the {what}'s `{word}`"));
    }
    false
}

/// The declared name is spelt as its kind is, and is not a built-in one.
pub fn name(cx: &mut Check<'_>, declaration: &Declaration) {
    let Some(name) = &declaration.name else { return };
    let text = &*name.text;
    if declaration.keyword == Keyword::Type && (BUILTIN_TYPES.contains(&text) || TYPE_BODIES.contains(&text))
    {
        let message = format!("`{text}` is the name of a built-in type");
        cx.report(base::TYPE_NAME_RESERVED, name.span, message).help("give the type another name");
        return;
    }
    let case = Case::of(declaration.keyword);
    if case.holds(text) || !scope::differs_in_case(cx.db, cx.decl) {
        self::case(cx, case, name, declaration.keyword.text());
    }
    if HANDLED.contains(&declaration.keyword) {
        keeps_for_another(cx, name);
    }
}

/// A backfill `rate` has two functions in the app's code, `rate` and `keep_rate`; no other may be called so.
fn keeps_for_another(cx: &mut Check<'_>, name: &Name) {
    let kept = name.text.strip_prefix("keep_");
    let Some(backfill) = kept.and_then(|kept| names::find(cx.db, cx.scope, Keyword::Backfill, kept)) else {
        return;
    };
    let place = names::name_place(cx.db, backfill);
    let message =
        format!("`{}` is already the function that keeps what a backfill has worked out", name.text);
    cx.report(base::NAME_DUPLICATE, name.span, message)
        .related(place, "the backfill")
        .help("the app's code has one function for each of these names: give one of the two another name");
}

/// A name of `what` ("field", "variant", "setting", "poll", a keyword) is spelt in this case.
pub fn case(cx: &mut Check<'_>, case: Case, name: &Name, what: &str) {
    if case.holds(&name.text) {
        return;
    }
    let repaired = case.repair(&name.text);
    let place = cx.at(name.span);
    let message = format!("the {what} name `{}` is not {}", name.text, case.text());
    let finding = cx.report(base::NAME_CASE_INVALID, name.span, message);
    if let Some(repaired) = repaired {
        finding.help(format!("write `{repaired}`"));
        finding.suggest(format!("write `{repaired}`"), place, repaired);
    }
}

fn quoted(name: Option<&Name>) -> String {
    name.map(|name| format!(" `{}`", name.text)).unwrap_or_default()
}
