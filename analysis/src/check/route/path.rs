//! Rules of a route's `path:`: its segments, and the fields of the input that some of them fill.

use jadpo_syntax::Span;
use jadpo_syntax::tree::StringLit;

use super::Given;
use crate::check::{Check, places};
use crate::diagnostics::codes::app::NAME_UNKNOWN;
use crate::diagnostics::codes::deferred::ROUTE_VALUE_INVALID;
use crate::keys::Fields;
use crate::names;
use crate::nearest::nearest;
use crate::resolve::{self, Kind};
use crate::signature::{is_broken, type_text};
use crate::values::{Hole, HoleSource, Part, Template};

/// What the host answers itself.
const RESERVED: [&str; 2] = ["/healthz", "/readyz"];

/// Checks `path:` and gives the fields that it fills; `None` where that can't be known.
pub fn check<'db>(cx: &mut Check<'db>, fields: Fields<'_>, given: Given<'db>) -> Option<Vec<Box<str>>> {
    let path = fields.text("path")?;
    let template = Template::of(path);
    if !form(cx, path, &template) {
        return None;
    }
    let mut filled: Vec<(Box<str>, Span)> = Vec::new();
    let mut right = true;
    for (at, part) in template.parts.iter().enumerate() {
        let Part::Hole(hole) = part else { continue };
        // A hole that is no whole segment tears its neighbours apart too, which is one mistake.
        if !is_whole(&template, at) {
            if right {
                in_part(cx, hole);
            }
            right = false;
        }
        right &= self::hole(cx, hole, given);
        if let Some((_, first)) = filled.iter().find(|(name, _)| **name == *hole.name) {
            let first = cx.at(*first);
            let message = format!("`input.{}` stands twice in the path", hole.name);
            cx.report(ROUTE_VALUE_INVALID, hole.span, message).related(first, "first here");
        }
        filled.push((hole.name.into(), hole.span));
    }
    colons(cx, path, given);
    right.then(|| filled.into_iter().map(|(name, _)| name).collect())
}

/// Whether the path can be one, its holes apart.
fn form(cx: &mut Check<'_>, path: &StringLit, template: &Template<'_>) -> bool {
    let value = &*path.value;
    let plain = !value.contains(['"', '\\']) && !value.contains(char::is_control);
    let fixed = |repaired: String| (plain && repaired != value).then_some(repaired);
    let texts = template.parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(*text),
        Part::Hole(_) => None,
    });
    let has = |c: char| texts.clone().any(|text| text.contains(c));
    let (message, help, meant) = if value.contains("://") {
        ("a route's path has no scheme and no host", "write what follows them, from its first `/`", None)
    } else if !value.starts_with('/') {
        ("a path starts with `/`", "", fixed(format!("/{value}")))
    } else if has('?') {
        ("a path has no `?`", "the query fills those fields of the input that the path doesn't", None)
    } else if has('#') {
        ("a path has no `#`", "what stands behind it is never sent to a server", None)
    } else if has('\\') || texts.clone().any(|text| text.contains(char::is_control)) {
        ("a path has no `\\` and no control characters", "", None)
    } else if texts.clone().any(has_escape) {
        ("a path is written as it reads, not percent-encoded", "write the character itself", None)
    } else if value.split('/').any(|segment| matches!(segment, "." | "..")) {
        ("a path has no segment `.` or `..`, which clients take out", "", None)
    } else if value != "/" && (value.ends_with('/') || value.contains("//")) {
        ("a path has no empty segment", "", fixed(without_empty(value)))
    } else if RESERVED.contains(&value) {
        ("the host answers this path itself, with whether it is well", "choose another path", None)
    } else {
        return true;
    };
    let place = cx.at(path.span);
    let finding = cx.report(ROUTE_VALUE_INVALID, path.span, message);
    if !help.is_empty() {
        finding.help(help);
    }
    if let Some(meant) = meant {
        finding.fix(format!("write \"{meant}\""), place, format!("\"{meant}\""));
    }
    false
}

/// Whether a `%` with two hexadecimal digits stands in a text.
fn has_escape(text: &str) -> bool {
    let is_hex = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_hexdigit);
    let bytes = text.as_bytes();
    (0..bytes.len()).any(|at| bytes[at] == b'%' && is_hex(bytes.get(at + 1)) && is_hex(bytes.get(at + 2)))
}

fn without_empty(path: &str) -> String {
    let segments = path.split('/').filter(|segment| !segment.is_empty());
    format!("/{}", segments.collect::<Vec<_>>().join("/"))
}

/// Whether the hole at `at` is all between one `/` and the next.
fn is_whole(template: &Template<'_>, at: usize) -> bool {
    let text = |at: Option<usize>| match at.and_then(|at| template.parts.get(at)) {
        Some(Part::Text(text)) => Some(*text),
        Some(Part::Hole(_)) => Some(""),
        None => None,
    };
    text(at.checked_sub(1)).is_some_and(|before| before.ends_with('/'))
        && text(Some(at + 1)).is_none_or(|after| after.starts_with('/'))
}

fn in_part(cx: &mut Check<'_>, hole: &Hole<'_>) {
    if hole.source == HoleSource::Input {
        let message =
            format!("`{{input.{}}}` is a part of a segment, and it can only be a whole one", hole.name);
        cx.report(ROUTE_VALUE_INVALID, hole.span, message)
            .help("let it stand between two `/`, or take the text around it into the field");
    }
}

/// Whether a hole is a field that one segment can fill; otherwise why not is reported.
fn hole<'db>(cx: &mut Check<'db>, hole: &Hole<'_>, given: Given<'db>) -> bool {
    if hole.source != HoleSource::Input {
        no_field(cx, hole, given);
        return false;
    }
    let db = cx.db;
    let (decl, fields) = match given {
        Given::Unknown => return false,
        Given::Nothing(action) => {
            let place = names::name_place(db, action);
            let action = action.name_text(db);
            let message = format!("`input.{}` is filled, and action `{action}` has no `input:`", hole.name);
            cx.report(ROUTE_VALUE_INVALID, hole.span, message).related(place, "what it runs");
            return false;
        }
        Given::Object(decl, fields) => (decl, fields),
    };
    let Some(field) = fields.iter().find(|field| &*field.name == hole.name) else {
        if !is_broken(db, decl) {
            let meant = nearest(hole.name, fields.iter().map(|field| &*field.name));
            let place = names::name_place(db, decl);
            let message = format!("the input `{}` has no field `{}`", decl.name_text(db), hole.name);
            cx.report(NAME_UNKNOWN, hole.name_span, message).related(place, "the input").nearest(meant);
        }
        return false;
    };
    let resolved = field.ty.as_ref().and_then(|ty| Some((ty, resolve::kind(db, decl.scope(db), ty)?)));
    let Some((ty, resolved)) = resolved else { return false };
    let why = match resolved.kind {
        _ if field.optional => "is `optional`, and a path can't do without it".to_owned(),
        _ if resolved.nullable => "may be null, and a segment always holds a value".to_owned(),
        Kind::Scalar(_) | Kind::Enum(_) => return true,
        kind => format!("is {}, and a segment holds one scalar", kind.text()),
    };
    let place = places::field_place(db, decl, hole.name);
    cx.report(ROUTE_VALUE_INVALID, hole.span, format!("`input.{}` {why}", hole.name))
        .related(place, format!("it is `{}`", type_text(ty)));
    false
}

/// Reports braces around something else, or one brace without the other.
fn no_field(cx: &mut Check<'_>, hole: &Hole<'_>, given: Given<'_>) {
    let whole = match hole.source {
        HoleSource::Settings => format!("{{settings.{}}}", hole.name),
        _ => hole.name.to_owned(),
    };
    let inside = whole.trim_start_matches('{').trim_end_matches('}').trim();
    let bare = inside.rsplit('.').next().unwrap_or(inside);
    let meant = match given {
        Given::Object(_, fields) => fields.iter().find(|field| &*field.name == bare),
        _ => None,
    };
    let meant = meant.map(|field| format!("{{input.{}}}", field.name));
    let closed = whole.len() > 1 && whole.starts_with('{') && whole.ends_with('}');
    let message = if closed {
        format!("`{whole}` is no hole of a route's path")
    } else {
        "a brace in the path is without its other one".to_owned()
    };
    cx.report(ROUTE_VALUE_INVALID, hole.span, message)
        .help("a hole is written `{input.name}`, with a field of the action's input")
        .nearest(meant.as_deref());
}

/// `/tickets/:id`, as other languages write a hole.
fn colons(cx: &mut Check<'_>, path: &StringLit, given: Given<'_>) {
    let Given::Object(_, fields) = given else { return };
    let mut start = 0;
    for segment in path.value.split('/') {
        let named =
            segment.strip_prefix(':').and_then(|name| fields.iter().find(|field| &*field.name == name));
        if let Some(field) = named {
            let byte = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            let span = path.inner_span(byte(start), byte(start + segment.len()));
            let meant = format!("{{input.{}}}", field.name);
            let message = format!("`{segment}` stands for these very letters");
            cx.report(ROUTE_VALUE_INVALID, span, message).nearest(Some(&meant));
        }
        start += segment.len() + 1;
    }
}
