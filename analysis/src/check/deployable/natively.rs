//! What a deployable has natively alone: on Workers the platform listens, and wakes the loop.

use jadpo_syntax::Span;
use jadpo_syntax::tree::Entry;

use crate::check::Check;
use crate::diagnostics::codes::app;
use crate::keys::Fields;

/// The keys, and what takes their place on Workers.
const KEYS: [(&str, &str); 2] = [
    ("host", "on Workers the platform listens and answers"),
    ("runner", "on Workers the platform starts each run, and no loop sleeps"),
];

/// Refuses each of them on Workers.
pub fn refused(cx: &mut Check<'_>, fields: Fields<'_>) {
    for (key, why) in KEYS {
        let Some(entry) = fields.entry(key) else { continue };
        let (removed, target) = (cx.at(whole(cx, entry)), cx.at(fields.span("target")));
        let message = format!("`{key}` is for `target: native`: {why}");
        cx.report(app::DEPLOYABLE_KEY_INVALID, entry.key.span, message)
            .label("leave it out")
            .related(target, "built for Workers")
            .fix(format!("remove `{key}`"), removed, "");
    }
}

/// An entry with the blanks before it.
fn whole(cx: &Check<'_>, entry: &Entry) -> Span {
    let before = &cx.decl.text(cx.db)[..entry.span.start as usize];
    let start = u32::try_from(before.trim_end().len()).unwrap_or(entry.span.start);
    Span::new(start, entry.span.end)
}
