//! What logs tell of calls: a span for each attempt, and nothing that a provider or an app says.

use insta::assert_snapshot;
use tracing_subscriber::fmt::format::FmtSpan;

use super::{API_KEY, world};
use crate::sim::{Reply, Script};
use crate::trial::log::told_with;

#[test]
fn each_attempt_has_a_span_that_tells_its_course() {
    let body = format!("what a body says: {API_KEY}");
    let script = Script::new().on(
        "/v1/",
        vec![
            Reply::status(503).header("x-secret", API_KEY).body(body.as_str()).after_ms(30),
            Reply::never(),
            Reply::json(r#"{"btc":"1"}"#).after_ms(20),
        ],
    );
    let told = told_with(FmtSpan::CLOSE, || {
        world(&script).call("prices").unwrap();
    });
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
