//! What a person would read in the log of a trial.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use tracing::level_filters::LevelFilter;
use tracing_subscriber::fmt::format::FmtSpan;

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The lines that `run` logs at the default level on this thread, without their times.
pub fn told(run: impl FnOnce()) -> String {
    told_with(FmtSpan::NONE, run)
}

/// The same with lines for what becomes of spans.
pub fn told_with(spans: FmtSpan, run: impl FnOnce()) -> String {
    told_at(LevelFilter::INFO, spans, run)
}

/// Everything that can be told: all levels, all spans, and what other crates say.
pub fn told_all(run: impl FnOnce()) -> String {
    told_at(LevelFilter::TRACE, FmtSpan::FULL, run)
}

/// Has `act` called as each line is logged on this thread, before `run` goes on.
pub fn at_each_line(act: impl Fn() + Send + Sync + 'static, run: impl FnOnce()) {
    let writer = move || {
        act();
        io::sink()
    };
    with_another(tracing_subscriber::fmt().with_writer(writer).finish(), run);
}

fn told_at(level: LevelFilter, spans: FmtSpan, run: impl FnOnce()) -> String {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(move || writer.clone())
        .with_max_level(level)
        .with_span_events(spans)
        .with_target(false)
        .without_time()
        .with_ansi(false)
        .finish();
    with_another(subscriber, run);
    let told = log.0.lock().unwrap().clone();
    let told = String::from_utf8(told).unwrap();
    told.lines().map(|line| line.trim_start().to_owned() + "\n").collect()
}

/// With a single subscriber alive, what another test's thread meets first would be off for this one too.
fn with_another(subscriber: impl Into<tracing::Dispatch>, run: impl FnOnce()) {
    let _second = tracing::Dispatch::new(tracing_subscriber::fmt().with_writer(io::sink).finish());
    tracing::dispatcher::with_default(&subscriber.into(), run);
}
