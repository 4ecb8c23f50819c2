//! The W3C trace context of spans: what a kept event says of where it was made, and goes on in its deliveries.

use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState};
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The `traceparent` of the span that this runs in; `None` where nobody makes traces.
pub fn current() -> Option<String> {
    let context = Span::current().context();
    let span = context.span();
    let span = span.span_context();
    span.is_valid()
        .then(|| format!("00-{}-{}-{:02x}", span.trace_id(), span.span_id(), span.trace_flags().to_u8()))
}

/// Makes a span that nothing has entered yet part of the trace of a `traceparent`.
pub fn follow(span: &Span, parent: &str) {
    if let Some(parent) = read(parent) {
        // A span that nobody makes a trace of has no parent to be given.
        let _ = span.set_parent(Context::new().with_remote_span_context(parent));
    }
}

fn read(parent: &str) -> Option<SpanContext> {
    let mut parts = parent.split('-');
    let (_, trace, span, flags) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?);
    let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
    let context = SpanContext::new(trace, span, flags, true, TraceState::default());
    context.is_valid().then_some(context)
}
