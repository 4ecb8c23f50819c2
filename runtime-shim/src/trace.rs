//! W3C trace context: what ties an event to the deliveries that it set off.

use crate::host::Host;

/// A `traceparent` of a new trace.
pub fn begin(host: &dyn Host) -> String {
    // An all-zero id is invalid, so one bit is always set.
    format!("00-{:016x}{:016x}-{}-01", host.random() | 1, host.random(), span(host))
}

/// A `traceparent` inside the trace of another; a new trace where there is none that can be read.
pub fn within(host: &dyn Host, parent: Option<&str>) -> String {
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
