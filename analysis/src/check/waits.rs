//! Waits that grow: the first is no longer than the longest.

use super::Check;
use crate::diagnostics::Code;
use crate::keys::{Fields, duration_text};

/// Reports an `initial` above `max`, at the one that is written, or at `initial` where both are.
pub fn ordered(cx: &mut Check<'_>, fields: Fields<'_>, code: Code) {
    if let (Some(initial_ms), Some(max_ms)) = (fields.duration_ms("initial"), fields.duration_ms("max")) {
        ordered_ms(cx, fields, code, initial_ms, max_ms);
    }
}

/// The same, of times that were read already.
pub fn ordered_ms(cx: &mut Check<'_>, fields: Fields<'_>, code: Code, initial_ms: u64, max_ms: u64) {
    if initial_ms <= max_ms {
        return;
    }
    let text = |ms: u64| duration_text(i64::try_from(ms).unwrap_or(i64::MAX));
    let (initial, max) = (text(initial_ms), text(max_ms));
    let both = fields.entry("initial").is_some() && fields.entry("max").is_some();
    let at_initial = fields.entry("initial").is_some();
    let (key, meant) = if at_initial { ("initial", &max) } else { ("max", &initial) };
    let message = match (both, at_initial) {
        (true, _) => format!("`initial` of `{initial}` is longer than `max` of `{max}`"),
        (false, true) => format!("`initial` of `{initial}` is longer than `max`, `{max}` by default"),
        (false, false) => format!("`max` of `{max}` is shorter than `initial`, `{initial}` by default"),
    };
    let (span, other) = (fields.span(key), cx.at(fields.span("max")));
    let place = cx.at(span);
    let finding = cx.report(code, span, message);
    if both {
        finding.related(other, "the longest wait");
    }
    finding.suggest(format!("write `{meant}`"), place, meant.clone());
}
