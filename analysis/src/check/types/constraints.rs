//! The block after a type: constraints that fit the type and that a value can keep.

use jadpo_syntax::tree::{Block, Entry, Keyword, Number, TypeExpr, Value, ValueKind};

use super::type_use::Place;
use crate::check::{Check, forms};
use crate::decimal::Decimal;
use crate::diagnostics::codes::package::TYPE_CONSTRAINT_INVALID;
use crate::keys::{Fields, constraints};
use crate::names;
use crate::nearest::nearest;
use crate::signature;
use crate::values;

/// Checks the block after a type; `builtin` is the type's name where it is a built-in one.
pub fn check(cx: &mut Check<'_>, expr: &TypeExpr, builtin: Option<&str>, block: &Block, place: Place) {
    let of_setting = place == Place::Setting;
    if block.entries.is_empty() && place != Place::Declaration && !cx.broken {
        let at = cx.at(block.span);
        cx.report(
            TYPE_CONSTRAINT_INVALID,
            block.span,
            format!("the block after `{}` is empty", expr.path_text()),
        )
        .fix("remove it", at, "");
        return;
    }
    let has_default = block.entries.iter().any(is_default);
    let table = constraints(builtin.unwrap_or_default(), of_setting || has_default);
    if table.rows.iter().all(|row| row.key == "default")
        && unconstrained(cx, expr, builtin.is_some(), block, of_setting)
    {
        return;
    }
    if !of_setting {
        block.entries.iter().filter(|entry| is_default(entry)).for_each(|entry| no_default(cx, entry));
    }
    let fields = Fields::new(block, table);
    forms::block(cx, fields, expr.path_span());
    bounds(cx, fields, builtin);
    pattern(cx, fields);
}

fn is_default(entry: &Entry) -> bool {
    !entry.key.quoted && &*entry.key.text == "default"
}

fn no_default(cx: &mut Check<'_>, entry: &Entry) {
    cx.report(TYPE_CONSTRAINT_INVALID, entry.key.span, "`default` belongs to a provider's `settings:`")
        .help("a field that may be missing is `optional`");
}

/// Reports the constraints of a type that takes none, once; false where it is given none.
fn unconstrained(
    cx: &mut Check<'_>,
    expr: &TypeExpr,
    builtin: bool,
    block: &Block,
    of_setting: bool,
) -> bool {
    let Some(first) = block.entries.iter().find(|entry| !(of_setting && is_default(entry))) else {
        return false;
    };
    if is_default(first) {
        no_default(cx, first);
        return true;
    }
    let name = expr.path_text();
    let meant = if of_setting { nearest(&first.key.text, ["default"]) } else { None };
    if builtin {
        cx.report(
            TYPE_CONSTRAINT_INVALID,
            first.key.span,
            format!("`{name}` takes no constraint `{}`", first.key.text),
        )
        .help("only `Text`, `Int`, `Decimal`, `List`, `Instant` and `Bytes` take constraints")
        .nearest(meant);
        return true;
    }
    let declared = match &expr.path[..] {
        [name] => names::find(cx.db, cx.scope, Keyword::Type, &name.text),
        _ => None,
    };
    let declared = declared.map(|decl| names::name_place(cx.db, decl));
    let message = format!("`{}` can't be put on `{name}` here", first.key.text);
    let finding = cx.report(TYPE_CONSTRAINT_INVALID, first.key.span, message);
    finding.help("a declared type has its constraints where it is declared").nearest(meant);
    if let Some(declared) = declared {
        finding.related(declared, "declared here");
    }
    true
}

/// The least is not above the greatest.
fn bounds(cx: &mut Check<'_>, fields: Fields<'_>, builtin: Option<&str>) {
    for (least, greatest) in [("min", "max"), ("min_length", "max_length"), ("min_items", "max_items")] {
        let bound = |key| fields.value(key).map(|value| (value, signature::bounded(value)));
        if builtin == Some("Decimal") {
            [least, greatest].into_iter().filter_map(bound).for_each(|(value, read)| number(cx, value, read));
        }
        let (Some((low, Some(min))), Some((high, Some(max)))) = (bound(least), bound(greatest)) else {
            continue;
        };
        if min > max {
            let related = cx.at(high.span);
            let message = format!("no value has `{least}: {min}` and `{greatest}: {max}`");
            cx.report(TYPE_CONSTRAINT_INVALID, low.span, message)
                .label(format!("above `{greatest}`"))
                .related(related, format!("`{greatest}` is {max}"));
        }
    }
}

/// A bound of a `Decimal` is a number that a `Decimal` can hold.
fn number(cx: &mut Check<'_>, value: &Value, read: Option<Decimal>) {
    let message = match &value.kind {
        _ if read.is_some() => return,
        ValueKind::Number(number) => match number.number {
            Number::Invalid => return,
            Number::Int(_) | Number::Decimal(_) => {
                format!("`{}` has more digits than a `Decimal` can hold", number.text)
            }
            _ => format!("a bound of `Decimal` is a number, not `{}`", number.text),
        },
        _ => format!("a bound of `Decimal` is a number, not {}", values::form_of(value)),
    };
    cx.report(TYPE_CONSTRAINT_INVALID, value.span, message);
}

/// A pattern is one that the runtime's engine takes, alone and as the whole of a text.
fn pattern(cx: &mut Check<'_>, fields: Fields<'_>) {
    let Some(pattern) = fields.text("pattern") else { return };
    let whole = || regex_lite::Regex::new(&format!("\\A(?:{})\\z", pattern.value));
    if let Err(error) = regex_lite::Regex::new(&pattern.value).and_then(|_| whole()) {
        cx.report(
            TYPE_CONSTRAINT_INVALID,
            pattern.span,
            format!("`pattern` is no regular expression: {error}"),
        )
        .help("patterns are written in RE2 syntax, without `\\p` classes, look-around and back-references");
    }
}
