//! Where a deployable says that it runs something, and how it would say so of one more.

use jadpo_syntax::Span;

use crate::check::Check;
use crate::deployables::{Part, PartKind};
use crate::diagnostics::Place;
use crate::keys::Fields;
use crate::values;

/// Where its list names a poll; where it names none, its target.
pub fn of_poll(fields: Fields<'_>, (connection, poll): &(Box<str>, Box<str>)) -> Span {
    named(fields, "polls", &[connection, poll])
}

/// Where one of its lists names a part; for one that it doesn't name, its target.
pub fn of_part(fields: Fields<'_>, part: &Part) -> Span {
    if part.kind == PartKind::Action {
        return fields.block("host").map_or(fields.block.span, |host| host.span("control"));
    }
    let path: Vec<&str> = part.name.split('.').collect();
    part.kind.key().map_or(fields.block.span, |key| named(fields, key, &path))
}

/// The list of a key with one more name, where a list is written.
pub fn with_name<'db>(
    cx: &Check<'db>,
    fields: Fields<'_>,
    key: &str,
    name: &str,
) -> Option<(Place<'db>, String)> {
    let value = fields.value(key)?;
    let written = values::list(value)?.iter().filter_map(values::bare_name).map(|name| &*name.text);
    let names: Vec<_> = written.chain([name]).collect();
    Some((cx.at(value.span), format!("[{}]", names.join(", "))))
}

fn named(fields: Fields<'_>, key: &str, path: &[&str]) -> Span {
    let named = fields.elements(key).iter().find(|value| {
        let names = values::path(value).unwrap_or_default();
        names.iter().map(|name| &*name.text).eq(path.iter().copied())
    });
    named.map_or_else(|| fields.span("target"), |value| value.span)
}
