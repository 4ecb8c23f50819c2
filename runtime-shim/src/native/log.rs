//! The log of a program, on standard error.

use std::io::IsTerminal;

use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;

use super::host::wall_ms;
use crate::clock;

/// The environment variable that sets how much is logged: `error`, `warn`, `info`, `debug`, `trace` or `off`.
const LEVEL: &str = "JADPO_LOG";

/// Logs as much as `JADPO_LOG` says.
pub fn to_stderr() {
    let (level, asked) = level();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_max_level(level)
        .with_target(false)
        .with_timer(ToTheMillisecond)
        .finish();
    begin(subscriber, asked);
}

/// The same, with traces made of spans beside it, however little is logged.
#[cfg(feature = "otel")]
pub fn to_stderr_and(telemetry: &super::otel::Telemetry) {
    use tracing_subscriber::Layer;
    use tracing_subscriber::layer::SubscriberExt;
    let (level, asked) = level();
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .with_target(false)
        .with_timer(ToTheMillisecond)
        .with_filter(level);
    begin(tracing_subscriber::registry().with(telemetry.layer()).with(lines), asked);
}

/// The level, and what was asked for where that is none.
fn level() -> (LevelFilter, Option<String>) {
    let asked = std::env::var(LEVEL).ok();
    match asked.as_deref().map(str::parse::<LevelFilter>) {
        Some(Ok(level)) => (level, None),
        Some(Err(_)) => (LevelFilter::INFO, asked),
        None => (LevelFilter::INFO, None),
    }
}

fn begin(subscriber: impl Subscriber + Send + Sync, asked: Option<String>) {
    // A program that set a subscriber of its own keeps it.
    drop(tracing::subscriber::set_global_default(subscriber));
    if let Some(asked) = asked {
        tracing::warn!(
            "{LEVEL} is {asked:?}, which is none of error, warn, info, debug, trace and off; info it is"
        );
    }
}

/// The time of a line, in UTC.
struct ToTheMillisecond;

impl FormatTime for ToTheMillisecond {
    fn format_time(&self, writer: &mut Writer<'_>) -> std::fmt::Result {
        write!(writer, "{:.3}", clock::timestamp(wall_ms()))
    }
}
