//! What logs tell of calls: a span for each attempt, and nothing that a provider or an app says.

use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use insta::assert_snapshot;
use tracing_subscriber::fmt::format::FmtSpan;

use super::{API_KEY, world};
use crate::sim::{Reply, Script};

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

#[test]
fn each_attempt_has_a_span_that_tells_its_course() {
    let log = Log::default();
    let writer = log.clone();
    // With a single subscriber alive, a span that another test's thread meets first is off for this one too.
    let _second = tracing::Dispatch::new(tracing_subscriber::fmt().with_writer(io::sink).finish());
    let subscriber = tracing_subscriber::fmt()
        .with_writer(move || writer.clone())
        .with_span_events(FmtSpan::CLOSE)
        .without_time()
        .with_ansi(false)
        .finish();
    let body = format!("what a body says: {API_KEY}");
    let script = Script::new().on(
        "/v1/",
        vec![
            Reply::status(503).header("x-secret", API_KEY).body(body.as_str()).after_ms(30),
            Reply::never(),
            Reply::json(r#"{"btc":"1"}"#).after_ms(20),
        ],
    );
    tracing::subscriber::with_default(subscriber, || world(&script).call("prices").unwrap());
    let told = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(!told.contains("sk_live") && !told.contains("says"), "{told}");
    let spans: Vec<&str> = told
        .lines()
        .filter_map(|line| line.split_once("call{")?.1.split_once('}'))
        .map(|(fields, _)| fields)
        .collect();
    assert_snapshot!(spans.join("\n"), @r#"
    connection=feed operation=prices attempt=1 slot_wait_ms=0 duration_ms=30 status=503
    connection=feed operation=prices attempt=2 slot_wait_ms=0 duration_ms=10000 error="timeout"
    connection=feed operation=prices attempt=3 slot_wait_ms=0 duration_ms=20 status=200
    "#);
}
