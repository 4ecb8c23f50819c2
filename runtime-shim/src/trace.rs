//! W3C trace context: what ties an event to the deliveries that it set off.

use crate::host::Host;
#[cfg(feature = "otel")]
use crate::native::otel::context::current;

/// Makes a span that nothing has entered yet part of the trace that a `traceparent` names.
#[cfg(feature = "otel")]
pub fn follow(span: &tracing::Span, parent: Option<&str>) {
    if let Some(parent) = parent {
        crate::native::otel::context::follow(span, parent);
    }
}

/// Nobody makes traces of spans, so a span has nothing to follow.
#[cfg(not(feature = "otel"))]
pub fn follow(_: &tracing::Span, _: Option<&str>) {}

/// The span that this runs in; nobody makes traces of spans.
#[cfg(not(feature = "otel"))]
fn current() -> Option<String> {
    None
}

/// What goes on from here: the span that this runs in, else the `traceparent` that a caller gave.
#[cfg(feature = "native")]
pub fn passed_on(given: Option<&str>) -> Option<String> {
    current().or_else(|| given.map(str::to_owned))
}

/// A `traceparent` of a new trace.
fn begin(host: &dyn Host) -> String {
    // An all-zero id is invalid, so one bit is always set.
    format!("00-{:016x}{:016x}-{}-01", host.random() | 1, host.random(), span(host))
}

/// A `traceparent` of what is made here: the span that this runs in, which [`follow`]s `parent`; else one inside the trace of
/// `parent`; else a new trace.
pub fn within(host: &dyn Host, parent: Option<&str>) -> String {
    if let Some(here) = current() {
        return here;
    }
    match parent.and_then(trace_id) {
        Some(id) => format!("00-{id}-{}-01", span(host)),
        None => begin(host),
    }
}

fn trace_id(parent: &str) -> Option<&str> {
    let id = parent.strip_prefix("00-")?.get(..32)?;
    id.bytes().all(|byte| byte.is_ascii_hexdigit()).then_some(id)
}

fn span(host: &dyn Host) -> String {
    format!("{:016x}", host.random() | 1)
}

#[cfg(all(test, feature = "native", feature = "sqlite"))]
pub(crate) mod tests;
