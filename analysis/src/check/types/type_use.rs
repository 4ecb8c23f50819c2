//! A type where it is used: its name, its arguments, its `?` and its constraints.

use jadpo_syntax::Span;
use jadpo_syntax::tree::{Block, Keyword, TypeExpr};

use super::constraints;
use crate::check::Check;
use crate::diagnostics::codes::package::{TYPE_UNKNOWN, TYPE_VALUE_INVALID};
use crate::model::Type;
use crate::names::{self, BUILTIN_TYPES};
use crate::nearest::nearest;
use crate::resolve::{self, Kind};
use crate::signature;

/// Where a type is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// After the `=` of a declaration.
    Declaration,
    /// In a field, an argument or an `output:`.
    Value,
    /// In a provider's `settings:`.
    Setting,
}

/// What others call the built-in types.
const FOREIGN: [(&str, &str); 19] = [
    ("any", "Json"),
    ("array", "List"),
    ("boolean", "Bool"),
    ("dict", "Map"),
    ("double", "Decimal"),
    ("float", "Decimal"),
    ("hashmap", "Map"),
    ("integer", "Int"),
    ("long", "Int"),
    ("money", "Decimal"),
    ("number", "Decimal"),
    ("set", "List"),
    ("str", "Text"),
    ("string", "Text"),
    ("time", "Instant"),
    ("timestamp", "Instant"),
    ("uri", "Url"),
    ("url", "Url"),
    ("vec", "List"),
];

/// Checks a type and the block after it.
pub fn check(cx: &mut Check<'_>, expr: &TypeExpr, block: Option<&Block>, place: Place) {
    let builtin = match &expr.path[..] {
        [name] => BUILTIN_TYPES.into_iter().find(|builtin| *builtin == &*name.text),
        _ => None,
    };
    let known = match builtin {
        Some("List") => arguments(cx, expr, &["T"], place),
        Some("Map") => arguments(cx, expr, &["K", "V"], place) && map_key(cx, expr),
        Some("Secret") if place != Place::Setting => {
            cx.report(
                TYPE_VALUE_INVALID,
                expr.path_span(),
                "a `Secret` stands in a provider's `settings:` only",
            )
            .help("what the app's code may see is no secret; take it as `Text`");
            false
        }
        Some(_) => no_arguments(cx, expr),
        None => declared(cx, expr, place, block.is_some()) && no_arguments(cx, expr),
    };
    if known {
        nullable_once(cx, expr);
    }
    if let Some(block) = block
        && (known || builtin.is_some())
    {
        constraints::check(cx, expr, builtin, block, place);
    }
}

/// Whether the type has the arguments that it takes; each of them is checked.
fn arguments(cx: &mut Check<'_>, expr: &TypeExpr, wanted: &[&str], place: Place) -> bool {
    expr.args.iter().for_each(|arg| check(cx, arg, None, place));
    if expr.args.len() == wanted.len() {
        return true;
    }
    if cx.broken {
        return false;
    }
    let name = expr.path_text();
    let form = format!("{name}<{}>", wanted.join(", "));
    let span = expr.args.get(wanted.len()).map_or(expr.path_span(), |extra| extra.span);
    let message = match (expr.args.len(), wanted.len()) {
        (0, _) => format!("`{name}` is written `{form}`"),
        (given, 1) => format!("`{name}` takes one type, not {given}"),
        (1, _) => format!("`{name}` takes a key and a value, not one type"),
        (given, _) => format!("`{name}` takes a key and a value, not {given} types"),
    };
    cx.report(TYPE_VALUE_INVALID, span, message).help(format!("write `{form}`, as in `{}`", example(&name)));
    false
}

fn example(name: &str) -> &'static str {
    if name == "Map" { "Map<Text, Decimal>" } else { "List<Text>" }
}

fn no_arguments(cx: &mut Check<'_>, expr: &TypeExpr) -> bool {
    let (Some(first), Some(last)) = (expr.args.first(), expr.args.last()) else { return true };
    let name = expr.path_text();
    let span = first.span.to(last.span);
    let angle = Span::new(expr.path_span().end, expr.nullable.map_or(expr.span.end, |mark| mark.start));
    let place = cx.at(angle);
    let message = format!("`{name}` takes no types between `<` and `>`");
    cx.report(TYPE_VALUE_INVALID, span, message).fix("remove them", place, "");
    false
}

/// Whether the declared type that is named exists and may be named here.
fn declared(cx: &mut Check<'_>, expr: &TypeExpr, place: Place, has_block: bool) -> bool {
    let [name] = &expr.path[..] else { return cx.declared_type(&expr.path, TYPE_UNKNOWN).is_some() };
    let (db, scope) = (cx.db, cx.scope);
    if names::find(db, scope, Keyword::Type, &name.text).is_some() {
        return true;
    }
    if !names::is_missing(db, scope, Keyword::Type, &name.text) {
        return false;
    }
    let declared = names::nearest_declared(db, scope, Keyword::Type, &name.text);
    let builtins = BUILTIN_TYPES.into_iter().filter(|name| *name != "Secret" || place == Place::Setting);
    // Before a block, one that opens the body of a type may be meant.
    let bodies = names::TYPE_BODIES.into_iter().filter(|_| place == Place::Declaration && has_block);
    let meant = nearest(&name.text, bodies.chain(declared).chain(builtins));
    let foreign = FOREIGN.iter().find(|(foreign, _)| name.text.eq_ignore_ascii_case(foreign));
    let finding = cx.report(TYPE_UNKNOWN, name.span, format!("there is no type `{}`", name.text));
    match (meant, foreign) {
        (None, Some((_, ours))) => {
            finding.nearest(Some(ours)).help(format!("it is called `{ours}` here"));
        }
        _ => {
            finding.nearest(meant);
        }
    }
    false
}

/// A map's key is a text in JSON. A type of its own can be one where it is made of `Text`.
fn map_key(cx: &mut Check<'_>, expr: &TypeExpr) -> bool {
    let Some(key) = expr.args.first() else { return true };
    let Some(ty) = signature::read_type(key, None) else { return true };
    let Some(resolved) = resolve::kind(cx.db, cx.scope, &ty) else { return true };
    let what = match &resolved.kind {
        _ if resolved.nullable => "may be null".to_owned(),
        Kind::Scalar(Type::Text(_)) => return true,
        Kind::Scalar(Type::Date | Type::Uuid) | Kind::Enum(_) => {
            let Some(of) = resolve::newtype_of(cx.db, cx.scope, &ty) else { return true };
            format!("is a type of its own made of `{}`", signature::type_text(of))
        }
        kind => format!("is {}", kind.text()),
    };
    let written = signature::type_text(&ty);
    let message = if what == format!("is `{written}`") {
        format!("`{written}` can't be the key of a `Map`")
    } else {
        format!("`{written}` can't be the key of a `Map`: it {what}")
    };
    cx.report(TYPE_VALUE_INVALID, key.span, message)
        .help("a key is `Text`, a type made of it, an Enum, a `Date` or a `Uuid`");
    false
}

/// `T?` of a `T` that may be null already: JSON has only one null.
fn nullable_once(cx: &mut Check<'_>, expr: &TypeExpr) {
    let Some(mark) = expr.nullable else { return };
    let [name] = &expr.path[..] else { return };
    let ty = Type::Named(crate::model::TypeRef { package: None, name: name.text.to_string() });
    if BUILTIN_TYPES.contains(&&*name.text) || !resolve::is_nullable(cx.db, cx.scope, &ty) {
        return;
    }
    let place = cx.at(mark);
    let declared = names::find(cx.db, cx.scope, Keyword::Type, &name.text);
    let declared = declared.map(|decl| names::name_place(cx.db, decl));
    let message = format!("`{}` may be null already, so its `?` says nothing", name.text);
    let finding = cx.report(TYPE_VALUE_INVALID, mark, message);
    if let Some(declared) = declared {
        finding.related(declared, "its own type has `?`");
    }
    finding.fix("remove the `?`", place, "");
}
