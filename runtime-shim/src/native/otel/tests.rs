//! What a collector gets of an app that runs as a process of its own.
#![allow(clippy::unwrap_used, reason = "a test stops at the first surprise")]

mod collector;
mod proto;

use crate::app::App;
use crate::context::Context;
use crate::delivered::Delivered;
use crate::failure::Failure;
use crate::host::BoxFuture;
use crate::plan::{Part, Plan, Template};
use crate::trial::process::Process;
use crate::trial::{Bodies, base_plan};
use collector::Collector;
use proto::Span;

/// Names the file of a child's store, and tells the child that it is one.
const CHILD_FILE: &str = "JADPO_TEST_OTEL_FILE";

/// Where the child's provider is.
const CHILD_PROVIDER: &str = "JADPO_TEST_OTEL_PROVIDER";

fn plan(provider: &str) -> Plan {
    let mut plan = base_plan();
    plan.packages.get_mut("coinfeed").unwrap().base_url =
        Template { parts: vec![Part::Text(format!("http://{provider}"))] };
    plan.connections.values_mut().for_each(|connection| connection.plain_http = true);
    plan
}

/// Emits an event of its own, which another subscriber hears.
fn emits<'a>(
    subscriber: &'a str,
    cx: &'a mut Context,
    _: &'a Delivered,
) -> BoxFuture<'a, Result<(), Failure>> {
    Box::pin(async move {
        if subscriber == "update_quotes" {
            cx.emit("QuoteKept", r#"{"btc":"60"}"#.to_owned());
        } else {
            tracing::info!("all heard");
        }
        Ok(())
    })
}

/// The program of the processes below; run by itself it does nothing.
#[test]
#[ignore = "the other tests run it as a process of its own"]
fn child() {
    let (Ok(file), Ok(provider)) = (std::env::var(CHILD_FILE), std::env::var(CHILD_PROVIDER)) else { return };
    let json = serde_json::to_string(&plan(&provider)).unwrap();
    let code = App::new(&json, "server", Bodies(emits))
        .store_file("main", file)
        .run_to_code(crate::native::signals::watch);
    std::process::exit(i32::from(code));
}

/// Runs the app until all is heard, stops it, and gives its log.
fn run(provider: &Collector, environment: &[(&str, String)]) -> String {
    let directory = tempfile::tempdir().unwrap();
    let process = Process::start("native::otel::tests::child", |command| {
        command.env(CHILD_FILE, directory.path().join("main.db")).env(CHILD_PROVIDER, provider.address());
        command.envs(environment.iter().cloned());
    });
    let mut log = String::new();
    while !log.contains("all heard") {
        let line = process.line("that all is heard");
        log += &line.unwrap_or_else(|| panic!("it ended before it heard all: {log}"));
        log.push('\n');
    }
    process.signal("-TERM");
    while let Some(line) = process.line("its end") {
        log += &line;
        log.push('\n');
    }
    assert_eq!(process.code(), Some(0), "{log}");
    log
}

fn only<'s>(spans: &'s [Span], name: &str, subscriber: Option<&str>) -> &'s Span {
    let fits =
        |span: &&Span| span.name == name && subscriber.is_none_or(|one| span.attributes["subscriber"] == one);
    let found: Vec<&Span> = spans.iter().filter(fits).collect();
    assert_eq!(found.len(), 1, "{name} {subscriber:?} in {spans:?}");
    found[0]
}

#[test]
fn a_poll_its_event_and_what_that_sets_off_are_one_trace() {
    let collector = Collector::start();
    let endpoint = ("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{}", collector.address()));
    run(&collector, &[endpoint]);
    let spans: Vec<Span> =
        collector.bodies("/v1/traces").iter().flat_map(|body| proto::spans(body)).collect();
    let poll = only(&spans, "poll", None);
    let call = only(&spans, "call", None);
    let first = only(&spans, "delivery", Some("update_quotes"));
    let second = only(&spans, "delivery", Some("hear_kept"));
    assert_eq!(poll.parent, "", "a poll begins its trace");
    assert_eq!(call.parent, poll.id);
    assert_eq!(first.parent, poll.id, "what a poll kept is delivered in its trace");
    assert_eq!(second.parent, first.id, "and so is what that sets off");
    assert!([call, first, second].iter().all(|span| span.trace == poll.trace), "{spans:?}");
    assert_eq!(call.attributes["connection"], "feed");
    assert!(collector.tells("service.name") && collector.tells("trading"));
    let metrics = collector.bodies("/v1/metrics").concat();
    for measure in ["jadpo.lag", "jadpo.delivery.wait", "jadpo.slots", "jadpo.count"] {
        let is_told = metrics.windows(measure.len()).any(|part| part == measure.as_bytes());
        assert!(is_told, "{measure} is not told");
    }
}

#[test]
fn nothing_is_sent_unless_it_is_asked_for() {
    let collector = Collector::start();
    run(&collector, &[]);
    assert!(collector.bodies("/v1/traces").is_empty() && collector.bodies("/v1/metrics").is_empty());
}

#[test]
fn a_collector_that_cannot_be_reached_is_told_once_and_delays_no_stop() {
    let collector = Collector::start();
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let log = run(&collector, &[("OTEL_EXPORTER_OTLP_ENDPOINT", format!("http://{nobody}"))]);
    assert_eq!(log.matches("telemetry can't be sent").count(), 1, "{log}");
}
