//! Rules of `headers:` and of every other name of a header.

use jadpo_syntax::Span;
use jadpo_syntax::tree::Entry;

use super::Check;
use super::templates::{self, Site, Used};
use crate::diagnostics::Code;
use crate::values::{self, Part};

/// What the client says itself in every call.
const OF_CLIENT: [&str; 5] = ["host", "content-length", "transfer-encoding", "connection", "accept-encoding"];

/// A header that something else sends too: its name in lower case, and what sends it.
pub type Taken = (String, &'static str);

/// Checks the entries of a `headers:` block.
pub fn check<'db>(
    cx: &mut Check<'db>,
    entries: &[Entry],
    taken: &[Taken],
    site: Site<'_, 'db>,
    used: &mut Used,
) {
    for (at, entry) in entries.iter().enumerate() {
        if name(cx, &entry.key.text, entry.key.span, site.code) {
            repeated(cx, entry, &entries[..at], taken, site.code);
        }
        if let Some(value) = &entry.value {
            line(cx, value, site.code);
        }
        templates::value(cx, entry, site, used);
    }
}

/// Whether a name is one that a header may have here.
pub fn name(cx: &mut Check<'_>, name: &str, span: Span, code: Code) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    if name.is_empty() || !name.bytes().all(is_token) {
        cx.report(code, span, format!("{name:?} is no name of a header"))
            .help("a header's name is letters, digits and `-`");
        return false;
    }
    if OF_CLIENT.contains(&&*name.to_ascii_lowercase()) {
        cx.report(code, span, format!("the header `{name}` is set by the client itself"));
        return false;
    }
    true
}

/// A header is given once: names differ by more than their case, and nothing else sends it.
fn repeated(cx: &mut Check<'_>, entry: &Entry, before: &[Entry], taken: &[Taken], code: Code) {
    let name = &entry.key.text;
    let same = |other: &&Entry| other.key.text.eq_ignore_ascii_case(name) && other.key.text != *name;
    if let Some(first) = before.iter().find(same) {
        let related = cx.at(first.key.span);
        let message = format!("the header `{name}` is given twice, since case doesn't count");
        cx.report(code, entry.key.span, message).related(related, "first given here");
    } else if let Some((_, by)) = taken.iter().find(|(taken, _)| name.eq_ignore_ascii_case(taken)) {
        cx.report(code, entry.key.span, format!("the header `{name}` is sent by {by} already"));
    }
}

/// A header's value is one line.
pub fn line(cx: &mut Check<'_>, value: &jadpo_syntax::tree::Value, code: Code) {
    let Some(template) = values::template(value) else { return };
    let found = template.parts.iter().find_map(|part| match part {
        Part::Text(text) => text.chars().find(|c| c.is_control() && *c != '\t'),
        Part::Hole(_) => None,
    });
    if let Some(c) = found {
        let message =
            format!("the value of a header is one line, and U+{:04X} can't stand in it", u32::from(c));
        cx.report(code, value.span, message);
    }
}
